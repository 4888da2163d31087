"""The static checker: all that can be known to be wrong before a program runs (mdle.md §7)."""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import reduce
from types import MappingProxyType

from walking_robots.mdle.analysis import ending_checks, guard_checks, motion_checks
from walking_robots.mdle.analysis.check_context import (
    CheckContext,
    DiagnosticCollector,
    DiagnosticSite,
)
from walking_robots.mdle.analysis.control_flow import FlowNode
from walking_robots.mdle.analysis.element_checks import check_element, types_of_outputs
from walking_robots.mdle.analysis.expander import Expander
from walking_robots.mdle.analysis.name_checks import (
    check_assignment,
    check_board,
    check_doubles,
    check_emissions,
    check_imports,
    check_recursion,
    hands_on,
    written_anywhere,
)
from walking_robots.mdle.analysis.program_node import ScopedGuard
from walking_robots.mdle.analysis.report import Bound, Report, measure
from walking_robots.mdle.analysis.visits import Visit, checks_of, visits
from walking_robots.mdle.knowledge.elements import PythonAtom
from walking_robots.mdle.knowledge.names import Element, Found, Library, Names
from walking_robots.mdle.language import ast
from walking_robots.mdle.language.diagnostics import Diagnostic
from walking_robots.mdle.language.limits import excess
from walking_robots.mdle.language.types import Type, type_named
from walking_robots.mdle.robot import RobotSpec

Runnable = ast.Atom | ast.Encapsulation
NO_ARGUMENTS: Mapping[str, ast.Expression] = MappingProxyType({})
START = ast.Place(1, 1)
"""The place of what concerns the whole file."""

CHECKS = (ending_checks, guard_checks, motion_checks)
"""The modules that register checks of what runs."""


def check(
    program: ast.Program,
    library: Library,
    robot: RobotSpec | None = None,
    entry: str = '',
    *,
    tick: float = 0.05,
    convention: str = 'ros',
    default_guard: bool = True,
    arguments: Mapping[str, ast.Expression] = NO_ARGUMENTS,
) -> Report:
    """Check a program against a library, and against a robot where one is given.

    entry: what is to run, empty for the last plan, else the last behavior, else the last atom;
    tick: period of the executor, s; convention: of the kinematics, 'ros' or 'report';
    default_guard: whether the executor ends the entry at a contact (mdle.md §4.7); arguments: of
    the entry, by name, instead of its defaults; `check_order` checks whether they fit. Never
    raises for a program, however wrong.
    """
    large = excess(program)
    if large:
        return Report((large,))
    names = Names(program, library)
    context = CheckContext(names, robot, DiagnosticCollector(), tick, default_guard)
    return _ProgramCheck(context, convention, arguments).report(entry)


