"""Write an unfolded program in the formal notation of the report (mdle.md §4.2)."""

from collections.abc import Sequence
from functools import reduce
from math import inf
from textwrap import indent
from typing import Any

from walking_robots.mdle.analysis.check_context import CheckContext, DiagnosticCollector
from walking_robots.mdle.analysis.expander import Expander
from walking_robots.mdle.analysis.inlining import (
    UNKNOWN,
    AtEntry,
    Filtered,
    GuardCall,
    Scope,
)
from walking_robots.mdle.analysis.program_node import ProgramNode
from walking_robots.mdle.analysis.references import arguments_of, match_arguments
from walking_robots.mdle.knowledge.elements import PythonLaw
from walking_robots.mdle.knowledge.names import Library, Names, spelled
from walking_robots.mdle.language import ast
from walking_robots.mdle.language.core_notation import space_of
from walking_robots.mdle.language.diagnostics import ProgramError, program_error
from walking_robots.mdle.language.expression_printer import format_expression, format_node

_MOST_ELEMENTS = 5000
"""Elements written out: each that runs another twice doubles their number."""

_STATEMENTS = {'parallel': 'par', 'choice': 'if', 'reverse': 'reverse'}
_NOT_IN_STEPS = {
    'scale': 'write the controls and times as they are scaled',
    'output': 'leave it out',
}
_NOT_IN_TRIPLES = (
    'outputs', 'emissions', 'needs', 'irreversible', 'handlers', 'cleanup', 'requires',
)  # fmt: skip
_IN_PYTHON = 'is written in Python, which the formal notation has not'


def write_core(program: ast.Program, entry: str, library: Library) -> str:
    """Write an element of a program, and all that it runs, in the formal notation.

    Constants, arguments, interrupts, laws, counts and what is imported are written out. Raises
    ProgramError for anything beyond triples: handlers, other loops, actions other than to go on,
    outputs, elements in Python, spaces that ``parse_core`` would not take, and arguments that are
    read at the entry of an element and used later.
    """
    names = Names(program, library)
    found = names.find(*entry.split('.'))
    if found is None:
        raise program_error(ast.NOWHERE, f"'{entry}' is not defined in this program")
    expander = Expander(CheckContext(names, None, DiagnosticCollector()), folds=False)
    return _Writer().element(expander.entry(found), ast.Name(entry, place=ast.NOWHERE)) + '\n'


class _Writer:
    """Writes elements; ``written``: how many so far."""

    def __init__(self) -> None:
        self.written = 0

    def element(self, node: ProgramNode, call: ast.Expression) -> str:
        """Return what a call runs."""
        name = '.'.join(spelled(call))
        self.written += 1
        if self.written > _MOST_ELEMENTS:
            text = f"'{name}' is element {self.written} when all is written out"
            raise program_error(call.place, text, 'write a smaller part of the program')
        if node.kind == 'unknown':
            what = 'calls itself' if node.source else 'is not defined, or too deep'
            raise program_error(call.place, f"'{name}' {what}")
        if node.kind == 'external':
            raise program_error(call.place, f"'{name}' {_IN_PYTHON}")
        match = match_arguments(node.source.parameters, arguments_of(call))
        if match.extra or match.missing:
            raise program_error(call.place, f"the arguments of '{name}' do not fit its parameters")
        for part in _NOT_IN_TRIPLES:
            if getattr(node.source, part, None):
                text = f"'{node.name}' has {part}, which the formal notation has not"
                raise program_error(node.place, text)
        if node.kind == 'atom':
            return f'({_control(node)}, {_ending(node)})'
        return self.block([text for _ in _rounds(node.loop) for text in self.steps(node)], node)

    def block(self, steps: Sequence[str], node: ProgramNode | None = None) -> str:
        """Return steps in a row, and what ends them: guards and timer of a node, or nothing."""
        timeout = node.timeout if node else None
        if timeout and timeout.action is None and timeout.duration != ast.Number(inf):
            hint = "write 'timeout ... => next' to go on at its end"
            raise program_error(timeout.place, 'this fails at its timeout', hint)
        end = _ending(node) if node else 'false, inf'
        listed = indent(',\n'.join(steps), '  ')
        return f'((\n{listed}\n), {end})'

    def steps(self, node: ProgramNode) -> list[str]:
        """Return what is in a container, one round of it."""
        return [text for child in node.children for text in self.step(child)]

    def step(self, node: ProgramNode) -> list[str]:
        """Return a step, as often as it runs; what ends it counts for all of its rounds."""
        step = node.source
        if not isinstance(step, ast.Run):
            word = _STATEMENTS.get(node.kind, 'so many levels')
            raise program_error(node.place, f"the formal notation has no '{word}'")
        for word, hint in _NOT_IN_STEPS.items():
            if getattr(step, word):
                raise program_error(step.place, f"the formal notation has no '{word}'", hint)
        if not step.call and not step.times:
            return [self.block(self.steps(node), node)]
        rounds = [
            self.called(node, step.call) if step.call else self.block(self.steps(node))
            for _ in _rounds(step.times)
        ]
        return [self.block(rounds, node)] if step.guard or step.timeout else rounds

    def called(self, node: ProgramNode, call: ast.Expression) -> str:
        """Return what a step runs."""
        element = node.children[0]
        try:
            return self.element(element, call)
        except ProgramError as error:
            if element.own or not node.own:
                raise
            # A line of a module is of no use to whoever wrote the program.
            first = error.diagnostics[0]
            text = f"in '{'.'.join(spelled(call))}', {first.text}"
            raise program_error(call.place, text, first.hint) from None


