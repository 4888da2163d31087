"""The ways out of each state, as a table to hold against the thesis (biped.md §9).

``s`` is the leg ahead, which carries, ``w`` the other; the right one carries in states 4 to 7,
the left one in 8 to 11, by the same rows. The rows of toe strikes and of steps back are no part
of the thesis; they are taken by sets with a ``strike_lift`` and by those that ``step_back``.
"""

import math
from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

from walking_robots.gaits.biped.laws import capture_point, enough_energy
from walking_robots.gaits.biped.parameters import WalkParameters
from walking_robots.gaits.biped.states import WalkPhase

EARLY = 0.6
"""Part of the reach before which a foot that touches has struck an obstacle."""

LONGEST_STUMBLE = 0.06
"""s; a stumble ends even if the foot is not as high as it shall be."""

MOST_RAISED = 0.15
"""m; by which legs are lifted more, after any number of strikes."""

RISEN = 0.02
"""m; how near a foot must be to the height it shall have."""

FALL_MARGIN, BEHIND_MARGIN = 0.03, 0.05
"""m; how far the capture point is behind the rear foot when the robot steps back, and how far the
foot is put behind the capture point."""

WIDEST_BACK, NEARLY = 0.45, 0.05
"""rad; the greatest angle of a step back, and how near a leg must be to its angle."""


class WalkMoment:
    """What the conditions look at in a tick, and what a way out may set.

    length, angle: of the virtual legs, m and rad; hip: joint angle; contact: foot switches;
    height m and speed m/s of the body; desired_speed, and least_speed at the top of the
    pendulum, m/s; reach: angle at which w is put down; brake_angle: by which it goes farther ahead
    to brake; clear_length: a foot is clear when its leg is shorter; swing_length, swing_angle:
    where w shall go; unmirrored: the left half cycle of a listing with slips there; entered: when
    the state was, s; raised: by how much w is lifted more after a toe strike, m; steps_anyway:
    lift, or put down, whatever energy and reach.
    """

    __slots__ = ('angle_s', 'angle_w', 'brake_angle', 'clear_length', 'contact_s', 'contact_w',
                 'desired_speed', 'entered', 'height', 'hip_w', 'least_speed', 'length_s',
                 'length_w', 'pitch', 'raised', 'reach', 'set', 'speed', 'steps_anyway',
                 'swing_angle', 'swing_length', 'time', 'unmirrored')  # fmt: skip

    set: WalkParameters
    time: float
    pitch: float
    height: float
    speed: float
    desired_speed: float
    least_speed: float
    reach: float
    brake_angle: float
    length_s: float
    length_w: float
    angle_s: float
    angle_w: float
    hip_w: float
    contact_s: bool
    contact_w: bool
    clear_length: float
    swing_length: float
    swing_angle: float
    unmirrored: bool
    entered: float
    raised: float
    steps_anyway: bool

    @property
    def short_length(self) -> float:
        """Return the length of a leg that swings past the other, m."""
        return self.length_s - self.set.shorter - self.raised

    @property
    def catching_angle(self) -> float:
        """Return the angle, rad, at which w catches a robot that falls back."""
        way = BEHIND_MARGIN - capture_point(self.speed, self.height)
        return min(math.atan2(way, self.height), WIDEST_BACK)


def _always(now: WalkMoment) -> bool:
    return True


def _settled(now: WalkMoment) -> bool:
    return now.time > now.set.settled


def _balanced(now: WalkMoment) -> bool:
    return now.time > now.set.balanced


def _enough_energy(now: WalkMoment) -> bool:
    return now.steps_anyway or enough_energy(now.speed, now.height, now.angle_s, now.least_speed)


def _clear(now: WalkMoment) -> bool:
    shortened = now.length_w < now.length_s and now.length_w < now.clear_length
    ahead = now.set.ways.clear_ahead and now.angle_w < now.angle_s
    return (shortened or ahead) and not now.contact_w


def _strikes(now: WalkMoment) -> bool:
    return now.set.strike_lift > 0.0 and now.contact_w and now.angle_w > EARLY * now.reach


def _over(now: WalkMoment) -> bool:
    risen = now.length_w < now.short_length + RISEN and not now.contact_w
    return risen or now.time - now.entered > LONGEST_STUMBLE


def _falls_back(now: WalkMoment, length: float, angle: float) -> bool:
    """Return whether the robot falls back over a foot."""
    if not now.set.ways.step_back or now.speed >= 0.0:
        return False
    return length * math.sin(angle) + capture_point(now.speed, now.height) < -FALL_MARGIN


def _falls_over_rear(now: WalkMoment) -> bool:
    return _falls_back(now, now.length_w, now.angle_w)


def _falls_over_support(now: WalkMoment) -> bool:
    return _falls_back(now, now.length_s, now.angle_s)


def _far_enough_behind(now: WalkMoment) -> bool:
    return now.angle_w > max(now.angle_s, now.catching_angle - NEARLY)


