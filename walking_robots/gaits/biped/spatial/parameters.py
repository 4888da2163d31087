"""What the walk of a biped in space is set by: the planar numbers, and those sideways."""

from dataclasses import dataclass

from walking_robots.gaits.biped.parameters import WalkParameters


@dataclass(frozen=True, kw_only=True)
class SpatialParameters(WalkParameters):
    """A set of parameters, SI (``biped_frontier.md`` §3; steps on the spot are not from there).

    beside: how far a foot is put down outward of the capture point; ahead, after: times, s, from
    lift-off to the touch-down that is expected, and by which one is expected at least later;
    share: of the capture point's distance from the middle of the body that counts; narrow: least
    distance of the feet sideways; gate: how far inward of the foot ahead the capture point may be
    when the other one lifts; hurry: how far outward of it the capture point must be for the foot
    in the air to be put down at once, as soon as it is ahead; roll_stiffness, roll_damping:
    N m/rad and N m s/rad, by which legs that stand keep the body level; rear_damping: the part of
    the latter the
    leg behind has; load_share: of the torque by which the force of a leg, that acts
    beside the middle, rolls the body, that its hip takes; start_beside: m, of the feet from the
    middle before the first step; swing_stiffness, swing_damping: of the roll of a leg that swings;
    yaw_stiffness, yaw_damping: of the heading by legs that stand, and of the yaw of one that
    swings; yaw_lead: rad per rad by which the latter turns with the error of heading;
    sway_smoothing: time constant, s, of the speed sideways that is felt.

    On the spot: march_below: desired speed, m/s, below which the robot steps on a spot, which
    moves with that speed; march_time: s from lift-off to where a foot is put down; march_share,
    march_ahead: as share and beside, ahead; march_hold: m farther ahead per m that the body is
    ahead of its spot; march_lead: m less far per m/s that the spot moves ahead.
    """

    beside: float
    ahead: float
    after: float
    share: float
    narrow: float
    gate: float
    hurry: float
    roll_stiffness: float
    roll_damping: float
    rear_damping: float
    load_share: float
    start_beside: float
    swing_stiffness: float
    swing_damping: float
    yaw_stiffness: float
    yaw_damping: float
    yaw_lead: float
    march_time: float
    march_share: float
    march_ahead: float
    march_hold: float
    march_lead: float
    march_below: float
    sway_smoothing: float
