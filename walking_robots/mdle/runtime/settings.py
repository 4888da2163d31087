"""What the executor takes from outside: settings (mdle.md §2.5) and requests."""

from dataclasses import dataclass
from typing import Literal

SECOND = 1_000_000_000
"""Nanoseconds."""

Policy = Literal['continue', 'restart_atom', 'fail']
"""What follows a pause; the last two act on every element that runs without elements in it."""


@dataclass(frozen=True, slots=True)
class ExecutorSettings:
    """How the executor runs programs.

    tick_period: s; tick_budget: share of it that a tick may take (E805); zeno_limit: changes
    of element in one tick; stop_timeout: s until a stop that is not confirmed is a fault
    (E807); mask_limit: s for which a handler holds back the guard that called it;
    last_tick_rule: shorten the last tick of a segment, so that its integral is exact;
    default_guards: a contact ends the entry; breakpoints: paths of elements before which the
    run pauses.
    """

    tick_period: float = 0.05
    tick_budget: float = 0.5
    zeno_limit: int = 64
    stop_timeout: float = 2.0
    mask_limit: float = 3.0
    last_tick_rule: bool = True
    default_guards: bool = True
    breakpoints: frozenset[str] = frozenset()

    @property
    def period(self) -> int:
        """The period of the ticks, ns."""
        return round(self.tick_period * SECOND)


@dataclass(frozen=True, slots=True)
class OperatorRequest:
    """What an operator asks of a run (mdle.md §4.6.2, step 4).

    step: go on to the next change of element, and pause again; policy: of resume; code: of a
    fault that was found outside.
    """

    kind: Literal['stop', 'cancel', 'preempt', 'take_over', 'pause', 'step', 'resume', 'fault']
    text: str = ''
    policy: Policy = 'continue'
    code: str = ''
