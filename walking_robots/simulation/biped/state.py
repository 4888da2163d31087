"""What a simulated biped is at one instant, and how it is simulated."""

from dataclasses import dataclass
from typing import Literal, NamedTuple

from walking_robots.geometry.pitch import pitch_quaternion
from walking_robots.geometry.pose import Quaternion, Vector

Contact = Literal['thesis', 'native']

THESIS_STEP = 2e-4
NATIVE_STEP = 1e-3
"""Time steps, s, for springs and for MuJoCo's contacts (biped.md §12.4, §13)."""
SHORTEST_STEP = 1e-5
LONGEST_STEP = {'thesis': 5e-4, 'native': 4e-3}
"""Bounds of time steps, s; from 0.6 ms on KWALKB falls on the springs of level ground."""


@dataclass(frozen=True)
class SimulationSettings:
    """How a biped is simulated.

    contact: the springs of the thesis or MuJoCo's own; time_step: s, of the physics, or that
    which suits the contact; servo_step: s between two efforts of the servos, every step of the
    physics where zero; delay: s from what servos measure to their effort; friction: of MuJoCo's
    contacts; give: their time constant, s (§13); penetration: at which the springs of the thesis
    become rigid, m, its nomlen_z (§3.1).
    """

    contact: Contact = 'thesis'
    time_step: float | None = None
    servo_step: float = 0.0
    delay: float = 0.0
    friction: float = 1.0
    give: float = 0.004
    penetration: float = 0.008

    def __post_init__(self) -> None:
        """Refuse what cannot be simulated."""
        if self.contact not in ('thesis', 'native'):
            raise ValueError(f"contact is 'thesis' or 'native', found {self.contact!r}")
        longest = LONGEST_STEP[self.contact]
        if not SHORTEST_STEP <= self.step <= longest:
            raise ValueError(
                f'a time step with {self.contact} contacts must be from 1e-5 to {longest:g} s, '
                f'found {self.step:g} s'
            )
        if self.servo_step < 0.0 or self.delay < 0.0:
            raise ValueError('servo step and delay must not be negative')

    @property
    def step(self) -> float:
        """Return the time step of the physics, s."""
        if self.time_step is not None:
            return self.time_step
        return THESIS_STEP if self.contact == 'thesis' else NATIVE_STEP


class BipedFootState(NamedTuple):
    """A foot: whether its switch is closed, the force of the ground on it, N, where it is, m.

    anchor: the x, m, at which it touched down, while the springs of the thesis hold it.
    """

    contact: bool = False
    force_x: float = 0.0
    force_z: float = 0.0
    x: float = 0.0
    z: float = 0.0
    anchor: float | None = None

    @property
    def place(self) -> Vector:
        """Return where it is, m."""
        return (self.x, 0.0, self.z)

    @property
    def force(self) -> Vector:
        """Return the force of the ground on it, N."""
        return (self.force_x, 0.0, self.force_z)


class BipedState(NamedTuple):
    """All of a simulated biped; a simulation that is given it goes on from there.

    x, z: of the hip axis, m; pitch: rad, nose down; joints: rhip, rknee, lhip, lknee, rad, or m
    for prismatic knees; velocity: rates of all seven; efforts: of the joints in the last step,
    N m or N; waiting: efforts on their way, with a delay; warm: where the solver of contacts
    begins its search.
    """

    time: float
    x: float
    z: float
    pitch: float
    joints: tuple[float, float, float, float]
    velocity: tuple[float, float, float, float, float, float, float]
    feet: tuple[BipedFootState, BipedFootState] = (BipedFootState(), BipedFootState())
    efforts: tuple[float, float, float, float] = (0.0, 0.0, 0.0, 0.0)
    waiting: tuple[tuple[float, float, float, float], ...] = ()
    warm: tuple[float, ...] = ()

    @property
    def place(self) -> Vector:
        """Return where the hip axis is, m."""
        return (self.x, 0.0, self.z)

    @property
    def attitude(self) -> Quaternion:
        """Return the orientation, w, x, y, z."""
        return pitch_quaternion(self.pitch)

    @property
    def moving(self) -> Vector:
        """Return the velocity of the hip axis, m/s, along the axes of the world."""
        return (self.velocity[0], 0.0, self.velocity[1])

    @property
    def turning(self) -> Vector:
        """Return the rates of the body about its own axes, rad/s."""
        return (0.0, self.velocity[2], 0.0)

    @property
    def rates(self) -> tuple[float, float, float, float]:
        """Return the rates of the joints, 1/s."""
        return self.velocity[3:]

    @property
    def contacts(self) -> tuple[bool, bool]:
        """Return the foot switches, right and left."""
        return (self.feet[0].contact, self.feet[1].contact)


def resting(joints: tuple[float, float, float, float], z: float, *, x: float = 0.0) -> BipedState:
    """Return a level robot at rest with its hips at x and z, m."""
    return BipedState(0.0, x, z, 0.0, joints, (0.0,) * 7)
