"""What a simulated biped in space is at one instant."""

from typing import NamedTuple

from walking_robots.geometry.pose import Quaternion, Vector

Eight = tuple[float, float, float, float, float, float, float, float]


class SpatialFootState(NamedTuple):
    """A foot: whether its switch is closed, the force of the ground on it, N, where it is, m."""

    contact: bool = False
    force: Vector = (0.0, 0.0, 0.0)
    place: Vector = (0.0, 0.0, 0.0)


class SpatialState(NamedTuple):
    """All of a simulated biped in space; a simulation that is given it goes on from there.

    place: of the middle between the hips, m; attitude: w, x, y, z; joints: in the order of
    `walking_robots.robots.kwalk_spatial.SPATIAL_JOINTS`, rad; velocity: 14 rates, of the place
    along the axes of the world, of the body about its own axes, of the joints; efforts: of the
    joints in the last step, N m; warm: where the solver of contacts begins its search.
    """

    time: float
    place: Vector
    attitude: Quaternion
    joints: Eight
    velocity: tuple[float, ...]
    feet: tuple[SpatialFootState, SpatialFootState] = (SpatialFootState(), SpatialFootState())
    efforts: Eight = (0.0,) * 8
    warm: tuple[float, ...] = ()

    @property
    def rates(self) -> Eight:
        """Return the rates of the joints, rad/s."""
        a, b, c, d, e, f, g, h = self.velocity[6:]
        return (a, b, c, d, e, f, g, h)

    @property
    def moving(self) -> Vector:
        """Return the velocity of the middle between the hips, m/s, along the axes of the world."""
        a, b, c = self.velocity[:3]
        return (a, b, c)

    @property
    def turning(self) -> Vector:
        """Return the rates of the body about its own axes, rad/s."""
        a, b, c = self.velocity[3:6]
        return (a, b, c)

    @property
    def contacts(self) -> tuple[bool, bool]:
        """Return the foot switches, right and left."""
        return (self.feet[0].contact, self.feet[1].contact)
