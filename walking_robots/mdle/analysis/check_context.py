"""What all checks of one program share: its names, the robot, the settings."""

from dataclasses import dataclass, field

from walking_robots.mdle.analysis.diagnostic_collector import DiagnosticCollector, DiagnosticSite
from walking_robots.mdle.analysis.references import all_expressions, names_used
from walking_robots.mdle.knowledge.names import Element, Found, Names
from walking_robots.mdle.language.ast import Expression, Guard, Program
from walking_robots.mdle.language.types import Type
from walking_robots.mdle.robot import RobotSpec


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
    _used: dict[int, list[Expression]] = field(default_factory=dict)
    _expressions: dict[int, list[Expression]] = field(default_factory=dict)

    @property
    def program(self) -> Program:
        """The program that is checked."""
        return self.names.program

    def is_own(self, names: Names) -> bool:
        """Return whether these names are those of the program itself, not of a module."""
        return names is self.names

    def used(self, element: Element, names: Names) -> list[Expression]:
        """Return all that an element calls or names."""
        if id(element) not in self._used:
            self._used[id(element)] = list(names_used(element, self.expressions(element), names))
        return self._used[id(element)]

    def expressions(self, element: Element) -> list[Expression]:
        """Return all expressions in an element, those within others too."""
        if id(element) not in self._expressions:
            self._expressions[id(element)] = list(all_expressions(element))
        return self._expressions[id(element)]
