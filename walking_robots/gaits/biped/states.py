"""The twelve states of the walk, and what the servos do in each (biped.md §9)."""

from enum import IntEnum
from typing import Literal, NamedTuple

from walking_robots.robots.kwalk import LEFT, RIGHT


class WalkPhase(IntEnum):
    """What the legs do: as states 0 to 3, and then as states 4 to 7 and again as 8 to 11."""

    BEGIN = 0
    PLACE = 1
    SETTLE = 2
    BALANCE = 3
    DOUBLE = 4
    LIFT = 5
    SWING = 6
    LOWER = 7
    FALLEN = 12


FALLEN = int(WalkPhase.FALLEN)
"""The state of a robot that lies: all joints limp (§9.11)."""
HALF_CYCLE = 4

Servo = Literal['limp', 'pd', 'pd+ff', 'ff', 'ff+damping']
"""The modes of the servos (§2.5)."""


class Modes(NamedTuple):
    """The servos in a phase: of the leg ahead, which carries, and of the other."""

    support_hip: Servo
    support_knee: Servo
    other_hip: Servo
    other_knee: Servo


_PLACED = Modes('pd+ff', 'pd+ff', 'pd+ff', 'pd+ff')
_LIMP = Modes('limp', 'limp', 'limp', 'limp')
_SHARED = {
    WalkPhase.BEGIN: _PLACED,
    WalkPhase.PLACE: _PLACED,
    WalkPhase.SETTLE: _PLACED,
    WalkPhase.DOUBLE: Modes('pd', 'ff', 'limp', 'ff'),
    WalkPhase.SWING: Modes('pd', 'ff', 'pd', 'pd'),
    WalkPhase.FALLEN: _LIMP,
}


def modes_of(
    *, balance_at_start: bool, swing_hip_in_lift: bool, carry_shank: bool, damped_hip: bool
) -> dict[WalkPhase, Modes]:
    """Return the modes of all phases, with what the listings do differently (§9.1 to §9.10)."""
    return {
        **_SHARED,
        WalkPhase.BALANCE: Modes('pd' if balance_at_start else 'limp', 'ff', 'limp', 'ff'),
        WalkPhase.LIFT: Modes(
            'pd', 'ff', 'pd' if swing_hip_in_lift else 'limp', 'pd+ff' if carry_shank else 'pd'
        ),
        WalkPhase.LOWER: Modes('pd', 'ff', 'ff+damping' if damped_hip else 'pd', 'ff+damping'),
    }


def half_of(state: int) -> int:
    """Return the leg that is ahead and carries: right to state 7, left from 8 to 11."""
    return LEFT if WalkPhase.LOWER < state < WalkPhase.FALLEN else RIGHT


def phase_of(state: int) -> WalkPhase:
    """Return the phase of a state."""
    return WalkPhase(state - HALF_CYCLE) if half_of(state) == LEFT else WalkPhase(state)


def state_of(phase: WalkPhase, half: int) -> int:
    """Return the number of a phase in the half cycle of a leg, right or left."""
    walks = WalkPhase.DOUBLE <= phase <= WalkPhase.LOWER
    return phase + HALF_CYCLE if half == LEFT and walks else int(phase)
