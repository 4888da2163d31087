"""Lay out the steps of a program (mdle.md §4.17)."""

from collections.abc import Iterable, Iterator
from typing import TypeVar

from walking_robots.mdle.language.ast import (
    Action,
    Condition,
    Guard,
    Parallel,
    Reverse,
    Run,
    Step,
    Timeout,
)
from walking_robots.mdle.language.comment_placement import INDENTATION, Line, Outline
from walking_robots.mdle.language.expression_printer import (
    format_action,
    format_expression,
    format_loop,
    format_vector,
)

WIDTH = 99
"""Columns within which a group of steps stays on one line."""

Item = TypeVar('Item')


def step_lines(steps: Iterable[Step], depth: int, outline: Outline) -> Iterator[Line]:
    """Lay out steps, one a line."""
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
    yield from step_lines(steps, depth + 1, outline)
    _, place = outline.block_around(first_of(steps).place)
    yield Line(depth, end, place, True)


def _run(run: Run, depth: int, outline: Outline, end: str) -> Iterator[Line]:
    head, tail = _head(run), f'{_tail(run)}{end}'
    if run.call is not None:
        yield Line(depth, f'{head}{format_expression(run.call)}{tail}', run.place)
        return
    first_of(run.steps)
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
    parts = [format_until(run.guard)] if run.guard else []
    parts += [format_timeout(run.timeout)] if run.timeout else []
    parts += [f'times {format_loop(run.times)}'] if run.times else []
    return ''.join(f' {part}' for part in parts)


def format_until(guard: Guard) -> str:
    """Write a guard."""
    return f'until {format_expression(guard.condition)}{format_consequence(guard.action)}'


def format_timeout(timeout: Timeout) -> str:
    """Write a timer."""
    return f'timeout {format_expression(timeout.duration)}{format_consequence(timeout.action)}'


def format_consequence(action: Action | None) -> str:
    """Write the action of a guard or a timer, if there is one."""
    return f' => {format_action(action)}' if action else ''


def first_of(items: tuple[Item, ...]) -> Item:
    """Give the first of what cannot be empty; raises ValueError where it is."""
    if not items:
        raise ValueError('there is a block, a control or a vector without anything in it')
    return items[0]
