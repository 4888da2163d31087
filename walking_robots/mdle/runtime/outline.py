"""The structure of a program as lines, with the paths that its elements have while it runs."""

from typing import NamedTuple

from walking_robots.mdle.knowledge.names import Names
from walking_robots.mdle.language.ast import (
    Condition,
    Encapsulation,
    Expression,
    Parallel,
    Run,
    Step,
)
from walking_robots.mdle.language.expression_printer import format_expression
from walking_robots.mdle.runtime.frames import DEEPEST
from walking_robots.mdle.runtime.job import Job
from walking_robots.mdle.runtime.shape import names_of

__all__ = ['MOST_NODES', 'OutlineNode', 'outline']

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
    """Give the elements of a job, unfolded, in the order of the text."""
    nodes: list[OutlineNode] = []
    names = job.names
    found = names.find(*job.entry.split('.'))
    if found and isinstance(found.element, Encapsulation):
        _encapsulation(found.element, job.entry, job.entry, 0, found.names, nodes)
    else:
        nodes.append(OutlineNode(job.entry, 'atom', job.entry, 0, 0))
    return nodes


def _encapsulation(
    element: Encapsulation,
    path: str,
    text: str,
    depth: int,
    names: Names,
    nodes: list[OutlineNode],
) -> None:
    nodes.append(OutlineNode(path, element.kind, text, depth, element.place.line))
    if depth > DEEPEST:
        # It will not run that deep either.
        return
    _steps(element.steps, path, depth + 1, names, nodes)
    for handler in element.handlers:
        if len(nodes) >= MOST_NODES:
            return
        if handler.action.call:
            name = format_expression(handler.action.call).split('(')[0]
            _element(handler.action.call, f'{path}.{name}', 'handler', depth + 1, names, nodes)
    for call in element.cleanup:
        if len(nodes) >= MOST_NODES:
            return
        _element(call, f'{path}.finally', 'finally', depth + 1, names, nodes)


def _steps(
    steps: tuple[Step, ...], path: str, depth: int, names: Names, nodes: list[OutlineNode]
) -> None:
    for name, step in zip(names_of(steps), steps, strict=True):
        if len(nodes) >= MOST_NODES:
            return
        inner = f'{path}.{name}'
        line = step.place.line
        match step:
            case Run(call=None):
                nodes.append(OutlineNode(inner, 'group', name, depth, line))
                _steps(step.steps, inner, depth + 1, names, nodes)
            case Run():
                assert step.call is not None
                _element(step.call, inner, 'atom', depth, names, nodes, line)
            case Parallel():
                nodes.append(OutlineNode(inner, 'par', f'par {step.mode}', depth, line))
                _steps(step.steps, inner, depth + 1, names, nodes)
            case Condition():
                text = f'if {format_expression(step.condition)}'
                nodes.append(OutlineNode(inner, 'if', text, depth, line))
                _steps(step.then, inner, depth + 1, names, nodes)
                _steps(step.otherwise, inner, depth + 1, names, nodes)
            case _:
                target = format_expression(step.target) if step.target else 'last'
                nodes.append(OutlineNode(inner, 'reverse', f'reverse {target}', depth, line))


def _element(
    call: Expression,
    path: str,
    kind: str,
    depth: int,
    names: Names,
    nodes: list[OutlineNode],
    line: int = 0,
) -> None:
    found = names.called(call)
    text = format_expression(call)
    if found and isinstance(found.element, Encapsulation):
        _encapsulation(found.element, path, text, depth, found.names, nodes)
    else:
        nodes.append(OutlineNode(path, kind, text, depth, line or call.place.line))
