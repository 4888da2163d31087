"""Write names one way, however a person writes them."""

from collections.abc import Iterable
from difflib import get_close_matches

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
