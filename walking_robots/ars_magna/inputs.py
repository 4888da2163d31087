"""Read names and numbers that people and programs give, however they write them."""

from collections.abc import Iterable, Mapping
from difflib import get_close_matches
from numbers import Integral, Real
from typing import TypeVar

Found = TypeVar('Found')
_MOST_NAMED = 20


def normal_name(text: str) -> str:
    """Return a name in lower case, with ``_`` for ``-`` and no leading ``:``.

    The manual's names do not distinguish cases, and begin with a colon where they stand for
    themselves (ars_magna.md, evidence marks).
    """
    return text.strip().removeprefix(':').lower().replace('-', '_')


def suggestion(name: str, known: Iterable[str]) -> str:
    """Return the end of a sentence about an unknown name: what was meant, or what there is."""
    names = sorted(known)
    near = get_close_matches(name[:40], names, 1, 0.6 if len(names) <= _MOST_NAMED else 0.0)
    if near:
        return f"did you mean '{near[0]}'?"
    return f'use one of {", ".join(names)}' if names else 'there are none'


def named(kind: str, name: str, known: Mapping[str, Found]) -> Found:
    """Return what has a name; raise ValueError with one sentence where nothing has it."""
    if name not in known:
        raise ValueError(f"there is no {kind} '{name:.40}'; {suggestion(name, known)}")
    return known[name]


_LARGEST = 1.0e300


def finite(value: object) -> float | None:
    """Return a finite number as a float, None for anything else; a truth is no number."""
    if type(value) is not float and (isinstance(value, bool) or not isinstance(value, Real)):
        return None
    try:
        number = float(value)
    except OverflowError:
        return None
    return number if abs(number) < _LARGEST else None


def whole(value: object) -> int | None:
    """Return a whole number as an int, None for anything else; a truth is no number."""
    if isinstance(value, bool):
        return None
    return int(value) if isinstance(value, Integral) else None


def shown(value: object) -> str:
    """Return a short form of what somebody gave, for a sentence about it."""
    if isinstance(value, int) and not isinstance(value, bool) and finite(value) is None:
        return 'one of 300 digits or more'
    try:
        return f'{value!r:.40}'
    except ValueError:
        # Python writes no whole number of more than some thousand digits.
        return 'what holds a number of thousands of digits'
