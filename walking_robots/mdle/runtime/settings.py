"""Settings of the executor, with the defaults of mdle.md §2.5 and §4.6."""

from dataclasses import dataclass

__all__ = ['SECOND', 'Settings']

SECOND = 1_000_000_000
"""Nanoseconds."""


@dataclass(frozen=True, slots=True)
class Settings:
    """How the executor runs programs.

    tick_period: s; zeno_limit: changes of element in one tick; stop_timeout: s until a stop that
    is not confirmed is a fault (E807); mask_limit: s for which a handler holds back the guard that
    called it; last_tick_rule: shorten the last tick of a segment, so that its integral is exact;
    default_guards: the plan that is run ends when the robot touches something;
    breakpoints: paths of elements before which the run pauses.
    """

    tick_period: float = 0.05
    zeno_limit: int = 64
    stop_timeout: float = 2.0
    mask_limit: float = 3.0
    last_tick_rule: bool = True
    default_guards: bool = True
    tracking: bool = True
    tube: float = 0.15
    breakpoints: frozenset[str] = frozenset()

    @property
    def period(self) -> int:
        """The period of the ticks, ns."""
        return round(self.tick_period * SECOND)
