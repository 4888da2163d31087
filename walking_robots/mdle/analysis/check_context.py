"""What all checks of one program share: its names, the robot, the settings, the diagnostics."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from difflib import get_close_matches
from typing import Any, Literal

from walking_robots.mdle.analysis.references import all_expressions, outputs_of
from walking_robots.mdle.knowledge.names import Element, Found, Names, spelled
from walking_robots.mdle.language.ast import Call, Expression, Guard, Place, Program
from walking_robots.mdle.language.diagnostics import MOST_DIAGNOSTICS, Diagnostic
from walking_robots.mdle.language.types import Type
from walking_robots.mdle.robot import RobotSpec

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
    """Diagnostics of one check: of modules at the call that reaches them."""

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


@dataclass(eq=False, slots=True)
class CheckContext:
    """One check.

    robot: None leaves out the checks that depend on it; tick: period of the executor, s; board:
    types of outputs by name, None where they differ; constants: types found so far, by identity;
    reached: elements of modules that expressions use, still to be checked; slow_channels: with
    the first guard that reads each.
    """

    names: Names
    robot: RobotSpec | None
    collector: DiagnosticCollector
    tick: float = 0.05
    default_guard: bool = True
    board: dict[str, Type | None] = field(default_factory=dict)
    constants: dict[int, Type | None] = field(default_factory=dict)
    reached: list[tuple[Found, DiagnosticSite]] = field(default_factory=list)
    slow_channels: dict[str, Guard] = field(default_factory=dict)
    _expressions: dict[int, list[Expression]] = field(default_factory=dict)

    @property
    def program(self) -> Program:
        """The program that is checked."""
        return self.names.program

    def is_own(self, names: Names) -> bool:
        """Return whether these names are those of the program itself, not of a module."""
        return names is self.names

    def used(self, element: Any, names: Names) -> Iterator[Expression]:
        """Return all that an element calls or names, but for its own parameters and outputs."""
        own = {item.name for item in getattr(element, 'parameters', ())}
        own |= {name for name, _ in outputs_of(getattr(element, 'steps', ()), names)}
        for part in self.expressions(element):
            name = spelled(part)
            if name and (len(name) > 1 or name[0] not in own or isinstance(part, Call)):
                yield part

    def expressions(self, element: Element) -> list[Expression]:
        """Return all expressions in an element, those within others too."""
        if id(element) not in self._expressions:
            self._expressions[id(element)] = list(all_expressions(element))
        return self._expressions[id(element)]


def figure(value: float, unit: str = '') -> str:
    """Return a number as a person would write it: 0.423 m."""
    text = f'{value:.4g}'
    return f'{text} {unit}' if unit and unit != 'num' else text


def located(place: Place) -> str:
    """Return a place in words: line 3, column 5."""
    return f'line {place.line}, column {place.column}'
