"""The static checker: all that can be known to be wrong before a program runs (mdle.md §7)."""

from collections.abc import Iterable, Iterator, Mapping
from types import MappingProxyType

from walking_robots.mdle.analysis.assignment import (
    check_assignment,
    check_board,
    written_anywhere,
)
from walking_robots.mdle.analysis.bodies import check_element, types_of_outputs
from walking_robots.mdle.analysis.bounds import Bounds
from walking_robots.mdle.analysis.contact import StoppingDistances, check_contact
from walking_robots.mdle.analysis.courses import Courses
from walking_robots.mdle.analysis.declarations import check_declarations
from walking_robots.mdle.analysis.endings import check_endings
from walking_robots.mdle.analysis.entry import (
    START,
    check_convention,
    default_guard,
    find_entry,
)
from walking_robots.mdle.analysis.facts import Facts
from walking_robots.mdle.analysis.guards import check_guards
from walking_robots.mdle.analysis.handlers import Causes, check_handlers
from walking_robots.mdle.analysis.ledger import Ledger, Site
from walking_robots.mdle.analysis.measures import measure
from walking_robots.mdle.analysis.report import Bound, Report
from walking_robots.mdle.analysis.reversal import check_reversal
from walking_robots.mdle.analysis.spaces import check_spaces
from walking_robots.mdle.analysis.strict import check_strict, check_strict_entry
from walking_robots.mdle.analysis.tree import Tree
from walking_robots.mdle.analysis.visits import Visit, visits
from walking_robots.mdle.knowledge.names import Element, Found, Library, Names
from walking_robots.mdle.language.ast import Argument, Atom, Encapsulation, Expression, Program
from walking_robots.mdle.language.limits import excess
from walking_robots.mdle.language.types import Type, type_named
from walking_robots.mdle.profiles import known_profiles
from walking_robots.mdle.robot import RobotSpec

__all__ = ['NO_ARGUMENTS', 'check', 'types_of_board']

Runnable = Atom | Encapsulation
NO_ARGUMENTS: Mapping[str, Expression] = MappingProxyType({})


def check(
    program: Program,
    library: Library,
    robot: RobotSpec | None = None,
    entry: str = '',
    *,
    tick: float = 0.05,
    convention: str = 'ros',
    default_guard: bool = True,
    profiles: Iterable[str] = (),
    arguments: Mapping[str, Expression] = NO_ARGUMENTS,
) -> Report:
    """Check a program against a library, and against a robot where one is given.

    entry: what is to run, empty for the last plan, else the last behavior, else the last atom;
    tick: period of the executor, s; convention: of the kinematics, 'ros' or 'report';
    default_guard: whether the executor ends the entry at a contact (mdle.md §4.7); profiles: of
    mdle/profiles.py, ValueError for another; arguments: of the entry, by name, instead of its
    defaults; whether they fit is for ``check_order`` to tell. Never raises for a program, however
    wrong.
    """
    large = excess(program)
    if large:
        return Report((large,))
    held_to = known_profiles(profiles)
    facts = Facts(Names(program, library), robot, Ledger(), tick, default_guard, held_to)
    return _Check(facts, convention, arguments).report(entry)


