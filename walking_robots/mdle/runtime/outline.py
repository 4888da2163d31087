"""The structure of a program as lines, with the paths that its elements have while it runs."""

from collections.abc import Iterator
from itertools import islice
from typing import NamedTuple

from walking_robots.mdle.knowledge.names import Names, called_name, names_of
from walking_robots.mdle.language import ast
from walking_robots.mdle.language.expression_printer import format_expression
from walking_robots.mdle.runtime.frames import DEEPEST
from walking_robots.mdle.runtime.job import Job

MOST_NODES = 2000
"""Lines at most; what is larger is not for people."""


class OutlineNode(NamedTuple):
    """An element of the unfolded program: its path while it runs, and what it says."""

    path: str
    kind: str
    text: str
    depth: int
    line: int


def outline(job: Job) -> list[OutlineNode]:
    """Return the elements of a job, unfolded, in the order of the text."""
    found = job.names.find(*job.entry.split('.'))
    if not found or not isinstance(found.element, ast.Encapsulation):
        return [OutlineNode(job.entry, 'atom', job.entry, 0, 0)]
    nodes = _encapsulation(found.element, job.entry, job.entry, 0, found.names)
    return list(islice(nodes, MOST_NODES))


def _encapsulation(
    element: ast.Encapsulation, path: str, text: str, depth: int, names: Names
) -> Iterator[OutlineNode]:
    yield OutlineNode(path, element.kind, text, depth, element.place.line)
    if depth > DEEPEST:
        # It will not run that deep either.
        return
    yield from _steps(element.steps, path, depth + 1, names)
    for handler in element.handlers:
        call = handler.action.call
        if call:
            inner = f'{path}.{called_name(call)}'
            yield from _element(call, inner, 'handler', depth + 1, names)
    for call in element.cleanup:
        yield from _element(call, f'{path}.finally', 'finally', depth + 1, names)


def _steps(
    steps: tuple[ast.Step, ...], path: str, depth: int, names: Names
) -> Iterator[OutlineNode]:
    for name, step in zip(names_of(steps), steps, strict=True):
        inner, line = f'{path}.{name}', step.place.line
        match step:
            case ast.Run(call=None):
                yield OutlineNode(inner, 'group', name, depth, line)
                yield from _steps(step.steps, inner, depth + 1, names)
            case ast.Run():
                assert step.call is not None
                yield from _element(step.call, inner, 'atom', depth, names, line)
            case ast.Parallel():
                yield OutlineNode(inner, 'par', f'par {step.mode}', depth, line)
                yield from _steps(step.steps, inner, depth + 1, names)
            case ast.Condition():
                text = f'if {format_expression(step.condition)}'
                yield OutlineNode(inner, 'if', text, depth, line)
                yield from _steps(step.then, inner, depth + 1, names)
                yield from _steps(step.otherwise, inner, depth + 1, names)
            case _:
                target = format_expression(step.target) if step.target else 'last'
                yield OutlineNode(inner, 'reverse', f'reverse {target}', depth, line)


def _element(
    call: ast.Expression, path: str, kind: str, depth: int, names: Names, line: int = 0
) -> Iterator[OutlineNode]:
    found, text = names.called(call), format_expression(call)
    if found and isinstance(found.element, ast.Encapsulation):
        yield from _encapsulation(found.element, path, text, depth, found.names)
    else:
        yield OutlineNode(path, kind, text, depth, line or call.place.line)