def _rounds(loop: ast.Loop | None) -> range:
    """Return the rounds of a loop; raise ProgramError where it has no count, or a large one."""
    if loop is None:
        return range(1)
    if loop.kind != 'count':
        raise program_error(loop.place, f"the formal notation has no 'loop {loop.kind}'")
    if loop.count > _MOST_ELEMENTS:
        raise program_error(loop.place, f'{loop.count} rounds are too many to be written out')
    return range(loop.count)


def _control(node: ProgramNode) -> str:
    """Return the control of an atom, a law of the language as what it computes."""
    control, scope = node.source.control, node.scope
    if control is None:
        raise program_error(node.place, f"atom '{node.name}' has no control")
    if isinstance(control, ast.LawCall):
        control = _law(control.call, scope)
    elif isinstance(control, ast.Segments):
        control = ast.Segments(
            tuple(
                ast.Segment(
                    tuple(_written(value, scope) for value in segment.vector),
                    _written(segment.duration, scope, early=True),
                )
                for segment in control.segments
            )
        )
    else:
        control = tuple(_written(value, scope) for value in control)
    if node.source.space != space_of(control):
        text = f"'{node.name}' is on {node.source.space}, which the formal notation cannot say"
        raise program_error(node.place, text, f'it would be read as on {space_of(control)}')
    return format_node(control)


def _law(call: ast.Expression, scope: Scope) -> ast.Control:
    found = scope.called(call)
    if found is None or not isinstance(found.element, ast.Law | PythonLaw):
        return ast.LawCall(_written(call, scope))
    law = found.element
    if isinstance(law, PythonLaw) or law.vector is None:
        raise program_error(call.place, f"'{'.'.join(spelled(call))}' {_IN_PYTHON}")
    inner = Scope(found.names, None, scope.bound(found, arguments_of(call)))
    return tuple(_written(value, inner) for value in law.vector)


def _ending(node: ProgramNode) -> str:
    """Return xi and T; the timer of an element is read at its entry, that of a step later."""
    ends: list[ast.Guard | ast.Timeout] = [scoped.guard for scoped in node.guards]
    for item in (*ends, node.timeout):
        if item and item.action and item.action.kind not in ('next', 'done'):
            text = f"the formal notation has no '=> {item.action.kind}'; it always goes on"
            raise program_error(item.place, text)
    conditions = [_written(scoped.guard.condition, scoped.scope) for scoped in node.guards]
    condition = reduce(lambda a, b: ast.Binary('or', a, b), conditions or [ast.Truth(False)])
    duration: ast.Expression = ast.Number(inf)
    if node.timeout:
        duration = _written(node.timeout.duration, node.scope, early=node.kind != 'run')
    return f'{format_expression(condition)}, {format_expression(duration)}'


def _written(expression: ast.Expression, scope: Scope, early: bool = False) -> Any:
    """Return an expression with its names replaced; ``early``: it is read when it is entered.

    Raises ProgramError for what the notation has no words for.
    """
    found = _without_entry(scope.inlined(expression)) if early else scope.inlined(expression)
    for part in ast.walk(found):
        reason = _refused(part)
        if reason:
            raise program_error(part.place if part.place.line else expression.place, *reason)
    try:
        format_expression(found)
    except ValueError as error:
        raise program_error(expression.place, f'this cannot be written out: {error}') from None
    return found


def _refused(part: ast.Node) -> tuple[str, str] | None:
    """Return why the notation has no words for a part of an expression, and the remedy."""
    if isinstance(part, AtEntry):
        text = 'this is read when its element begins, and here it would be read later'
        return text, "write a value that does not change, or 'y0' in the element itself"
    if isinstance(part, Filtered):
        text = f"interrupt '{part.interrupt.name}' has filters, which the formal notation has not"
        return text, 'leave the filters out'
    if isinstance(part, GuardCall):
        return f"'{part.guard.name}' {_IN_PYTHON}", 'write it in the language'
    if part == UNKNOWN:
        return 'this calls itself, or is too large to be written out', 'write a part of it'
    return None


def _without_entry(value: Any) -> Any:
    """Return an expression that is read at the same entry as its variables."""
    if not isinstance(value, AtEntry):
        return ast.map_children(value, _without_entry)
    # What these read is another value in every element.
    named = {part.name for part in ast.walk(value) if isinstance(part, ast.Name)}
    return value if named & {'y0', 't', UNKNOWN.name} else value.value
