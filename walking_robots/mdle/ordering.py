"""An order that scales or reverses its entry, as the step of a plan that would do the same.

What goes for such a step goes for the order (mdle.md §4.10, §4.11).
"""

from collections.abc import Mapping
from dataclasses import replace

from walking_robots.mdle.language.ast import (
    Encapsulation,
    Expression,
    Number,
    Program,
    Reverse,
    Run,
    Scale,
    Unary,
)
from walking_robots.mdle.runtime.job import call_of

ORDER = 'order'
"""Name of the plan, unless the program has one of that name."""


def with_order(
    program: Program,
    entry: str,
    arguments: Mapping[str, Expression],
    alpha: tuple[float, ...],
    beta: float,
    backwards: bool,
) -> tuple[Program, str]:
    """Return a program with one plan more, which does what is ordered, and its name."""
    call = call_of(entry, arguments)
    element = Reverse(call) if backwards else Run(call)
    scale = Scale(tuple(map(_number, alpha)), _number(beta))
    step = Run(steps=(element,), scale=scale) if alpha else element
    if alpha and isinstance(element, Run):
        step = replace(element, scale=scale)
    name = ORDER
    while any(declared.name == name for declared in program.declarations()):
        name += '_'
    plan = Encapsulation('plan', name, (step,))
    return replace(program, plans=(*program.plans, plan)), name


def _number(value: float) -> Expression:
    return Unary('-', Number(-value)) if value < 0.0 else Number(value)
