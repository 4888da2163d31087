"""Names: declared twice, calling themselves, not imported, read before they are written.

E203-E206, and E405 of names.
"""

from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from graphlib import CycleError, TopologicalSorter
from typing import TypeVar

from walking_robots.mdle.analysis.check_context import CheckContext, DiagnosticSite, located
from walking_robots.mdle.analysis.control_flow import (
    NO_NAMES,
    FlowNode,
    last_action,
    passes,
)
from walking_robots.mdle.analysis.references import all_expressions, outputs_of
from walking_robots.mdle.knowledge.names import Element, Names, spelled
from walking_robots.mdle.language import ast
from walking_robots.mdle.language.ast import Declaration, Place
from walking_robots.mdle.language.diagnostics import MOST_DIAGNOSTICS

GIVEN = {
    'y': 'the channels of the robot',
    'y0': 'the channels at entry',
    'bb': 'the blackboard',
    't': 'the time since entry',
}
"""Names that mean something without being declared."""

Key = TypeVar('Key', bound=Hashable)
Written = frozenset[str]


def check_given(name: str, place: Place, site: DiagnosticSite, context: CheckContext) -> None:
    """Report a name that would hide one that is defined without being declared (E203)."""
    if name in GIVEN:
        text = f"'{name}' already defined: {GIVEN[name]}"
        context.collector.add(site, 'E203', place, text, 'give it another name')


def check_doubles(context: CheckContext) -> None:
    """Report names that are declared twice (E203)."""
    hint = 'give one of them another name'
    # A second declaration is the one that stands later, whatever its kind.
    declarations = sorted(context.program.declarations(), key=lambda d: d.place)
    _report_doubles([(d.name, d.place, d.name) for d in declarations], hint, context)
    for declared in declarations:
        check_given(declared.name, declared.place, DiagnosticSite(declared.name), context)
        _report_shadowed(declared, context)
        for listed in ('parameters', 'outputs'):
            named = [(p.name, p.place, declared.name) for p in getattr(declared, listed, ())]
            _report_doubles(named, hint, context)
    aliases = [(i.alias or i.path[-1], i.place, '') for i in context.program.imports]
    for alias, place, _ in aliases:
        check_given(alias, place, DiagnosticSite(), context)
    _report_doubles(aliases, "give one of the imports another name with 'as'", context)


def _report_doubles(
    named: Iterable[tuple[str, Place, str]], hint: str, context: CheckContext
) -> None:
    """Report names that come twice among some; each with its place and element."""
    first: dict[str, Place] = {}
    for name, place, element in named:
        if name in first:
            text = f"'{name}' already defined at {located(first[name])}"
            context.collector.add(DiagnosticSite(element), 'E203', place, text, hint)
        first.setdefault(name, place)


def _report_shadowed(declared: Declaration, context: CheckContext) -> None:
    offers = context.names.imported.get(declared.name)
    module = offers[0].names.module if offers else None
    if module:
        site = DiagnosticSite(declared.name)
        text = f"'{declared.name}' already defined at {module.name}"
        hint = 'the definition of this file is taken'
        context.collector.add(site, 'E203', declared.place, text, hint, information=True)


def check_imports(context: CheckContext) -> None:
    """Report imports that are not found, or that import each other in a circle (E206)."""
    library, collector = context.names.library, context.collector
    graph = {
        name: ['.'.join(wanted.path) for wanted in module.program.imports]
        for name, module in library.items()
    }
    circles = {name: cycle for cycle in _cycles(graph) for name in cycle}
    for wanted in context.program.imports:
        path = '.'.join(wanted.path)
        if path not in library:
            text = f"import '{path}' not found{collector.suggestion(path, library)}"
            hint = 'write the name of a module of the library'
            collector.add(DiagnosticSite(), 'E206', wanted.place, text, hint)
            continue
        waiting, known = [path], set[str]()
        while waiting:
            name = waiting.pop()
            if name not in known:
                known.add(name)
                waiting += graph.get(name, [])
        for name in sorted(known & circles.keys()):
            text = f'imports in a circle: {" -> ".join(circles[name])}'
            hint = 'move what both need into a third module'
            collector.add(DiagnosticSite(), 'E206', wanted.place, text, hint)
        for name in sorted(known - graph.keys()):
            text = f"import '{name}' not found, which '{path}' needs"
            hint = 'add the module to the library'
            collector.add(DiagnosticSite(), 'E206', wanted.place, text, hint)


