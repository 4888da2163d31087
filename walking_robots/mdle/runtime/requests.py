"""What an operator may ask of a run (mdle.md §4.6.2, step 4)."""

from dataclasses import dataclass
from typing import Literal

__all__ = ['Policy', 'Request']

Policy = Literal['continue', 'restart_atom', 'fail']
"""What follows a pause; the last two act on every element that runs without elements in it."""


@dataclass(frozen=True, slots=True)
class Request:
    """One request.

    step: go on to the next change of element, and pause again; policy: of resume; code: of a
    fault that was seen outside, such as an overrun of the ticks.
    """

    kind: Literal['stop', 'cancel', 'preempt', 'pause', 'step', 'resume', 'fault']
    text: str = ''
    policy: Policy = 'continue'
    code: str = ''
