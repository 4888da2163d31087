"""Write a program in the one layout that all programs have (mdle.md §4.17)."""

from collections.abc import Iterable, Iterator
from typing import TypeVar

from walking_robots.mdle.language.expressions import NOWHERE, Place
from walking_robots.mdle.language.program import (
    Action,
    Atom,
    Condition,
    Constant,
    Control,
    Declaration,
    Encapsulation,
    Group,
    Guard,
    Interrupt,
    Law,
    LawCall,
    Parallel,
    Program,
    Reverse,
    Run,
    Segments,
    Step,
    Timeout,
)
from walking_robots.mdle.language.remarks import INDENTATION, Line, Outline, with_comments
from walking_robots.mdle.language.spelling import (
    format_action,
    format_cause,
    format_control,
    format_expression,
    format_filter,
    format_loop,
    format_parameters,
    format_segment,
    format_string,
    format_vector,
)

__all__ = ['format_expression', 'format_program']

WIDTH = 99
Clause = tuple[Place, str]
Item = TypeVar('Item')


def format_program(program: Program) -> str:
    """Write a program, one clause or step a line, with its comments.

    Declarations and clauses keep their order where it is known, and come kind by kind where it
    is not. Raises ValueError for what the language has no words for.
    """
    outline = Outline(program.source, program.comments)
    lines = [Line(0, f'mdle {program.version};', outline.start)]
    for module in program.imports:
        alias = f' as {module.alias}' if module.alias else ''
        lines.append(Line(0, f'import {".".join(module.path)}{alias};', module.place))
    declarations = list(program.declarations())
    if all(item.place != NOWHERE for item in declarations):
        declarations.sort(key=lambda item: item.place)
    before: Declaration | None = None
    for item in declarations:
        if isinstance(item, Atom | Encapsulation) or isinstance(before, Atom | Encapsulation):
            lines.append(Line(0, ''))
        lines += _declaration(item, outline)
        before = item
    return with_comments(lines, program.comments)


def _declaration(item: Declaration, outline: Outline) -> Iterator[Line]:
    match item:
        case Atom():
            yield from _atom(item, outline)
        case Encapsulation():
            yield from _encapsulation(item, outline)
        case _:
            yield Line(0, f'{_short(item)};', item.place)


def _short(item: Constant | Group | Interrupt | Law) -> str:
    """Write a declaration that takes one line."""
    match item:
        case Constant(name, type_, value):
            colon = f': {type_}' if type_ else ''
            return f'const {name}{colon} = {format_expression(value)}'
        case Group(name, members):
            return f'group {name} = {{{", ".join(members)}}}'
        case Interrupt(name, parameters, condition, filters):
            takes = format_parameters(parameters) if parameters else ''
            means = f'interrupt {name}{takes} = {format_expression(condition)}'
            return f'{means} with {", ".join(map(format_filter, filters))}' if filters else means
        case Law(name, parameters, space, vector, extern):
            given = f'extern {format_string(extern)}' if vector is None else ''
            given = given or f'= {format_vector(vector or ())}'
            return f'law {name}{format_parameters(parameters)} on {space} {given}'


def _atom(atom: Atom, outline: Outline) -> Iterator[Line]:
    gives = f' -> {format_parameters(atom.outputs)}' if atom.outputs else ''
    takes = format_parameters(atom.parameters)
    _, end = outline.block_behind(atom.place)
    yield Line(0, f'atom {atom.name}{takes}{gives} on {atom.space} {{', atom.place)
    clauses: list[Clause] = []
    if atom.control is not None:
        clauses.append((_place(atom.control), _control(atom.control)))
    clauses += _endings(atom.guards, atom.timeout)
    clauses += [
        (item.place, f'emit {item.name} = {format_expression(item.value)}')
        for item in atom.emissions
    ]
    if atom.needs:
        listed = ', '.join(map(format_expression, atom.needs))
        clauses.append((atom.needs[0].place, f'needs {listed}'))
    yield from _clauses(clauses)
    if atom.irreversible:
        yield Line(1, 'irreversible;', outline.irreversible_behind(atom.place))
    yield Line(0, '}', end, True)


def _encapsulation(item: Encapsulation, outline: Outline) -> Iterator[Line]:
    takes = format_parameters(item.parameters) if item.parameters else ''
    gives = f' -> {format_parameters(item.outputs)}' if item.outputs else ''
    _, end = outline.block_behind(item.place)
    yield Line(0, f'{item.kind} {item.name}{takes}{gives} {{', item.place)
    clauses = _endings(item.guards, item.timeout)
    if item.loop:
        clauses.append((item.loop.place, f'loop {format_loop(item.loop)}'))
    clauses += [
        (handler.place, f'on {format_cause(handler.cause)}{_consequence(handler.action)}')
        for handler in item.handlers
    ]
    clauses += [(call.place, f'finally {format_expression(call)}') for call in item.cleanup]
    if item.requires:
        listed = ', '.join(map(format_expression, item.requires))
        clauses.append((item.requires[0].place, f'requires {listed}'))
    yield from _clauses(clauses)
    start, stop = outline.block_around(_first(item.steps).place)
    yield Line(1, 'do {', start)
    yield from _steps(item.steps, 2, outline)
    yield Line(1, '}', stop, True)
    yield Line(0, '}', end, True)


