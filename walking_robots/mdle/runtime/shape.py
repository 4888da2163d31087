"""What a container of steps is, whether it was written as a behavior, a plan, or in place."""

from dataclasses import dataclass, replace
from typing import Literal

from walking_robots.mdle.knowledge.names import spelled
from walking_robots.mdle.language import ast

ONCE = ast.Loop('count', 1)
"""Repetitions of an element whose own actions a container of its own is to answer."""


@dataclass(frozen=True, slots=True)
class Shape:
    """A container: its steps, and all that goes for them together.

    kind: 'step' is one element with guards, a timer or repetitions of its own; 'group' stands in
    parentheses, 'then' and 'else' are what an ``if`` chose; gentle: its timer is that of an atom,
    after which the next step follows; names: of the steps, for paths; outputs: names that it
    hands out at its end.
    """

    kind: Literal['plan', 'behavior', 'group', 'then', 'else', 'step', 'lane', 'program']
    steps: tuple[ast.Step, ...]
    names: tuple[str, ...] = ()
    guards: tuple[ast.Guard, ...] = ()
    timeout: ast.Timeout | None = None
    loop: ast.Loop | None = None
    handlers: tuple[ast.Handler, ...] = ()
    cleanup: tuple[ast.Expression, ...] = ()
    requires: tuple[ast.Expression, ...] = ()
    outputs: tuple[str, ...] = ()
    gentle: bool = False
    place: ast.Place = ast.NOWHERE

    @property
    def transparent(self) -> bool:
        """Whether it stands around one element and shows outside what that showed."""
        return self.kind in ('step', 'lane', 'program')

    @property
    def logged(self) -> bool:
        """Whether its entries and exits are events."""
        return not self.transparent


def shape_of_encapsulation(element: ast.Encapsulation) -> Shape:
    """Return the container that a behavior or a plan is."""
    return Shape(
        element.kind,
        element.steps,
        names_of(element.steps),
        element.guards,
        element.timeout,
        element.loop,
        element.handlers,
        element.cleanup,
        element.requires,
        tuple(output.name for output in element.outputs),
        place=element.place,
    )


def shape_of_run(step: ast.Run, gentle: bool) -> Shape:
    """Return the container of a step: a group, or one element with modifiers of its own."""
    grouped = bool(step.steps)
    bare = replace(step, guard=None, timeout=None, times=None, scale=None, label='', output='')
    return Shape(
        'group' if grouped else 'step',
        step.steps if grouped else (bare,),
        names_of(step.steps) if grouped else (),
        (step.guard,) if step.guard else (),
        step.timeout,
        step.times,
        gentle=gentle,
        place=step.place,
    )


def names_of(steps: tuple[ast.Step, ...]) -> tuple[str, ...]:
    """Return the names of steps in paths: its label, or what it runs; ``spin#2`` is the second."""
    plain = [step.label or _name_of(step) for step in steps]
    return tuple(
        name if not (before := plain[:i].count(name)) else f'{name}#{before + 1}'
        for i, name in enumerate(plain)
    )


def called_name(call: ast.Expression) -> str:
    """Return the name that an element has in paths where a handler runs it."""
    return '.'.join(spelled(call)) or 'handler'


def _name_of(step: ast.Step) -> str:
    if isinstance(step, ast.Run):
        return '.'.join(spelled(step.call)) if step.call else 'group'
    return {ast.Parallel: 'par', ast.Condition: 'if', ast.Reverse: 'reverse'}[type(step)]
