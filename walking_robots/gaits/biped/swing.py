"""Where a swinging leg shall go, tick by tick (biped.md §9.4, §9.5, §9.8, §9.9, §15.4)."""

from walking_robots.gaits.biped.machine import WalkMoment
from walking_robots.gaits.biped.states import LIFT, LOWER, STEP_BACK, STUMBLE, SWING, WalkPhase


def aim(now: WalkMoment, phase: WalkPhase) -> None:
    """Set length and angle to which leg w shall move in a phase."""
    if phase == LIFT:
        if _too_long(now):
            now.swing_length = now.short_length
    elif phase == SWING:
        _mirror(now)
        if _must_rise(now):
            now.swing_length = now.short_length
    elif phase == STUMBLE:
        now.swing_length = now.short_length
    elif phase == STEP_BACK:
        now.swing_length = now.short_length - now.set.strike_lift
        now.swing_angle = now.catching_angle
    elif phase == LOWER and now.set.ways.lowering == 'hold':
        if now.set.ways.step_back and now.angle_w > now.angle_s:
            now.swing_angle = now.catching_angle
        else:
            _mirror(now)
        # The length that the leg has: the inverse map then moves the hip only.
        now.swing_length = now.length_w


def _mirror(now: WalkMoment) -> None:
    """Mirror the supporting leg, with the lead, no farther ahead than the limit."""
    now.swing_angle = now.set.lead - now.angle_s - now.brake_angle
    if now.set.forward_limit:
        limit = now.set.forward_limit * now.set.reach - now.brake_angle
        now.swing_angle = max(now.swing_angle, limit)


def _too_long(now: WalkMoment) -> bool:
    """Return whether a leg that lifts is sent to be longer than the supporting one."""
    if now.unmirrored:
        return now.swing_length < now.length_s
    return now.swing_length > now.length_s


def _must_rise(now: WalkMoment) -> bool:
    """Return whether a foot that swings is to keep above the supporting one."""
    if now.set.ways.raise_by_joint:
        return now.hip_w < 0.0 or now.swing_length > now.length_s
    if now.unmirrored:
        return now.angle_w < 0.0 or now.swing_angle < now.angle_s
    return now.swing_angle < 0.0 or now.swing_angle > now.angle_s
