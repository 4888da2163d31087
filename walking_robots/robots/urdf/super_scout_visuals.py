"""How the Nomad Super Scout is drawn: shapes and guessed masses, in SI.

Only the outline, 0.41 m wide and 0.35 m high, is known (scout_protocol.md §6): everything here
serves the picture and no algorithm.
"""

from dataclasses import dataclass

from walking_robots.robots.super_scout import SUPER_SCOUT


@dataclass(frozen=True)
class Drum:
    """An upright cylinder about the middle of the robot: radius, bottom and top, m; material."""

    radius: float
    bottom: float
    top: float
    material: str


@dataclass(frozen=True)
class WheeledLooks:
    """Shapes (m) and masses (kg) of a drawn round robot.

    sensor: radius and length of a sonar transducer; caster_place: from base_link to where the
    caster touches the floor; mark: size and centre of what shows the front.
    """

    body: tuple[Drum, ...]
    bumper: Drum
    sensor: tuple[float, float]
    caster_radius: float
    caster_place: tuple[float, float]
    mark: tuple[tuple[float, float, float], tuple[float, float, float]]
    wheel_mass: float


_TOP = SUPER_SCOUT.height
_SKIN = SUPER_SCOUT.radius

SUPER_SCOUT_VISUALS = WheeledLooks(
    body=(
        Drum(0.15, 0.025, 0.06, 'chassis'),
        Drum(0.192, 0.06, 0.2, 'shell'),
        Drum(0.196, 0.2, 0.3, 'band'),
        Drum(0.192, 0.3, _TOP - 0.012, 'shell'),
        Drum(0.17, _TOP - 0.012, _TOP, 'lid'),
    ),
    bumper=Drum(_SKIN, 0.065, 0.125, 'bumper'),
    sensor=(0.019, 0.006),
    caster_radius=0.025,
    caster_place=(-0.12, 0.0),
    mark=((0.07, 0.05, 0.006), (0.125, 0.0, _TOP)),
    wheel_mass=0.5,
)
