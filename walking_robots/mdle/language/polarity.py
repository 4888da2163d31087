"""Which truth of an interrupt ends an element (mdle.md §4.1).

Here it ends where its interrupt is true. Some papers define the interrupt as what is true while
the element runs; a program written so is read with every condition negated.
"""

from dataclasses import replace
from typing import Literal

from walking_robots.mdle.language.ast import Expression, Truth, Unary

Polarity = Literal['end', 'run_while']
POLARITIES: tuple[Polarity, ...] = ('end', 'run_while')


def ending(condition: Expression, polarity: Polarity) -> Expression:
    """Return the condition that ends an element, of one written with a polarity.

    Raises ValueError for an unknown polarity.
    """
    if polarity not in POLARITIES:
        raise ValueError(f'{polarity!r} is no polarity; use {" or ".join(POLARITIES)}')
    if polarity == 'end':
        return condition
    if isinstance(condition, Truth):
        return replace(condition, value=not condition.value)
    if isinstance(condition, Unary) and condition.operator == 'not':
        return condition.operand
    return Unary('not', condition, place=condition.place)
