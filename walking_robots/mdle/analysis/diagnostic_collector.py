"""Collect diagnostics: each once, those of modules at the call that reaches them."""

from collections.abc import Iterable
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Literal

from walking_robots.mdle.language.ast import Place
from walking_robots.mdle.language.diagnostics import MOST_DIAGNOSTICS, Diagnostic

SEVERITIES: dict[str, Literal['error', 'warning']] = {'E': 'error', 'W': 'warning'}
RANKS = ('error', 'warning', 'information')


@dataclass(frozen=True, slots=True)
class DiagnosticSite:
    """The element that is checked.

    element: its dotted path; outside: the call in the program that reaches it, where it is
    written in a module and has no place in the program's file.
    """

    element: str = ''
    outside: Place | None = None

    def below(self, name: str, outside: Place | None = None) -> 'DiagnosticSite':
        """Return the site of an element inside; the first call into a module is kept."""
        path = f'{self.element}.{name}' if self.element and name else self.element or name
        return DiagnosticSite(path, self.outside or outside)


class DiagnosticCollector:
    """Diagnostics of one check."""

    def __init__(self) -> None:
        self._found: dict[tuple[Place, str], Diagnostic] = {}

    def add(
        self,
        site: DiagnosticSite,
        code: str,
        place: Place,
        text: str,
        hint: str = '',
        *,
        information: bool = False,
    ) -> None:
        """Add a diagnostic; of all of a code at a place the first is kept."""
        where = site.outside or place
        severity = 'information' if information else SEVERITIES[code[0]]
        found = Diagnostic(where, code, text, site.element, hint, severity)
        self._found.setdefault((where, code), found)

    def diagnostics(self) -> tuple[Diagnostic, ...]:
        """Return the diagnostics by place; of too many the errors first."""
        found = sorted(self._found.values(), key=lambda d: (RANKS.index(d.severity), d))
        return tuple(sorted(found[:MOST_DIAGNOSTICS]))

    def suggestion(self, name: str, known: Iterable[str]) -> str:
        """Return up to three names similar to one, as the end of a sentence, else ''."""
        if len(self._found) >= MOST_DIAGNOSTICS:
            return ''
        close = get_close_matches(name, sorted(set(known)), n=3, cutoff=0.6)
        return f'; nearest: {", ".join(close)}' if close else ''


def figure(value: float, unit: str = '') -> str:
    """Return a number as a person would write it: 0.423 m."""
    text = f'{value:.4g}'
    return f'{text} {unit}' if unit and unit != 'num' else text


def located(place: Place) -> str:
    """Return a place in words: line 3, column 5."""
    return f'line {place.line}, column {place.column}'
