"""What the walk of a biped in space is set by: the planar numbers, and those sideways."""

from dataclasses import dataclass

from walking_robots.gaits.biped.parameters import WalkParameters


@dataclass(frozen=True, kw_only=True)
class SpatialParameters(WalkParameters):
    """A set of parameters, SI (``biped_frontier.md`` §3).

    beside: how far a foot is put down outward of the capture point; ahead, after: times, s, from
    lift-off to the touch-down that is expected, and by which one is expected at least later;
    share: of the capture point's distance from the middle of the body that counts; narrow: least
    distance of the feet sideways; gate: how far inward of the foot ahead the capture point may be
    when the other one lifts; roll_stiffness, roll_damping: N m/rad and N m s/rad, by which legs
    that stand keep the body level; rear_damping: what part of the latter the leg behind has;
    load_share: of the torque by which the force of a leg, that acts beside the middle, rolls the
    body, that its hip takes; start_beside: m, of the feet from the middle before the first step;
    swing_stiffness, swing_damping: of the roll of a leg that swings; yaw_stiffness, yaw_damping:
    of the heading by legs that stand, and of the yaw of one that swings; yaw_lead: rad per rad
    by which the latter turns with the error of heading; sway_smoothing: time constant, s, of the
    speed sideways that is felt.
    """

    beside: float = 0.05
    ahead: float = 0.139
    after: float = 0.035
    share: float = 1.10
    narrow: float = 0.02
    gate: float = 0.10
    roll_stiffness: float = 87.0
    roll_damping: float = 6.3
    rear_damping: float = 0.66
    load_share: float = 0.89
    start_beside: float = 0.027
    swing_stiffness: float = 157.0
    swing_damping: float = 2.85
    yaw_stiffness: float = 22.6
    yaw_damping: float = 1.4
    yaw_lead: float = -0.59
    sway_smoothing: float = 0.01