class _ProgramCheck:
    """One check, from the outside to the inside."""

    def __init__(
        self, context: CheckContext, convention: str, arguments: Mapping[str, ast.Expression]
    ) -> None:
        self.context = context
        self.convention = convention
        self.arguments = tuple(ast.Argument(value, name) for name, value in arguments.items())
        self.expander = Expander(context)
        self.seen: set[tuple[object, ...]] = set()
        self.visited: set[int] = set()
        self.checked: set[int] = set()
        self.written: set[str] | None = None
        self.entry: Found | None = None

    def report(self, wanted: str) -> Report:
        """Run all checks."""
        context, program = self.context, self.context.program
        context.board = types_of_board(program, context.names)
        self.written = written_anywhere(_programs(context.names), context)
        check_doubles(context)
        check_imports(context)
        check_recursion(context)
        for declared in program.declarations():
            self._check_once(declared, context.names, DiagnosticSite(declared.name))
        entry = self.entry = self._find_entry(wanted)
        name = wanted or (entry.element.name if entry else '')
        for root in self._roots():
            outside = None if context.is_own(root.names) else START
            site = DiagnosticSite(name if root is entry else root.element.name, outside)
            # A file of atoms is a library, unless one is named.
            whole = bool(wanted or isinstance(root.element, ast.Encapsulation))
            self._run(root, root is entry and whole, site)
            if root is entry:
                self._check_convention(site, getattr(root.element, 'place', START))
        elements: list[Runnable] = [*program.atoms, *program.behaviors, *program.plans]
        bounds = {e.name: self._bound(Found(e, context.names)) for e in elements}
        diagnostics = context.collector.diagnostics()
        if entry is None:
            return Report(diagnostics, '', bounds)
        bounds[name] = self._bound(entry)
        node = self._expanded(entry)
        measures, tidying = measure(node, bounds[name]), node.tidying
        return Report(diagnostics, name, bounds, measures, tidying)

    def _expanded(self, root: Found) -> FlowNode:
        return self.expander.entry(root, self.arguments if root is self.entry else ())

    def _bound(self, root: Found) -> Bound:
        return self._expanded(root).entry_bound

    def _find_entry(self, name: str) -> Found | None:
        """Return the element of a name; without one the last plan, behavior or atom.

        Reports where there is none of that name (E201).
        """
        program, names = self.context.program, self.context.names
        if not name:
            kinds = (program.plans, program.behaviors, program.atoms)
            return next((Found(kind[-1], names) for kind in kinds if kind), None)
        found, collector = names.find(*name.split('.')), self.context.collector
        if found and isinstance(found.element, ast.Atom | ast.Encapsulation | PythonAtom):
            return found
        text = f"'{name}' is not defined{collector.suggestion(name, names.all_names())}"
        if found:
            text = f"'{name}' is no atom, behavior or plan"
        hint = 'name an atom, behavior or plan as entry'
        collector.add(DiagnosticSite(), 'E201', START, text, hint)
        return None

    def _check_convention(self, site: DiagnosticSite, place: ast.Place) -> None:
        """Report the convention of the report on a real robot: it turns the wrong way (E404)."""
        robot = self.context.robot
        if robot and robot.real and self.convention == 'report':
            text = f"kinematics convention 'report' with the real robot '{robot.name}'"
            hint = "use the convention 'ros': with the other one it turns the wrong way"
            self.context.collector.add(site, 'E404', place, text, hint)

    def _check_once(self, element: Element, names: Names, site: DiagnosticSite) -> None:
        """Check what is written in an element, of modules too once something reaches it."""
        waiting = self.context.reached
        waiting.append((Found(element, names), site))
        while waiting:
            found, site = waiting.pop()
            if id(found.element) in self.checked:
                continue
            self.checked.add(id(found.element))
            check_element(found.element, self.context, found.names, site)
            if isinstance(found.element, ast.Atom):
                check_emissions(found.element, self.context, site)
            if hands_on(found.element, found.names):
                node = self.expander.generic(found)
                if node.kind != 'unknown':
                    check_assignment(node, site)
            if self.written is not None:
                check_board(found.element, self.written, self.context, site)

    def _roots(self) -> Iterator[Found]:
        """Yield the entry, then what no other element runs, then what is left over."""
        program, names, entry = self.context.program, self.context.names, self.entry
        if entry:
            yield entry
        elements: list[Runnable] = [*program.plans, *program.behaviors, *program.atoms]
        called = set()
        for element in elements:
            found = (names.called(call) for call in self.context.used(element, names))
            called |= {id(f.element) for f in found if f and f.element is not element}
        for element in elements:
            if id(element) not in called and not (entry and element is entry.element):
                yield Found(element, names)
        for element in elements:
            if id(element) not in self.visited:
                yield Found(element, names)

    def _run(self, root: Found, whole: bool, site: DiagnosticSite) -> None:
        """Check an element and all that it runs."""
        node = self._expanded(root)
        # What is neither the entry nor a plan may be run by others, with guards of theirs.
        whole = whole or getattr(root.element, 'kind', '') == 'plan'
        guard = self._contact_guard(node) if whole else None
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
            self.visited.add(id(inner.node.source))
            self._check_visit(inner)

    def _contact_guard(self, root: FlowNode) -> ScopedGuard | None:
        """Return the guard of the executor on contact (mdle.md §4.7), None where there is none.

        It stands back while an element within watches contact itself, so it hides no other guard.
        """
        robot = self.context.robot
        if not self.context.default_guard or robot is None or robot.contact not in robot.outputs:
            return None
        channels: ast.Expression = ast.Name('y')
        condition = reduce(ast.Member, robot.contact.split('.'), channels)
        guard = ast.Guard(condition, ast.Action('fail', 'contact'))
        return ScopedGuard(guard, root.scope, True, default=True)

    def _check_visit(self, visit: Visit) -> None:
        collector, node = self.context.collector, visit.node
        if not node.own and node.kind in ('atom', 'encapsulation', 'external'):
            self._check_once(node.source, node.scope.names, visit.site)
        for code, visit_check in checks_of(visit):
            for place, text, hint, site in visit_check(visit):
                collector.add(site or visit.site, code, place, text, hint)


def check_order(
    program: ast.Program,
    library: Library,
    robot: RobotSpec | None,
    entry: str,
    arguments: Mapping[str, ast.Expression],
) -> list[Diagnostic]:
    """Return what is wrong with the arguments of an entry: names, types, units, missing ones.

    Nothing has a place, since arguments stand in no file. `check` reports an unknown entry.
    """
    names = Names(program, library)
    if names.find(entry) is None:
        return []

    def found(given: Mapping[str, ast.Expression]) -> list[Diagnostic]:
        """Check a plan that would run the entry with these arguments, and nothing else."""
        listed = tuple(ast.Argument(value, name) for name, value in given.items())
        order = ast.Encapsulation('plan', entry, (ast.Run(ast.Call(ast.Name(entry), listed)),))
        context = CheckContext(names, robot, DiagnosticCollector())
        check_element(order, context, names, DiagnosticSite(entry))
        return [d for d in context.collector.diagnostics() if d.severity == 'error']

    wrong = [d for d in found(arguments) if d.code == 'E301']
    for name, value in arguments.items():
        each = (d for d in found({name: value}) if d.code != 'E301')
        wrong += [replace(d, text=f'argument {name}: {d.text}') for d in each]
    return [replace(d, place=ast.NOWHERE) for d in wrong]


def _programs(names: Names) -> list[tuple[ast.Program, Names]]:
    """Return the program and the modules that it imports, and those that they import."""
    waiting, seen = [names], {}
    while waiting:
        here = waiting.pop()
        if id(here.program) not in seen:
            seen[id(here.program)] = (here.program, here)
            waiting += here.aliases.values()
    return list(seen.values())


def types_of_board(program: ast.Program, names: Names) -> dict[str, Type | None]:
    """Return the type of each output of a program; None where it has more than one."""
    found: dict[str, set[Type | None]] = {}
    for atom in program.atoms:
        for output in atom.outputs:
            found.setdefault(output.name, set()).add(type_named(output.type))
    for element in (*program.behaviors, *program.plans):
        for name, given in types_of_outputs(element.steps, names).items():
            found.setdefault(name, set()).add(given)
    return {name: next(iter(types)) if len(types) == 1 else None for name, types in found.items()}
