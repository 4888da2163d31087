"""Write a program in the one layout that all programs have (mdle.md §4.17)."""

from collections.abc import Iterable, Iterator
from typing import Any

from walking_robots.mdle.language import ast
from walking_robots.mdle.language.ast import NOWHERE, Place
from walking_robots.mdle.language.comment_placement import (
    INDENTATION,
    OutputLine,
    SourceLayout,
    with_comments,
)
from walking_robots.mdle.language.expression_printer import (
    format_list,
    format_node,
    format_parameters,
)

WIDTH = 99
"""Columns within which a group of steps stays on one line."""

_Clause = tuple[Place, str]


def format_program(program: ast.Program) -> str:
    """Write a program, one clause or step a line, with its comments.

    Declarations and clauses keep their order where it is known, and come kind by kind where it
    is not. Raises ValueError for what the language has no words for.
    """
    layout = _Layout(SourceLayout(program.source, program.comments))
    lines = [OutputLine(0, f'mdle {program.version};', layout.source.start)]
    lines += [OutputLine(0, f'{format_node(module)};', module.place) for module in program.imports]
    declarations = list(program.declarations())
    if all(item.place != NOWHERE for item in declarations):
        declarations.sort(key=lambda item: item.place)
    before: ast.Declaration | None = None
    for item in declarations:
        long = isinstance(item, ast.Atom | ast.Encapsulation)
        if long or isinstance(before, ast.Atom | ast.Encapsulation):
            lines.append(OutputLine(0, ''))
        if isinstance(item, ast.Atom | ast.Encapsulation):
            lines += layout.element(item)
        else:
            lines.append(OutputLine(0, f'{format_node(item)};', item.place))
        before = item
    return with_comments(lines, program.comments)


class _Layout:
    """Lays out elements and steps; ``source``: where the text had what leaves no trace."""

    def __init__(self, source: SourceLayout) -> None:
        self.source = source

    def element(self, item: ast.Atom | ast.Encapsulation) -> Iterator[OutputLine]:
        """Return the lines of an atom, a behavior or a plan."""
        outputs = f' -> {format_parameters(item.outputs)}' if item.outputs else ''
        parameters = format_parameters(item.parameters) if item.parameters else ''
        clauses: list[_Clause] = []
        if isinstance(item, ast.Atom):
            head = f'atom {item.name}{parameters or "()"}{outputs} on {item.space}'
            if item.control is not None:
                clauses.append((_place(item.control), _control(item.control)))
            clauses += _placed((*item.guards, item.timeout, *item.emissions))
            clauses += _listed('needs', item.needs)
        else:
            head = f'{item.kind} {item.name}{parameters}{outputs}'
            clauses += _placed((*item.guards, item.timeout))
            if item.loop:
                clauses.append((item.loop.place, f'loop {format_node(item.loop)}'))
            clauses += _placed(item.handlers)
            clauses += [(call.place, f'finally {format_node(call)}') for call in item.cleanup]
            clauses += _listed('requires', item.requires)
        yield OutputLine(0, f'{head} {{', item.place)
        if all(place != NOWHERE for place, _ in clauses):
            clauses.sort(key=lambda clause: clause[0])
        for place, text in clauses:
            yield OutputLine(1, f'{text};', place)
        _, end = self.source.block_behind(item.place)
        if isinstance(item, ast.Encapsulation):
            start, stop = self.source.block_of(_first(item.steps).place)
            yield OutputLine(1, 'do {', start)
            yield from self.steps(item.steps, 2)
            yield OutputLine(1, '}', stop, True)
        elif item.irreversible:
            yield OutputLine(1, 'irreversible;', self.source.irreversible_behind(item.place))
        yield OutputLine(0, '}', end, True)

    def steps(self, steps: Iterable[ast.Step], depth: int, end: str = ';') -> Iterator[OutputLine]:
        """Return steps, one a line."""
        for step in steps:
            label = f'{step.label}: ' if step.label else ''
            match step:
                case ast.Run():
                    yield from self.run(step, depth, end)
                case ast.Reverse(target):
                    what = format_node(target) if target else 'last'
                    yield OutputLine(depth, f'{label}reverse {what}{end}', step.place)
                case ast.Parallel(mode, inner):
                    yield OutputLine(depth, f'{label}par {mode} {{', step.place)
                    yield from self.block(inner, depth, f'}}{end}')
                case ast.Condition(condition, then, otherwise):
                    yield OutputLine(depth, f'{label}if {format_node(condition)} {{', step.place)
                    if otherwise:
                        yield from self.block(then, depth, '} else {')
                    yield from self.block(otherwise or then, depth, f'}}{end}')

    def block(self, steps: tuple[ast.Step, ...], depth: int, end: str) -> Iterator[OutputLine]:
        """Return steps in braces, and the line that closes them."""
        yield from self.steps(steps, depth + 1)
        _, place = self.source.block_of(_first(steps).place)
        yield OutputLine(depth, end, place, True)

    def run(self, run: ast.Run, depth: int, end: str) -> Iterator[OutputLine]:
        """Return a run; a group stays on one line where it fits and holds no comment."""
        _first(run.steps or (run.call,))
        if run.call or self.is_plain(run):
            text = f'{_inline(run)}{end}'
            if run.call or len(text) + depth * len(INDENTATION) <= WIDTH:
                yield OutputLine(depth, text, run.place)
                return
        yield OutputLine(depth, f'{_head(run)}(', run.place)
        yield from self.steps(run.steps[:-1], depth + 1)
        yield from self.steps(run.steps[-1:], depth + 1, '')
        yield OutputLine(depth, f'){_tail(run)}{end}')

    def is_plain(self, run: ast.Run) -> bool:
        """Return whether a group holds but runs, and no comment."""
        return not self.source.comment_within(run.place, run.steps[-1].place) and all(
            isinstance(step, ast.Run) and (step.call is not None or self.is_plain(step))
            for step in run.steps
        )


def _inline(run: Any) -> str:
    inner = format_node(run.call) if run.call else f'({"; ".join(map(_inline, run.steps))})'
    return f'{_head(run)}{inner}{_tail(run)}'


def _head(run: ast.Run) -> str:
    label = f'{run.label}: ' if run.label else ''
    output = f'{run.output} = ' if run.output else ''
    return f'{label}{output}{f"{format_node(run.scale)} " if run.scale else ""}'


def _tail(run: ast.Run) -> str:
    times = f' times {format_node(run.times)}' if run.times else ''
    return ''.join(f' {format_node(end)}' for end in (run.guard, run.timeout) if end) + times


def _placed(nodes: Iterable[ast.Node | None]) -> list[_Clause]:
    return [(node.place, format_node(node)) for node in nodes if node]


def _listed(word: str, calls: tuple[ast.Expression, ...]) -> list[_Clause]:
    return [(calls[0].place, f'{word} {format_list(calls)}')] if calls else []


def _place(control: ast.Control) -> Place:
    if isinstance(control, ast.LawCall):
        return control.call.place
    place: Place = _first(control.segments if isinstance(control, ast.Segments) else control).place
    return place


def _control(control: ast.Control) -> str:
    text = f'control {format_node(control)}'
    if len(text) + len(INDENTATION) < WIDTH or not isinstance(control, ast.Segments):
        return text
    behind = f'\n{INDENTATION * 2}then '
    return f'control {behind.join(map(format_node, control.segments))}'


def _first(items: tuple[Any, ...]) -> Any:
    """Return the first of what cannot be empty; raises ValueError where it is."""
    if not items or items[0] is None:
        raise ValueError('there is a block, a control or a vector without anything in it')
    return items[0]
