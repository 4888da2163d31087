"""Outputs that are read before they are written, or written twice at once (E204, E405)."""

from collections.abc import Iterable, Sequence

from walking_robots.mdle.analysis.check_context import CheckContext, DiagnosticSite
from walking_robots.mdle.analysis.control_flow import (
    NO_NAMES,
    FlowNode,
    last_action,
    passes,
)
from walking_robots.mdle.analysis.references import all_expressions, outputs_of
from walking_robots.mdle.knowledge.names import Element, Names, spelled
from walking_robots.mdle.language import ast

Written = frozenset[str]


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