def _touches_after_step_back(now: WalkMoment) -> bool:
    return now.set.ways.step_back and _touches_behind(now)


def _touches_ahead(now: WalkMoment) -> bool:
    return now.contact_w and (now.steps_anyway or now.angle_s > now.angle_w)


def _touches_behind(now: WalkMoment) -> bool:
    return now.contact_w and now.angle_s <= now.angle_w


def _to_lift(now: WalkMoment) -> bool:
    return _touches_behind(now) and now.set.ways.stumble_to == 'lift'


def _far_enough(now: WalkMoment) -> bool:
    return now.steps_anyway or (now.angle_w < now.reach and now.angle_s > now.angle_w)


def _touches(now: WalkMoment) -> bool:
    return now.contact_w


def _nothing(now: WalkMoment) -> None:
    """Set nothing."""


def _land(now: WalkMoment) -> None:
    now.raised = 0.0


def _rise(now: WalkMoment) -> None:
    """Lift the foot more where it was stopped."""
    now.raised = min(now.raised + now.set.strike_lift, MOST_RAISED)
    now.swing_length, now.swing_angle = now.short_length, now.angle_w


def _lift_off(now: WalkMoment) -> None:
    """Measure clearance and lift from the length with which the foot stands."""
    now.clear_length = now.length_w - now.set.clearance
    now.swing_length = now.length_w - now.set.lift - now.raised
    if now.set.ways.fresh_angle:
        now.swing_angle = now.angle_w


def _mirror(now: WalkMoment) -> None:
    """Send the foot to the mirror image of the leg that carries, and ahead of it."""
    now.swing_angle = now.set.lead - now.angle_s


def _stumble(now: WalkMoment) -> None:
    """Measure again from where the foot was stopped."""
    if now.unmirrored:
        now.swing_length = now.length_w - now.set.lift
    else:
        now.clear_length = now.length_w - now.set.clearance


class Exit(NamedTuple):
    """A way out of a phase: when, where to, in which half cycle, and what is set with it."""

    name: str
    when: Callable[[WalkMoment], bool]
    to: WalkPhase
    other_half: bool
    then: Callable[[WalkMoment], None]
    source: str


EXITS: Mapping[WalkPhase, Sequence[Exit]] = {
    WalkPhase.BEGIN: (Exit('constants set', _always, WalkPhase.PLACE, False, _nothing, '§9.1 0'),),
    WalkPhase.PLACE: (Exit('legs placed', _always, WalkPhase.SETTLE, False, _nothing, '§9.1 1'),),
    WalkPhase.SETTLE: (Exit('settled', _settled, WalkPhase.BALANCE, False, _nothing, '§9.1 2'),),
    WalkPhase.BALANCE: (Exit('balanced', _balanced, WalkPhase.DOUBLE, False, _nothing, '§9.1 3'),),
    WalkPhase.DOUBLE: (
        Exit('falls back', _falls_over_rear, WalkPhase.STEP_BACK, True, _nothing, ''),
        Exit('enough energy', _enough_energy, WalkPhase.LIFT, False, _lift_off, '§9.3 3, §9.7 2'),
    ),
    WalkPhase.LIFT: (
        Exit('falls back', _falls_over_support, WalkPhase.STEP_BACK, False, _nothing, ''),
        Exit('clear', _clear, WalkPhase.SWING, False, _mirror, '§9.4 4, §9.8 4'),
    ),
    # A foot that touches is answered first: in the listings that test comes later and overrides.
    WalkPhase.SWING: (
        Exit('toe strike', _strikes, WalkPhase.STUMBLE, False, _rise, ''),
        Exit('touches ahead', _touches_ahead, WalkPhase.DOUBLE, True, _land, '§9.5 6, §9.9 6'),
        Exit('stumble', _to_lift, WalkPhase.LIFT, False, _stumble, '§9.9 6'),
        Exit('stumble', _touches_behind, WalkPhase.DOUBLE, False, _stumble, '§9.5 6, §9.12'),
        Exit('falls back', _falls_over_support, WalkPhase.STEP_BACK, False, _nothing, ''),
        Exit('far enough', _far_enough, WalkPhase.LOWER, False, _nothing, '§9.5 5, §9.9 5'),
    ),
    WalkPhase.LOWER: (
        Exit('landed behind', _touches_after_step_back, WalkPhase.DOUBLE, False, _land, ''),
        Exit('landed', _touches, WalkPhase.DOUBLE, True, _land, '§9.6 4, §9.10 2'),
    ),
    WalkPhase.STUMBLE: (Exit('risen', _over, WalkPhase.SWING, False, _mirror, ''),),
    WalkPhase.STEP_BACK: (
        Exit('far enough behind', _far_enough_behind, WalkPhase.LOWER, False, _nothing, ''),
    ),
    WalkPhase.FALLEN: (),
}
"""In the order in which they are tried; the first that holds is taken."""
