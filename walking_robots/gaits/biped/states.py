"""The states of the walk, and what the servos do in each (biped.md §9)."""

from enum import IntEnum
from typing import Literal, NamedTuple

from walking_robots.robots.kwalk import LEFT, RIGHT


class WalkPhase(IntEnum):
    """What the legs do: as states 0 to 3, and then as states 4 to 7 and again as 8 to 11.

    The thesis has no state for a toe that strikes an obstacle, nor for a step back.
    """

    BEGIN = 0
    PLACE = 1
    SETTLE = 2
    BALANCE = 3
    DOUBLE = 4
    LIFT = 5
    SWING = 6
    LOWER = 7
    FALLEN = 12
    STUMBLE = 13
    STEP_BACK = 15

    # That of enumerations is a function in Python, called in every look at a table of phases.
    __hash__ = int.__hash__


(BEGIN, PLACE, SETTLE, BALANCE, DOUBLE, LIFT, SWING, LOWER, _, STUMBLE, STEP_BACK) = WalkPhase
"""The phases by name: in Python 3.11 it takes 0.1 us to look one up in its class."""
FALLEN = int(WalkPhase.FALLEN)
"""The state of a robot that lies: all joints limp (§9.11)."""
_NUMBERS = {
    **{(WalkPhase(n), half): n for n in (0, 1, 2, 3, 12) for half in (RIGHT, LEFT)},
    **{(WalkPhase(n), RIGHT): n for n in (4, 5, 6, 7, 13, 15)},
    **{(WalkPhase(n), LEFT): n + 4 for n in (4, 5, 6, 7)},
    **{(WalkPhase(n), LEFT): n + 1 for n in (13, 15)},
}
"""The number of each phase, by the leg that carries."""
STATES = 1 + max(_NUMBERS.values())
"""How many numbers of states there are, from 0 on."""
_PHASES = {number: phase for (phase, _), number in _NUMBERS.items()}
_HALVES = {number: half for (_, half), number in reversed(_NUMBERS.items())}

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
    WalkPhase.STUMBLE: Modes('pd', 'ff', 'pd', 'pd'),
    WalkPhase.STEP_BACK: Modes('pd', 'ff', 'pd', 'pd'),
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
    """Return the leg that carries, in states of both legs the right one."""
    return _HALVES[state]


def phase_of(state: int) -> WalkPhase:
    """Return the phase of a state."""
    return _PHASES[state]


def state_of(phase: WalkPhase, half: int) -> int:
    """Return the number of a phase while a leg carries, right or left."""
    return _NUMBERS[phase, half]
