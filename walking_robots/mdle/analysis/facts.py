"""What all checks of one program share: its names, the robot, the settings."""

from dataclasses import dataclass, field

from walking_robots.mdle.analysis.ledger import Ledger, Site
from walking_robots.mdle.analysis.parts import calls_of, expressions_in, parts_of
from walking_robots.mdle.knowledge.names import Element, Found, Names
from walking_robots.mdle.language.ast import Expression, Guard, Program
from walking_robots.mdle.language.types import Type
from walking_robots.mdle.robot import RobotSpec

__all__ = ['Facts']


@dataclass(eq=False, slots=True)
class Facts:
    """One check.

    robot: None leaves out what depends on it; tick: period of the executor, s; profiles: of
    mdle/profiles.py; board: types of outputs by name, None where they differ; constants: types
    found so far, by identity; told_slow: the guard at which it was told that a channel is slow;
    reached: what expressions use of modules, to be checked too.
    """

    names: Names
    robot: RobotSpec | None
    ledger: Ledger
    tick: float = 0.05
    default_guard: bool = True
    profiles: frozenset[str] = frozenset()
    board: dict[str, Type | None] = field(default_factory=dict)
    constants: dict[int, Type | None] = field(default_factory=dict)
    reached: list[tuple[Found, Site]] = field(default_factory=list)
    told_slow: dict[str, Guard] = field(default_factory=dict)
    _calls: dict[int, list[Expression]] = field(default_factory=dict)
    _parts: dict[int, list[Expression]] = field(default_factory=dict)

    @property
    def program(self) -> Program:
        """The program that is checked."""
        return self.names.program

    def is_own(self, names: Names) -> bool:
        """Tell whether what these names belong to is written in the program itself."""
        return names is self.names

    def calls(self, element: Element, names: Names) -> list[Expression]:
        """Give all that an element calls or names."""
        if id(element) not in self._calls:
            self._calls[id(element)] = list(calls_of(element, self.parts(element), names))
        return self._calls[id(element)]

    def parts(self, element: Element) -> list[Expression]:
        """Give all expressions in an element, those within others too."""
        if id(element) not in self._parts:
            outermost = expressions_in(element)
            self._parts[id(element)] = [part for e in outermost for part in parts_of(e)]
        return self._parts[id(element)]

    def offers(self, names: Names, parts: tuple[str, ...]) -> list[Found]:
        """Give all that a dotted name could mean here: more than one is refused."""
        if len(parts) == 1 and parts[0] not in names.own:
            return names.imported.get(parts[0], [])
        found = names.find(*parts)
        return [found] if found else []
