"""The static checker: all that can be known to be wrong before a program runs (mdle.md §7)."""

from collections.abc import Iterator

from walking_robots.mdle.checking.assignment import (
    check_assignment,
    check_board,
    written_anywhere,
)
from walking_robots.mdle.checking.bodies import check_element, types_of_outputs
from walking_robots.mdle.checking.bounds import Bounds
from walking_robots.mdle.checking.contact import StoppingDistances, check_contact, is_contact
from walking_robots.mdle.checking.courses import Courses
from walking_robots.mdle.checking.declarations import check_declarations
from walking_robots.mdle.checking.endings import check_endings
from walking_robots.mdle.checking.facts import Facts
from walking_robots.mdle.checking.guards import check_guards
from walking_robots.mdle.checking.handlers import Causes, check_handlers
from walking_robots.mdle.checking.ledger import Ledger, Site, nearest
from walking_robots.mdle.checking.measures import measure
from walking_robots.mdle.checking.nodes import Node, Watch
from walking_robots.mdle.checking.report import Report
from walking_robots.mdle.checking.reversal import check_reversal
from walking_robots.mdle.checking.spaces import check_spaces
from walking_robots.mdle.checking.tree import Tree
from walking_robots.mdle.checking.visits import Visit, visits
from walking_robots.mdle.knowledge.names import Element, Found, Library, Names
from walking_robots.mdle.language.expressions import Expression, Member, Name, Place
from walking_robots.mdle.language.limits import excess
from walking_robots.mdle.language.program import Action, Atom, Encapsulation, Guard, Program
from walking_robots.mdle.language.types import Type, type_named
from walking_robots.mdle.robot import RobotSpec

__all__ = ['check']

Runnable = Atom | Encapsulation


def check(
    program: Program,
    library: Library,
    robot: RobotSpec | None = None,
    entry: str = '',
    *,
    tick: float = 0.05,
    convention: str = 'ros',
    default_guard: bool = True,
) -> Report:
    """Check a program against a library, and against a robot where one is given.

    entry: what is to run, empty for the last plan, or the last behavior where there is none;
    tick: period of the executor, s; convention: of the kinematics, 'ros' or 'report';
    default_guard: whether the executor ends the entry at a contact (mdle.md §4.7). Never raises
    for a program, however wrong.
    """
    large = excess(program)
    if large:
        return Report((large,))
    facts = Facts(Names(program, library), robot, Ledger(), tick)
    return _Check(facts, convention, default_guard).report(entry)


