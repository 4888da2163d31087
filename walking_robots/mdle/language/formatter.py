"""Write a program in the one layout that all programs have (mdle.md §4.17)."""

from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, NamedTuple

from walking_robots.mdle.language import ast
from walking_robots.mdle.language.ast import NOWHERE, Place
from walking_robots.mdle.language.expression_printer import (
    format_list,
    format_node,
    format_parameters,
)

WIDTH = 99
"""Columns within which a group of steps stays on one line."""

_INDENT = '  '

_Clause = tuple[Place, str]


class _Line(NamedTuple):
    """A line to be written, and where what it says stood; a ``closing`` one ends a block."""

    depth: int
    text: str
    place: Place = NOWHERE
    closing: bool = False


def format_program(program: ast.Program) -> str:
    """Write a program, one clause or step a line, with its comments.

    Declarations and clauses keep their order where it is known, and come kind by kind where it
    is not. Raises ValueError for what the language has no words for.
    """
    layout = _Layout(sorted(comment.place for comment in program.comments))
    lines = [_Line(0, f'mdle {program.version};', program.place)]
    lines += [_Line(0, f'{format_node(module)};', module.place) for module in program.imports]
    declarations = list(program.declarations())
    if all(item.place != NOWHERE for item in declarations):
        declarations.sort(key=lambda item: item.place)
    before: ast.Declaration | None = None
    for item in declarations:
        long = isinstance(item, ast.Atom | ast.Encapsulation)
        if long or isinstance(before, ast.Atom | ast.Encapsulation):
            lines.append(_Line(0, ''))
        if isinstance(item, ast.Atom | ast.Encapsulation):
            lines += layout.element(item)
        else:
            lines.append(_Line(0, f'{format_node(item)};', item.place))
        before = item
    return _with_comments(lines, program.comments)


class _Layout:
    """Lays out elements and steps; ``comments``: the places of all comments, in order."""

    def __init__(self, comments: Sequence[Place]) -> None:
        self.comments = comments

    def element(self, item: ast.Atom | ast.Encapsulation) -> Iterator[_Line]:
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
            clauses += [(item.irreversible_at, 'irreversible')] if item.irreversible else []
        else:
            head = f'{item.kind} {item.name}{parameters}{outputs}'
            clauses += _placed((*item.guards, item.timeout))
            if item.loop:
                clauses.append((item.loop.place, f'loop {format_node(item.loop)}'))
            clauses += _placed(item.handlers)
            clauses += [(call.place, f'finally {format_node(call)}') for call in item.cleanup]
            clauses += _listed('requires', item.requires)
        yield _Line(0, f'{head} {{', item.place)
        if all(place != NOWHERE for place, _ in clauses):
            clauses.sort(key=lambda clause: clause[0])
        for place, text in clauses:
            yield _Line(1, f'{text};', place)
        if isinstance(item, ast.Encapsulation):
            yield _Line(1, 'do {', getattr(item.steps, 'start', NOWHERE))
            yield from self.block(item.steps, 1, '}')
        yield _Line(0, '}', item.end, True)

    def steps(self, steps: Iterable[ast.Step], depth: int, end: str = ';') -> Iterator[_Line]:
        """Return steps, one a line."""
        for step in steps:
            label = f'{step.label}: ' if step.label else ''
            match step:
                case ast.Run():
                    yield from self.run(step, depth, end)
                case ast.Reverse(target):
                    what = format_node(target) if target else 'last'
                    yield _Line(depth, f'{label}reverse {what}{end}', step.place)
                case ast.Parallel(mode, inner):
                    yield _Line(depth, f'{label}par {mode} {{', step.place)
                    yield from self.block(inner, depth, f'}}{end}')
                case ast.Condition(condition, then, otherwise):
                    yield _Line(depth, f'{label}if {format_node(condition)} {{', step.place)
                    if otherwise:
                        yield from self.block(then, depth, '} else {')
                    yield from self.block(otherwise or then, depth, f'}}{end}')

    def block(self, steps: tuple[ast.Step, ...], depth: int, end: str) -> Iterator[_Line]:
        """Return steps in braces, and the line that closes them."""
        _first(steps)
        yield from self.steps(steps, depth + 1)
        yield _Line(depth, end, getattr(steps, 'end', NOWHERE), True)

    def run(self, run: ast.Run, depth: int, end: str) -> Iterator[_Line]:
        """Return a run; a group stays on one line where it fits and holds no comment."""
        _first(run.steps or (run.call,))
        if run.call or self.is_plain(run):
            text = f'{_inline(run)}{end}'
            if run.call or len(text) + depth * len(_INDENT) <= WIDTH:
                yield _Line(depth, text, run.place)
                return
        yield _Line(depth, f'{_head(run)}(', run.place)
        yield from self.steps(run.steps[:-1], depth + 1)
        yield from self.steps(run.steps[-1:], depth + 1, '')
        yield _Line(depth, f'){_tail(run)}{end}')

    def is_plain(self, run: ast.Run) -> bool:
        """Return whether a group holds but runs, and no comment."""
        start, end = run.place, run.steps[-1].place
        if bisect_left(self.comments, start) < bisect_left(self.comments, end):
            return False
        return all(
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
    if len(text) + len(_INDENT) < WIDTH or not isinstance(control, ast.Segments):
        return text
    behind = f'\n{_INDENT * 2}then '
    return f'control {behind.join(map(format_node, control.segments))}'


def _first(items: tuple[Any, ...]) -> Any:
    """Return the first of what cannot be empty; raises ValueError where it is."""
    if not items or items[0] is None:
        raise ValueError('there is a block, a control or a vector without anything in it')
    return items[0]


def _with_comments(lines: Sequence[_Line], comments: Iterable[ast.Comment]) -> str:
    """Join the lines to a text.

    A comment on a line of its own goes before the item that it stood before, any other one
    behind the item that it stood behind; of several behind one item all but the last go before.
    """
    anchors = sorted((line.place, i) for i, line in enumerate(lines) if line.place != NOWHERE)
    places = [place for place, _ in anchors]
    before: dict[int, list[str]] = {}
    behind: dict[int, list[str]] = {}
    for comment in sorted(comments, key=lambda comment: comment.place):
        index = bisect_left(places, comment.place)
        if not comment.alone and index > 0:
            behind.setdefault(anchors[index - 1][1], []).append(comment.text)
        else:
            at = anchors[index][1] if index < len(anchors) else len(lines)
            before.setdefault(at, []).append(comment.text)
    written: list[str] = []
    for i, line in enumerate(lines):
        trailing = behind.get(i, [])
        inner = _INDENT * (line.depth + line.closing)
        written += [f'{inner}{text}' for text in before.get(i, ())]
        indent = _INDENT * line.depth
        written += [f'{indent}{text}' for text in trailing[:-1]]
        last = f'  {trailing[-1]}' if trailing else ''
        written.append(f'{indent}{line.text}{last}' if line.text else '')
    written += before.get(len(lines), ())
    return '\n'.join(written) + '\n'