def check_recursion(context: CheckContext) -> None:
    """Report elements that call themselves (E205)."""
    elements = {id(d): d for d in context.program.declarations()}
    graph: dict[int, list[int]] = {}
    places: dict[tuple[int, int], Place] = {}
    for number, declared in elements.items():
        graph[number] = []
        for call in context.used(declared, context.names):
            found = context.names.called(call)
            if found and id(found.element) in elements:
                graph[number].append(id(found.element))
                places.setdefault((number, id(found.element)), call.place)
    for cycle in _cycles(graph):
        # Begin with what stands first, so that the report does not depend on the search.
        ring = cycle[:-1]
        start = min(range(len(ring)), key=lambda i: elements[ring[i]].place)
        ring = ring[start:] + ring[:start]
        names = [elements[number].name for number in ring]
        through = f' through {" -> ".join([*names[1:], names[0]])}' if len(names) > 1 else ''
        text = f"'{names[0]}' calls itself{through}; use loop"
        place, site = places[ring[0], ring[1 % len(ring)]], DiagnosticSite(names[0])
        context.collector.add(site, 'E205', place, text, 'an element cannot run itself')


def _cycles(graph: Mapping[Key, Iterable[Key]]) -> Iterator[list[Key]]:
    """Yield cycles, each ending where it begins, until none is left or too many were found."""
    edges = {node: set(targets) & graph.keys() for node, targets in graph.items()}
    for _ in range(MOST_DIAGNOSTICS):
        try:
            TopologicalSorter(edges).prepare()
        except CycleError as error:
            # graphlib reports a cycle backwards: each is a predecessor of the next.
            cycle = list(reversed(error.args[1]))
            yield cycle
            edges[cycle[0]].discard(cycle[1])
        else:
            return


def hands_on(element: Element, names: Names) -> bool:
    """Return whether steps of an element give outputs that others read."""
    steps = getattr(element, 'steps', ())
    return bool(steps) and bool(getattr(element, 'outputs', ()) or outputs_of(steps, names))


def check_assignment(node: FlowNode, site: DiagnosticSite) -> None:
    """Check that what an element reads and gives is written on every way through its steps."""
    _AssignmentChecker(node, site).check()


