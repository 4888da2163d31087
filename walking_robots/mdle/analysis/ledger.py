"""Where diagnostics are gathered: each once, those of modules at the call that reaches them."""

from collections.abc import Iterable
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Literal

from walking_robots.mdle.language.ast import Place
from walking_robots.mdle.language.diagnostics import MOST_DIAGNOSTICS, Diagnostic

__all__ = ['Ledger', 'Site', 'nearest']

SEVERITIES: dict[str, Literal['error', 'warning']] = {'E': 'error', 'W': 'warning'}
RANKS = ('error', 'warning', 'information')


@dataclass(frozen=True, slots=True)
class Site:
    """Which element is looked at.

    element: its dotted path; outside: the call in the program that reaches it, where it is
    written in a module and has no place in the program's file.
    """

    element: str = ''
    outside: Place | None = None

    def below(self, name: str, outside: Place | None = None) -> 'Site':
        """Give the site of an element inside; the first call into a module is kept."""
        path = f'{self.element}.{name}' if self.element and name else self.element or name
        return Site(path, self.outside or outside)


class Ledger:
    """Diagnostics of one check."""

    def __init__(self) -> None:
        """Begin empty."""
        self._found: dict[tuple[Place, str, str], Diagnostic] = {}

    @property
    def full(self) -> bool:
        """Tell whether more than can be shown was found, so that hints may be spared."""
        return len(self._found) >= MOST_DIAGNOSTICS

    def add(
        self,
        site: Site,
        code: str,
        place: Place,
        text: str,
        hint: str = '',
        *,
        once: bool = False,
        information: bool = False,
    ) -> None:
        """Keep a diagnostic; ``once``: whatever its text, the first at a place stands."""
        where = site.outside or place
        severity = 'information' if information else SEVERITIES[code[0]]
        key = (where, code, '' if once else text)
        if key not in self._found:
            self._found[key] = Diagnostic(where, code, text, site.element, hint, severity)

    def diagnostics(self) -> tuple[Diagnostic, ...]:
        """Give them by place; of too many the errors first."""
        found = sorted(self._found.values(), key=lambda d: (RANKS.index(d.severity), d))
        kept = found[:MOST_DIAGNOSTICS]
        return tuple(sorted(kept))


def nearest(name: str, known: Iterable[str], ledger: Ledger) -> str:
    """Give up to three names like one, as the end of a sentence; nothing when none is near."""
    if ledger.full:
        return ''
    close = get_close_matches(name, sorted(set(known)), n=3, cutoff=0.6)
    return f'; nearest: {", ".join(close)}' if close else ''
