"""Profiles: stricter rules for programs, or the report's for runs (mdle.md §4.7, §4.14)."""

from collections.abc import Iterable

__all__ = ['PROFILES', 'REPORT_DEFAULTS', 'STRICT', 'known_profiles']

STRICT = 'strict'
"""Nothing but the formalism of mdle.md §4.1: atoms, scaled ones, and triples of them."""

REPORT_DEFAULTS = 'report_defaults'
"""A contact ends every atom, behavior and plan, as by the report's default interrupts."""

PROFILES = (STRICT, REPORT_DEFAULTS)


def known_profiles(names: Iterable[str]) -> frozenset[str]:
    """Give profiles as a set, without empty names; raises ValueError for one there is not."""
    found = frozenset(name for name in names if name)
    unknown = sorted(found.difference(PROFILES))
    if unknown:
        raise ValueError(f"there is no profile '{unknown[0]}'; use {' or '.join(PROFILES)}")
    return found