class _AssignmentChecker:
    """The ways through the steps of one element."""

    def __init__(self, node: FlowNode, site: DiagnosticSite) -> None:
        self.node, self.site = node, site
        self.element, self.context = node.source, node.context
        parameters = {parameter.name for parameter in self.element.parameters}
        outputs = outputs_of(getattr(self.element, 'steps', ()), node.scope.names)
        self.possible = {name for name, _ in outputs} - parameters

    def check(self) -> None:
        element = self.element
        self._check_writers(element)
        known = self._written_at_end(element)
        guards: list[ast.Expression] = [guard.condition for guard in element.guards]
        guards += [element.timeout.duration] if element.timeout else []
        guards += [element.loop.condition] if element.loop and element.loop.condition else []
        self._read((*guards, *element.requires), NO_NAMES, element.name)
        hint = "write it in a step on every way, or end the others by '=> fail'"
        _check_outputs(element, known, hint, self.context, self.site)

    def _written_at_end(self, element: ast.Encapsulation) -> Written:
        """Return what is written however the element ends, but by a failure."""
        node = self.node
        answers = [h.action for h in element.handlers if h.cause.kind != 'fault']
        answers = [action for action in answers if passes(action)]
        goes_on = any(last_action(action) == 'next' for action in answers)
        known = NO_NAMES
        for child in node.children:
            before, known = known, self._follow(child, known, element.name)
            if goes_on and known != before and child.may_fail:
                # A handler answers the failure, and the next step follows.
                known = before | child.writes_at_once
        own = [guard.action for guard in element.guards]
        own += [element.timeout.action] if element.timeout else []
        unanswered = any(action is None or not passes(action) for action in own)
        ends = any(unanswered or last_action(action) == 'done' for action in answers)
        skipped = node.loop is not None and node.loop.kind == 'while'
        cut = any(passes(guard.action) for guard in element.guards)
        if ends or skipped or cut or node.leaves_no_time:
            return NO_NAMES
        if element.timeout and element.timeout.action and passes(element.timeout.action):
            return node.children[0].writes_at_once
        return known

    def _follow(self, node: FlowNode, known: Written, path: str) -> Written:
        """Check the reads of a step; returns what is written after it."""
        step = node.source
        match node.kind:
            case 'run' if isinstance(step, ast.Run):
                read: list[ast.Node] = [step.guard.condition] if step.guard else []
                read += [step.timeout.duration] if step.timeout else []
                read += [step.scale] if step.scale else []
                read += step.call.arguments if isinstance(step.call, ast.Call) else ()
                self._read(read, known, path)
            case 'choice':
                self._read([step.condition], known, path)
            case 'reverse' if isinstance(step.target, ast.Call):
                self._read(step.target.arguments, known, path)
        if node.kind in ('choice', 'parallel'):
            for index, child in enumerate(node.children):
                branch = f'par {step.mode}' if node.kind == 'parallel' else ('if', 'else')[index]
                self._follow(child, known, f'{path} -> {branch}')
        elif node.kind == 'run' and not node.calls_one:
            inside = known
            for child in node.children:
                inside = self._follow(child, inside, path)
        return known | node.writes

    def _read(self, parts: Iterable[ast.Node], known: Written, path: str) -> None:
        """Check the names in parts of the program against what is certainly written."""
        for part in (expression for each in parts for expression in all_expressions(each)):
            name = spelled(part)[:1] if not isinstance(part, ast.Call) else ()
            if name and name[0] in self.possible - known:
                text = f"'{name[0]}' may be unset here (path {path})"
                hint = "run the step that gives it before, on every way; an 'until' that ends it"
                hint += " may do so before it begins: write '=> fail'"
                self.context.collector.add(self.site, 'E204', part.place, text, hint)

    def _check_writers(self, element: ast.Encapsulation) -> None:
        """Report children of ``par all`` that write one name, of which the last would win."""
        names = self.node.scope.names
        for step in ast.walk(element):
            written: set[str] = set()
            for child in (
                step.steps if isinstance(step, ast.Parallel) and step.mode == 'all' else ()
            ):
                own = {name for name, _ in outputs_of((child,), names)}
                for name in sorted(own & written):
                    text = f"two children of 'par all' both write '{name}'"
                    hint = "write a name of its own and '=' before each step"
                    self.context.collector.add(self.site, 'E405', child.place, text, hint)
                written |= own


def check_emissions(atom: ast.Atom, context: CheckContext, site: DiagnosticSite) -> None:
    """Check that an atom emits all its outputs."""
    written = frozenset(emission.name for emission in atom.emissions)
    _check_outputs(atom, written, 'emit it on every way', context, site)


def _check_outputs(
    element: ast.Atom | ast.Encapsulation,
    written: Written,
    hint: str,
    context: CheckContext,
    site: DiagnosticSite,
) -> None:
    known = written | {parameter.name for parameter in element.parameters}
    for output in element.outputs:
        if output.name not in known:
            text = f"'{output.name}' may be unset here (path {element.name})"
            context.collector.add(site, 'E204', output.place, text, hint)


def written_anywhere(
    programs: Sequence[tuple[ast.Program, Names]], context: CheckContext
) -> set[str] | None:
    """Return the names that anything may write to the blackboard; None where that is open."""
    written: set[str] = set()
    for program, names in programs:
        written |= {emission.name for atom in program.atoms for emission in atom.emissions}
        for element in (*program.behaviors, *program.plans):
            written |= {name for name, _ in outputs_of(element.steps, names)}
            for call in context.used(element, names):
                if not isinstance(call, ast.Call) or spelled(call)[-1:] != ('set',):
                    continue
                first = call.arguments[0].value if call.arguments else None
                if not isinstance(first, ast.Text):
                    return None
                written.add(first.value)
    return written


def check_board(
    element: Element, written: set[str], context: CheckContext, site: DiagnosticSite
) -> None:
    """Report what an element reads from the blackboard and nothing writes (E204)."""
    for part in context.expressions(element):
        # Parts of parts, such as bb.target.x, hold the name deeper inside.
        while isinstance(part, ast.Member) and isinstance(part.base, ast.Member):
            part = part.base
        if (
            isinstance(part, ast.Member)
            and part.base == ast.Name('bb')
            and part.name not in written
        ):
            text = f"'{part.name}' may be unset here (path bb.{part.name})"
            hint = f'nothing in the program writes it: begin with set("{part.name}", 0), '
            hint += 'or emit it'
            context.collector.add(site, 'E204', part.place, text, hint)
