"""What the page has to know of a hexapod and its gait, as plain data."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from walking_robots.geometry.pose import Vector
from walking_robots.robots.model import HalfSpace, HexapodModel

RADIUS_OF_ASV = 1.77
"""Distance of the feet of the ASV from the middle, m."""


@dataclass(frozen=True)
class LegSigns:
    """What is drawn at a leg, m, base_link: its number at a place, and its working volume.

    A leg whose volume is not known has none of its planes.
    """

    number: int
    place: Vector
    volume: tuple[HalfSpace, ...]


@dataclass(frozen=True)
class MarginScale:
    """A bar of the static margin, m: bad below `least`, tight below `comfort`.

    name: what stands before the bar, such as 'now'.
    """

    name: str
    least: float
    comfort: float


@dataclass(frozen=True)
class Velocity:
    """The slider of a velocity, m/s or rad/s, symmetrical about rest.

    Velocities below `least` move nothing; 0 where all do.
    """

    limit: float
    step: float
    value: float
    least: float = 0.0


@dataclass(frozen=True)
class Obstacles:
    """What a new terrain is made of at first: share of forbidden cells, and a ditch, m.

    Where `widest` is 0 no ditch is offered.
    """

    share: float
    widest: float = 0.0
    ditch: float = 0.0


@dataclass(frozen=True)
class GaitChoice:
    """A gait that repeats: its shortest period (s), and how fast that goes (m/s, rad/s)."""

    name: str
    period: float
    speed: float
    turn: float


@dataclass(frozen=True)
class BodyRange:
    """Limits of the commanded body posture to either side of neutral, m and rad."""

    shift: float
    tilt: float


@dataclass(frozen=True)
class HexapodMachine:
    """A hexapod as the page shows it.

    start: where its body is first, m, odom; radius: distance of its feet from the middle, m;
    foothold: radius of the disc that stands for one, m; rows: numbers of the legs, left before
    right and front to rear; margins: of the present, and of the future where the gait plans one;
    widest: margin at the end of a bar, m; mark: what the least margin is needed for; velocities:
    ahead, to the left, turning left; obstacles: None for a gait that does not look for footholds;
    reach: least time to the border of a working volume and the one that stands for rest, s, where
    the gait knows it; joints: ends of their ranges by URDF name, rad, where the room left to a
    leg is shown; gaits: those that repeat, the first one walks; body: None where it cannot be
    commanded; sees: whether a depth sensor shows it the ground; strengths: greatest torques and
    forces of joints by URDF name, N m and N; outline: corners (x, y) of the wire frame's body, m,
    base_link, the mark of the front first, none where there is no such style.
    """

    title: str
    start: Vector
    radius: float
    foothold: float
    legs: tuple[LegSigns, ...]
    rows: tuple[tuple[int, ...], ...]
    margins: tuple[MarginScale, ...]
    widest: float
    mark: str
    velocities: tuple[Velocity, Velocity, Velocity]
    obstacles: Obstacles | None = None
    horizon: float = 0.0
    reach: tuple[float, float] | None = None
    joints: Mapping[str, tuple[float, float]] = field(default_factory=dict)
    gaits: tuple[GaitChoice, ...] = ()
    body: BodyRange | None = None
    sees: bool = False
    strengths: Mapping[str, float] = field(default_factory=dict)
    outline: tuple[tuple[float, float], ...] = ()

    @property
    def size(self) -> float:
        """Return how large signs are, times those of the ASV."""
        return self.radius / RADIUS_OF_ASV

    @property
    def decimals(self) -> int:
        """Return how many decimals of a metre are worth reading."""
        return 2 if self.size > 0.5 else 3


FORWARD = 0.12
"""Velocity, m/s, at which a person first walks the ASV."""

WIDEST_DITCH, FIRST_DITCH = 3.0, 2.1
"""Widest ditch offered for the ASV and the one first offered, m."""

SHARE = 0.2


def free_machine(model: HexapodModel, title: str, horizon: float = 0.0) -> HexapodMachine:
    """Describe a robot of the size of the ASV, with the limits of its free gait.

    ``horizon``, m, is how far ahead it plans as a rule.
    """
    limits = model.stability
    ahead = model.horizon[2] * model.timing.dt
    order = sorted(model.legs, key=lambda leg: ((leg.number - 1) // 2, leg.side < 0))
    numbers = [leg.number for leg in order]
    return HexapodMachine(
        title=title,
        start=model.start_position,
        radius=RADIUS_OF_ASV,
        foothold=0.13,
        legs=tuple(
            LegSigns(leg.number, (leg.hip[0], leg.hip[1] * 1.9, 0.45), leg.volume)
            for leg in model.legs
        ),
        rows=tuple(zip(numbers[::2], numbers[1::2], strict=True)),
        margins=(
            MarginScale('now', limits.lift, limits.comfort_present),
            MarginScale(f'in {ahead:g} s', limits.plan, limits.comfort_plan),
        ),
        widest=1.0,
        mark='least for a lift',
        velocities=free_velocities(model, FORWARD, 0.01, 0.005),
        obstacles=Obstacles(SHARE, WIDEST_DITCH, FIRST_DITCH),
        horizon=horizon,
        reach=(model.kinematic_margin.present_limit, model.kinematic_margin.at_rest),
    )


def free_velocities(
    model: HexapodModel, value: float, step: float, turn_step: float
) -> tuple[Velocity, Velocity, Velocity]:
    """Return the sliders of a free gait, `value` the speed ahead that is first offered, m/s.

    A command whose first filtered step stays in the dead zone never moves the body.
    """
    limits, smooth = model.command, model.velocity
    factor = smooth.time_constant / model.timing.dt
    least, least_turn = smooth.dead_zone * factor, smooth.angular_dead_zone * factor
    return (
        Velocity(limits.forward, step, value, least),
        Velocity(limits.lateral, step, 0.0, least),
        Velocity(limits.turn, turn_step, 0.0, least_turn),
    )
