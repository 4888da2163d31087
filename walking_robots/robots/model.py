"""The data that describe a six-legged robot to every other room.

All values are SI. The numbers themselves live in one module a robot, such as
:mod:`walking_robots.robots.asv`.
"""

from dataclasses import dataclass

from walking_robots.geometry.pose import Vector
from walking_robots.robots.articulated import ArticulatedHexapod


@dataclass(frozen=True)
class HalfSpace:
    """A plane in body coordinates whose signed distance ``n . p + d`` bounds a working volume.

    ``inside`` is -1 where the leg reaches points of negative distance, +1 where it reaches
    points of positive distance; the border itself is outside (asv.md §3.2).
    """

    name: str
    normal: Vector
    offset: float
    inside: int


@dataclass(frozen=True)
class PantographModel:
    """Planar pantograph legs behind abduction hinges: lengths in m (asv.md §3.4).

    ``knee_directions`` holds 1 for a leg whose knee is in front, -1 for one behind, leg 1 first.
    """

    hinge_offset: float
    slider_reference: float
    s1: float
    s2: float
    thigh: float
    horizontal_gain: float
    vertical_gain: float
    knee_directions: tuple[int, ...]

    @property
    def shank(self) -> float:
        """Length of the lower link, m: the horizontal gain times the short link."""
        return self.horizontal_gain * self.s2

    def joint_names(self) -> tuple[str, ...]:
        """Name the driven joints, leg by leg: abduction, lift and drive."""
        return self._names('abduction', 'lift', 'drive')

    def passive_joint_names(self) -> tuple[str, ...]:
        """Name the joints that follow from the driven ones, leg by leg: thigh and knee."""
        return self._names('thigh', 'knee')

    def _names(self, *joints: str) -> tuple[str, ...]:
        legs = range(1, len(self.knee_directions) + 1)
        return tuple(f'leg{leg}_{joint}' for leg in legs for joint in joints)


@dataclass(frozen=True)
class LegModel:
    """One leg: where it hangs, where it reaches and where its foot is looked for.

    ``search_edges`` are the long edges of the working volume as (point, direction) lines in
    the body frame, in cyclic order; ``template`` lists the (x, y) points of the foothold
    search, front to rear and outer to inner. Both in m, body frame, and as many for every leg.
    ``side`` is 1 on the left and -1 on the right.
    """

    number: int
    side: int
    hip: Vector
    volume: tuple[HalfSpace, ...]
    search_edges: tuple[tuple[Vector, Vector], ...]
    template: tuple[tuple[float, float], ...]
    start_foot: Vector
    ready_foot: Vector
    starts_supporting: bool
    neighbours: tuple[int, ...]


@dataclass(frozen=True)
class TransferTiming:
    """Phases of a leg transfer, in steps of ``dt`` seconds, and the lift height in m."""

    dt: float
    lift: int
    swing_back: int
    advance: int
    descent: int
    contact: int
    lift_height: float
    contact_threshold: float


@dataclass(frozen=True)
class KinematicMarginLimits:
    """Thresholds of the temporal kinematic margin, s, and its numeric guards (asv.md §8)."""

    accept: float
    plan_limit: float
    present_limit: float
    at_rest: float
    zero_speed: float
    far: float


@dataclass(frozen=True)
class StabilityLimits:
    """Thresholds of the static stability margin, m, and the recovery push (asv.md §10).

    ``too_few`` and ``outside`` are the marks that stand for an undefined margin.
    ``push_speed`` (m/s) is the push at margins up to ``push_cap_below`` (m).
    """

    plan: float
    lift: float
    comfort_plan: float
    comfort_present: float
    too_few: float
    outside: float
    push_speed: float
    push_cap_below: float


@dataclass(frozen=True)
class VelocityFilter:
    """The lag, acceleration limit and dead zone of the body rates (asv.md §6.2)."""

    time_constant: float
    max_acceleration: float
    max_angular_acceleration: float
    dead_zone: float
    angular_dead_zone: float
    slow_down_share: float
    max_deceleration: int


@dataclass(frozen=True)
class PostureRegulator:
    """Attitude and height regulation over the support plane (asv.md §6.4)."""

    gain: float
    slope_flat: float
    slope_full: float
    pitch_max: float
    height_min: float
    height_max: float
    max_rotation_rate: float
    max_vertical_rate: float


@dataclass(frozen=True)
class CommandLimits:
    """Limits and key increments of the operator's stick: m/s, m/s, rad/s (asv.md §5)."""

    forward: float
    lateral: float
    turn: float
    forward_step: float
    lateral_step: float
    turn_step: float


@dataclass(frozen=True)
class DitchCrossing:
    """Geometry of the ditch coordinator, m and m/s (asv.md §4.5, §4.6).

    Ditches from ``min_width`` on are crossed by the sequence; ``preferred_width`` is where it
    begins to be surer than the free gait, ``max_speed`` the fastest at which it stops in time.
    A robot without a sequence has infinite ones.
    """

    default_location: float
    default_width: float
    trigger: float
    min_width: float
    preferred_width: float
    max_speed: float


@dataclass(frozen=True)
class HexapodModel:
    """A six-legged robot and the parameters of its free gait.

    ``kinematics`` says what its legs are; `walking_robots.legs.kinematics` moves them.
    ``horizon`` holds the steps of prediction for the present, for the foothold search and
    for planning; ``plane_period`` the steps between two support-plane estimates.
    """

    name: str
    legs: tuple[LegModel, ...]
    kinematics: PantographModel | ArticulatedHexapod
    cell: float
    start_position: Vector
    timing: TransferTiming
    kinematic_margin: KinematicMarginLimits
    stability: StabilityLimits
    velocity: VelocityFilter
    posture: PostureRegulator
    command: CommandLimits
    ditch: DitchCrossing
    horizon: tuple[int, int, int]
    plane_period: int

    def joint_names(self) -> tuple[str, ...]:
        """Name the driven joints, leg by leg."""
        return self.kinematics.joint_names()

    def passive_joint_names(self) -> tuple[str, ...]:
        """Name the joints that follow from the driven ones, leg by leg."""
        return self.kinematics.passive_joint_names()
