"""What a biped's walk is set by: numbers, and the ways in which the two listings differ."""

import math
from dataclasses import dataclass
from typing import Literal, NamedTuple

from walking_robots.robots.kwalk import Kwalk

Lowering = Literal['frozen', 'damped', 'hold']


@dataclass(frozen=True)
class Ways:
    """How a walk does what the listings of the two robots do differently.

    carried: the parts whose weight the controller counts (§7.4); balance_at_start: hold the pitch
    from state 3 on (§9.2); start_effort: carry the weight while the start posture is taken (§9.1);
    clip_pitch_servo: keep its torque within the hip's (§8.5); swing_hip_in_lift: turn the hip of
    a leg that lifts (§9.8); carry_shank: hold the shank's weight in the lift (§9.3); clear_ahead:
    a foot ahead of the other counts as clear (§9.8); less_pitch: take the pitch from the swinging
    hip's target (§6.2); lowering: what the hip does meanwhile: keep its target, be damped only,
    or go on mirroring the support, which is no part of the thesis (§9.6, §9.10, §15.4);
    raise_by_joint: where its hip is raises the swinging foot, not its target (§9.5, §9.9);
    stumble_to: where an early contact behind leads (§9.12); fresh_angle: lift along the leg as it
    stands (§12.6); mirrored: the left half cycle is the right one's mirror image (§12.7);
    step_back: a robot that falls back puts a foot behind it, which is no part of the thesis.
    """

    carried: Literal['thighs', 'body']
    balance_at_start: bool
    start_effort: bool
    clip_pitch_servo: bool
    swing_hip_in_lift: bool
    carry_shank: bool
    clear_ahead: bool
    less_pitch: bool
    lowering: Lowering
    raise_by_joint: bool
    stumble_to: Literal['double', 'lift']
    fresh_angle: bool = False
    mirrored: bool = True
    step_back: bool = False


LISTED_WAYS = {
    'a': Ways(
        carried='thighs',
        balance_at_start=False,
        start_effort=True,
        clip_pitch_servo=True,
        swing_hip_in_lift=False,
        carry_shank=True,
        clear_ahead=False,
        less_pitch=True,
        lowering='frozen',
        raise_by_joint=True,
        stumble_to='double',
    ),
    'b': Ways(
        carried='body',
        balance_at_start=True,
        start_effort=False,
        clip_pitch_servo=False,
        swing_hip_in_lift=True,
        carry_shank=False,
        clear_ahead=True,
        less_pitch=False,
        lowering='damped',
        raise_by_joint=False,
        stumble_to='lift',
        mirrored=False,
    ),
}
LISTED_WAYS['b3d'] = LISTED_WAYS['b']
"""The ways of the two listings, by the letter of the robot (§9); one in space has b's."""


class BipedMasses(NamedTuple):
    """What the controller takes the body to weigh, kg (§7.4)."""

    double: float
    single: float


class Damping(NamedTuple):
    """Damping constants that follow from stiffness and damping ratio (§7.5).

    hip, start_knee and knee: N m s/rad, or N s/m of a prismatic knee; height: N s/m.
    """

    hip: float
    start_knee: float
    knee: float
    height: float


@dataclass(frozen=True)
class WalkParameters:
    """A set of parameters, SI; in brackets the names of the thesis (biped.md §7.1).

    height: of the hips over the ground (Z_NOM); start_angle: of both legs before the first step;
    speed, least_speed: desired, and at the top of the pendulum (DX_NOM, DX_MIN); reach: angle
    that a swinging leg must pass, negative ahead (THETA_MIN); lead: added to the mirrored angle of
    support (SWING_LEAD); forward_limit: the target's greatest angle as a multiple of reach, none
    where zero; lift: how far a foot rises over its last ground (SWING_HI); shorter: how much
    shorter a swinging leg is than the other (SWING_H); clearance: rise from which on a foot counts
    as clear (G_CLEARANCE); lowering_force, lowering_damping: F_KNEE_DOWN, B_KNEE_DOWN;
    least_push: of a supporting leg, N (F_KNEE_MAX); standing_stiffness: N/m, by which a robot
    that is to stand keeps between its feet; settled, balanced: times, s, after which states 2 and
    3 end; smoothing: time constant, s, of the speed felt by the supporting leg.

    These, and standing_stiffness, are no part of the thesis. strike_lift: by which legs are lifted
    more after a toe has struck an obstacle, and in a step back, m; where zero a strike counts as a
    landing; brake: by which a foot is put down farther ahead per m/s that the body is faster than
    desired, rad, as in Raibert's foot placement (1986); most_acceleration: m/s², by which the
    speed that is felt changes at most, since more is a foot that slips; most_forward: N, by which
    the body is driven or braked at most, since more makes feet slip; any where zero.
    """

    height: float
    reach: float
    lead: float
    lift: float
    shorter: float
    clearance: float
    lowering_force: float
    lowering_damping: float
    start_knee_stiffness: float
    knee_stiffness: float
    hip_damping_ratio: float
    knee_damping_ratio: float
    balanced: float
    smoothing: float
    ways: Ways
    hip_stiffness: float = 150.0
    height_stiffness: float = 600.0
    speed_gain: float = 400.0
    start_angle: float = 0.15
    speed: float = 0.4
    least_speed: float = 0.3
    forward_limit: float = 0.0
    least_push: float = 0.2
    standing_stiffness: float = 300.0
    settled: float = 0.3
    strike_lift: float = 0.0
    brake: float = 0.0
    most_acceleration: float = 0.0
    most_forward: float = 0.0

    @property
    def start_length(self) -> float:
        """Return the length of the legs before the first step, m."""
        return self.height / math.cos(self.start_angle)

    def masses(self, robot: Kwalk) -> BipedMasses:
        """Return what the body counts as."""
        if self.ways.carried == 'thighs':
            double = robot.body.mass + 2.0 * robot.thigh.mass
            return BipedMasses(double, double + robot.shank.mass)
        double = robot.body.mass
        return BipedMasses(double, double + robot.thigh.mass + robot.shank.mass)

    def damping(self, robot: Kwalk) -> Damping:
        """Return the damping constants; the body's takes the ratio of the knee (§7.5)."""
        thigh = robot.thigh.mass * (robot.thigh.z / 2.0) ** 2
        if robot.knee == 'prismatic':
            hip = (thigh + robot.shank.mass * robot.thigh.z**2) / 3.0
            knee = robot.shank.mass
        else:
            arm = robot.thigh.z + robot.shank.z / 2.0
            hip = (thigh + robot.shank.mass * arm**2) / 3.0
            knee = robot.shank.mass * (robot.shank.z / 2.0) ** 2 / 3.0

        def damping(ratio: float, stiffness: float, inertia: float) -> float:
            return 2.0 * ratio * math.sqrt(stiffness * inertia)

        ratio = self.knee_damping_ratio
        return Damping(
            damping(self.hip_damping_ratio, self.hip_stiffness, hip),
            damping(ratio, self.start_knee_stiffness, knee),
            damping(ratio, self.knee_stiffness, knee),
            damping(ratio, self.height_stiffness, self.masses(robot).double),
        )