def _clauses(clauses: list[Clause]) -> Iterator[Line]:
    if all(place != NOWHERE for place, _ in clauses):
        clauses = sorted(clauses, key=lambda clause: clause[0])
    for place, text in clauses:
        yield Line(1, f'{text};', place)


def _endings(guards: Iterable[Guard], timeout: Timeout | None) -> list[Clause]:
    found = [(guard.place, _until(guard)) for guard in guards]
    return [*found, (timeout.place, _timeout(timeout))] if timeout else found


def _until(guard: Guard) -> str:
    return f'until {format_expression(guard.condition)}{_consequence(guard.action)}'


def _timeout(timeout: Timeout) -> str:
    return f'timeout {format_expression(timeout.duration)}{_consequence(timeout.action)}'


def _consequence(action: Action | None) -> str:
    return f' => {format_action(action)}' if action else ''


def _first(items: tuple[Item, ...]) -> Item:
    if not items:
        raise ValueError('there is a block, a control or a vector without anything in it')
    return items[0]


def _place(control: Control) -> Place:
    match control:
        case Segments(segments):
            return _first(segments).place
        case LawCall(call):
            return call.place
        case vector:
            return _first(vector).place


def _control(control: Control) -> str:
    text = f'control {format_control(control)}'
    if len(text) + len(INDENTATION) < WIDTH or not isinstance(control, Segments):
        return text
    behind = f'\n{INDENTATION * 2}then '
    return f'control {behind.join(map(format_segment, control.segments))}'


def _steps(steps: Iterable[Step], depth: int, outline: Outline) -> Iterator[Line]:
    for step in steps:
        yield from _step(step, depth, outline, ';')


def _step(step: Step, depth: int, outline: Outline, end: str) -> Iterator[Line]:
    label = f'{step.label}: ' if step.label else ''
    match step:
        case Run():
            yield from _run(step, depth, outline, end)
        case Reverse(target):
            what = format_expression(target) if target else 'last'
            yield Line(depth, f'{label}reverse {what}{end}', step.place)
        case Parallel(mode, steps):
            yield Line(depth, f'{label}par {mode} {{', step.place)
            yield from _block(steps, depth, outline, f'}}{end}')
        case Condition(condition, then, otherwise):
            yield Line(depth, f'{label}if {format_expression(condition)} {{', step.place)
            if otherwise:
                yield from _block(then, depth, outline, '} else {')
            yield from _block(otherwise or then, depth, outline, f'}}{end}')


def _block(steps: tuple[Step, ...], depth: int, outline: Outline, end: str) -> Iterator[Line]:
    yield from _steps(steps, depth + 1, outline)
    _, place = outline.block_around(_first(steps).place)
    yield Line(depth, end, place, True)


def _run(run: Run, depth: int, outline: Outline, end: str) -> Iterator[Line]:
    head, tail = _head(run), f'{_tail(run)}{end}'
    if run.call is not None:
        yield Line(depth, f'{head}{format_expression(run.call)}{tail}', run.place)
        return
    _first(run.steps)
    text = f'{head}{_inline(run)}{tail}' if _is_plain(run, outline) else ''
    if text and len(text) + depth * len(INDENTATION) <= WIDTH:
        yield Line(depth, text, run.place)
        return
    yield Line(depth, f'{head}(', run.place)
    for step in run.steps[:-1]:
        yield from _step(step, depth + 1, outline, ';')
    yield from _step(run.steps[-1], depth + 1, outline, '')
    yield Line(depth, f'){tail}')


def _is_plain(run: Run, outline: Outline) -> bool:
    """Tell whether a group holds but runs, and no comment."""
    return not outline.comment_within(run.place, run.steps[-1].place) and all(
        isinstance(step, Run) and (step.call is not None or _is_plain(step, outline))
        for step in run.steps
    )


def _inline(run: Run) -> str:
    """Write what a run runs on one line."""
    if run.call is not None:
        return format_expression(run.call)
    runs = (step for step in run.steps if isinstance(step, Run))
    return f'({"; ".join(f"{_head(step)}{_inline(step)}{_tail(step)}" for step in runs)})'


def _head(run: Run) -> str:
    label = f'{run.label}: ' if run.label else ''
    output = f'{run.output} = ' if run.output else ''
    if run.scale is None:
        return f'{label}{output}'
    beta = f' time {format_expression(run.scale.beta)}' if run.scale.beta else ''
    return f'{label}{output}scale {format_vector(run.scale.alpha)}{beta}: '


def _tail(run: Run) -> str:
    parts = [_until(run.guard)] if run.guard else []
    parts += [_timeout(run.timeout)] if run.timeout else []
    parts += [f'times {format_loop(run.times)}'] if run.times else []
    return ''.join(f' {part}' for part in parts)
