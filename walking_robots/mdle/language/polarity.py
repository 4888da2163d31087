"""Which truth of an interrupt ends an element (mdle.md §4.1).

Here it ends where its interrupt is true. Some papers define the interrupt as what is true while
the element runs; a program written so is read with every condition negated.
"""

from collections.abc import Iterable
from dataclasses import replace
from typing import Literal

from walking_robots.mdle.language.ast import (
    Condition,
    Encapsulation,
    Expression,
    Guard,
    Parallel,
    Program,
    Run,
    Step,
    Truth,
    Unary,
)

Polarity = Literal['end', 'run_while']
POLARITIES: tuple[Polarity, ...] = ('end', 'run_while')


def ending(condition: Expression, polarity: Polarity) -> Expression:
    """Give the condition that ends an element, of one written with a polarity.

    Raises ValueError for a polarity that there is not.
    """
    if not _turned(polarity):
        return condition
    if isinstance(condition, Truth):
        return Truth(not condition.value, place=condition.place)
    if isinstance(condition, Unary) and condition.operator == 'not':
        return condition.operand
    return Unary('not', condition, place=condition.place)


def _turned(polarity: Polarity) -> bool:
    if polarity not in POLARITIES:
        raise ValueError(f'{polarity!r} is no polarity; use {" or ".join(POLARITIES)}')
    return polarity == 'run_while'


def with_polarity(program: Program, polarity: Polarity) -> Program:
    """Give a program whose guards end elements, of one that was read with a polarity.

    What is declared as an interrupt is negated where it is used. Raises ValueError for a polarity
    that there is not.
    """
    if not _turned(polarity):
        return program

    def guards(written: Iterable[Guard]) -> tuple[Guard, ...]:
        turned = (replace(g, condition=ending(g.condition, polarity)) for g in written)
        # What runs while true has no end of its own.
        return tuple(guard for guard in turned if guard.condition != Truth(False))

    def step(written: Step) -> Step:
        match written:
            case Run():
                left = guards((written.guard,) if written.guard else ())
                return replace(
                    written, guard=left[0] if left else None, steps=steps(written.steps)
                )
            case Parallel():
                return replace(written, steps=steps(written.steps))
            case Condition():
                then, otherwise = steps(written.then), steps(written.otherwise)
                return replace(written, then=then, otherwise=otherwise)
        return written

    def steps(written: Iterable[Step]) -> tuple[Step, ...]:
        return tuple(map(step, written))

    def containers(written: Iterable[Encapsulation]) -> tuple[Encapsulation, ...]:
        return tuple(
            replace(element, guards=guards(element.guards), steps=steps(element.steps))
            for element in written
        )

    return replace(
        program,
        atoms=tuple(replace(atom, guards=guards(atom.guards)) for atom in program.atoms),
        behaviors=containers(program.behaviors),
        plans=containers(program.plans),
    )