class _Check:
    """One check, from the outside to the inside."""

    def __init__(self, facts: Facts, convention: str, default_guard: bool) -> None:
        self.facts = facts
        self.convention, self.default_guard = convention, default_guard
        self.tree, self.bounds = Tree(facts), Bounds(facts)
        self.courses, self.causes = Courses(), Causes()
        self.stopping = StoppingDistances(facts)
        self.seen: set[tuple[object, ...]] = set()
        self.checked: set[int] = set()
        self.written: set[str] | None = None

    def report(self, wanted: str) -> Report:
        """Do all of it."""
        facts, program = self.facts, self.facts.program
        facts.board = _types_of_board(program, facts.names)
        self.written = written_anywhere(_programs(facts.names), facts)
        check_declarations(facts)
        for declared in program.declarations():
            self._check_once(declared, facts.names, Site(declared.name))
        entry = self._entry(wanted)
        for root in self._roots(entry):
            self._run(root, is_entry=root is entry)
        self.stopping.tell()
        elements: list[Runnable] = [*program.atoms, *program.behaviors, *program.plans]
        bounds = {e.name: self.bounds.of(self.tree.of(e)) for e in elements}
        measures = None
        if entry:
            bounds[entry.name] = self.bounds.of(self.tree.of(entry))
            measures = measure(self.tree.of(entry), bounds[entry.name])
        name = entry.name if entry else ''
        return Report(facts.ledger.diagnostics(), name, bounds, measures)

    def _check_once(self, element: Element, names: Names, site: Site) -> None:
        """Check what is written in an element, of modules too once something reaches it."""
        waiting = self.facts.reached
        waiting.append((Found(element, names), site))
        while waiting:
            (element, names), site = waiting.pop()
            if id(element) in self.checked:
                continue
            self.checked.add(id(element))
            check_element(element, self.facts, names, site)
            if isinstance(element, Atom | Encapsulation):
                check_assignment(element, self.facts, names, site)
            if self.written is not None:
                check_board(element, self.written, self.facts, site)

    def _entry(self, wanted: str) -> Runnable | None:
        program, facts = self.facts.program, self.facts
        elements: list[Runnable] = [*program.atoms, *program.behaviors, *program.plans]
        entry: Runnable | None = None
        if wanted:
            entry = next((e for e in elements if e.name == wanted), None)
            if entry is None:
                known = [e.name for e in elements]
                text = f"'{wanted}' is not defined{nearest(wanted, known, facts.ledger)}"
                hint = 'name an atom, behavior or plan of the file as entry'
                facts.ledger.add(Site(), 'E201', Place(1, 1), text, hint)
        elif program.plans or program.behaviors:
            entry = (program.plans or program.behaviors)[-1]
        robot = facts.robot
        if entry and robot and robot.real and self.convention == 'report':
            text = f"kinematics convention 'report' with the real robot '{robot.name}'"
            hint = "use the convention 'ros': with the other one it turns the wrong way"
            facts.ledger.add(Site(entry.name), 'E404', entry.place, text, hint)
        return entry

    def _roots(self, entry: Runnable | None) -> Iterator[Runnable]:
        """Give the entry, then what no other element runs, then what is left over."""
        program = self.facts.program
        if entry:
            yield entry
        elements: list[Runnable] = [*program.plans, *program.behaviors, *program.atoms]
        called = self.tree.called_by(elements)
        for element in elements:
            if element is not entry and id(element) not in called:
                yield element
        for element in elements:
            if id(element) not in self.tree.unfolded:
                yield element

    def _run(self, element: Runnable, is_entry: bool) -> None:
        """Look at an element and all that it runs."""
        node = self.tree.of(element)
        # What is neither the entry nor a plan is run by others, with guards and timers of theirs.
        whole = is_entry or (isinstance(element, Encapsulation) and element.kind == 'plan')
        guard = self._default_guard(node) if whole else None
        root = Visit(
            node,
            Site(element.name),
            element.place,
            (guard,) if guard else (),
            bounded=not whole,
            top=whole,
            excused=not whole,
        )
        for visit in visits(root, self.seen):
            self._look(visit)

    def _look(self, visit: Visit) -> None:
        facts, node = self.facts, visit.node
        if not node.own and node.kind in ('atom', 'encapsulation', 'external'):
            self._check_once(node.source, node.scope.names, visit.site)
        check_guards(visit, facts, self.bounds)
        check_spaces(visit, facts)
        check_endings(visit, facts, self.courses)
        check_reversal(visit, facts)
        check_handlers(visit, facts, self.causes)
        check_contact(visit, facts)
        self.stopping.see(visit)

    def _default_guard(self, root: Node) -> Watch | None:
        """Give the guard of the executor, where the element has nothing about contact itself."""
        robot = self.facts.robot
        if not self.default_guard or robot is None or robot.contact not in robot.outputs:
            return None
        if any(is_contact(name, robot) for watch in root.watches for name in watch.reads):
            return None
        if any(
            'contact' in handler.cause.name for handler in getattr(root.source, 'handlers', ())
        ):
            return None
        condition: Expression = Name('y')
        for part in robot.contact.split('.'):
            condition = Member(condition, part)
        return Watch(Guard(condition, Action('fail', 'contact')), root.scope, True, default=True)


def _programs(names: Names) -> Iterator[tuple[Program, Names]]:
    """Give the program and the modules that it imports, and those that they import."""
    waiting, seen = [names], set[int]()
    while waiting:
        here = waiting.pop()
        if id(here.program) in seen:
            continue
        seen.add(id(here.program))
        yield here.program, here
        waiting += here.aliases.values()


def _types_of_board(program: Program, names: Names) -> dict[str, Type | None]:
    """Give the type of each output of a program; None where it has more than one."""
    found: dict[str, set[Type | None]] = {}
    for atom in program.atoms:
        for output in atom.outputs:
            found.setdefault(output.name, set()).add(type_named(output.type))
    for element in (*program.behaviors, *program.plans):
        for name, given in types_of_outputs(element.steps, names).items():
            found.setdefault(name, set()).add(given)
    return {name: next(iter(types)) if len(types) == 1 else None for name, types in found.items()}