class _Check:
    """One check, from the outside to the inside."""

    def __init__(self, facts: Facts, convention: str, arguments: Mapping[str, Expression]) -> None:
        self.facts = facts
        self.convention = convention
        self.arguments = tuple(Argument(value, name) for name, value in arguments.items())
        self.tree, self.bounds = Tree(facts), Bounds(facts)
        self.courses, self.causes = Courses(), Causes()
        self.stopping = StoppingDistances(facts)
        self.seen: set[tuple[object, ...]] = set()
        self.checked: set[int] = set()
        self.written: set[str] | None = None
        self.entry: Found | None = None

    def report(self, wanted: str) -> Report:
        """Do all of it."""
        facts, program = self.facts, self.facts.program
        facts.board = types_of_board(program, facts.names)
        self.written = written_anywhere(_programs(facts.names), facts)
        check_declarations(facts)
        for declared in program.declarations():
            self._check_once(declared, facts.names, Site(declared.name))
        entry = self.entry = find_entry(wanted, facts)
        name = wanted or (entry.element.name if entry else '')
        for root in self._roots(entry):
            is_entry = root is entry
            outside = None if facts.is_own(root.names) else START
            site = Site(name if is_entry else root.element.name, outside)
            # A file of atoms is a library, unless one is named.
            whole = is_entry and bool(wanted or isinstance(root.element, Encapsulation))
            self._run(root, whole, site)
            if is_entry:
                place = getattr(root.element, 'place', START)
                check_convention(self.convention, site, place, facts)
                check_strict_entry(root, facts, site)
        self.stopping.tell()
        elements: list[Runnable] = [*program.atoms, *program.behaviors, *program.plans]
        bounds = {e.name: self._bound(Found(e, facts.names)) for e in elements}
        if entry is None:
            return Report(facts.ledger.diagnostics(), '', bounds)
        node = self.tree.of(entry, self.arguments)
        bounds[name] = self.bounds.of(node)
        tidying, measures = self.bounds.tidying(node), measure(node, bounds[name])
        return Report(facts.ledger.diagnostics(), name, bounds, measures, tidying)

    def _bound(self, found: Found) -> Bound:
        return self.bounds.of(self.tree.of(found))

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
            check_strict(element, self.facts, names, site)
            if isinstance(element, Atom | Encapsulation):
                check_assignment(element, self.facts, names, site)
            if self.written is not None:
                check_board(element, self.written, self.facts, site)

    def _roots(self, entry: Found | None) -> Iterator[Found]:
        """Give the entry, then what no other element runs, then what is left over."""
        program, names = self.facts.program, self.facts.names
        if entry:
            yield entry
        elements: list[Runnable] = [*program.plans, *program.behaviors, *program.atoms]
        called = self.tree.called_by(elements)
        for element in elements:
            if id(element) not in called and not (entry and element is entry.element):
                yield Found(element, names)
        for element in elements:
            if id(element) not in self.tree.unfolded:
                yield Found(element, names)

    def _run(self, root: Found, whole: bool, site: Site) -> None:
        """Look at an element and all that it runs."""
        arguments = self.arguments if root is self.entry else ()
        node, element = self.tree.of(root, arguments), root.element
        # What is neither the entry nor a plan may be run by others, with guards of theirs.
        whole = whole or getattr(element, 'kind', '') == 'plan'
        guard = default_guard(node, self.facts) if whole else None
        visit = Visit(
            node,
            site,
            node.place,
            (guard,) if guard else (),
            bounded=not whole,
            top=whole,
            excused=not whole,
        )
        for inner in visits(visit, self.seen):
            self._look(inner)

    def _look(self, visit: Visit) -> None:
        facts, node = self.facts, visit.node
        if not node.own and node.kind in ('atom', 'encapsulation', 'external'):
            self._check_once(node.source, node.scope.names, visit.site)
        if node.kind == 'unknown' and node.source and not node.own:
            text = f"'{node.source.name}' calls itself; use loop"
            facts.ledger.add(visit.site, 'E205', node.place, text, 'an element cannot run itself')
        check_guards(visit, facts, self.bounds)
        check_spaces(visit, facts)
        check_endings(visit, facts, self.courses)
        check_reversal(visit, facts)
        check_handlers(visit, facts, self.causes)
        check_contact(visit, facts)
        self.stopping.see(visit)


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


def types_of_board(program: Program, names: Names) -> dict[str, Type | None]:
    """Give the type of each output of a program; None where it has more than one."""
    found: dict[str, set[Type | None]] = {}
    for atom in program.atoms:
        for output in atom.outputs:
            found.setdefault(output.name, set()).add(type_named(output.type))
    for element in (*program.behaviors, *program.plans):
        for name, given in types_of_outputs(element.steps, names).items():
            found.setdefault(name, set()).add(given)
    return {name: next(iter(types)) if len(types) == 1 else None for name, types in found.items()}
