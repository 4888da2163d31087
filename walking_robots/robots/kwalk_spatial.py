"""KWALKB in space: hips that also yaw and roll, round feet, no ankles.

Not of the thesis. Everything that it shares with the planar robot is that robot's; the numbers
here are those of the study in ``biped_frontier.md`` §3.
"""

from dataclasses import dataclass

from walking_robots.robots.kwalk import FALL_PITCH, KWALKB, BodyBox, Kwalk, has_fallen

SPATIAL_JOINTS = ('ryaw', 'rroll', 'rhip', 'rknee', 'lyaw', 'lroll', 'lhip', 'lknee')
"""The joints in the order of all orders and readings, from the body outwards."""

LINK = BodyBox(0.04, 0.04, 0.04, 0.05 / 0.04**3)
"""Between the axes of a hip: 50 g."""

EACH_LEG = 4
"""Joints of a leg."""


@dataclass(frozen=True)
class SpatialKwalk:
    """A biped in space whose legs bend in planes as those of a planar one; SI.

    A hip yaws about +z, then rolls about +x, then turns about +y as the planar hip does; all three
    axes meet. hip_spacing: m between the hips; link: the part between yaw and roll and pitch of a
    hip, whose mass is taken from the body; limits in rad and N m; foot_radius: m, of the sphere
    that touches the ground; foot_torsion: m, of torsional friction, as of a flat round foot with
    a radius of 3 cm.
    """

    name: str
    letter: str
    planar: Kwalk
    hip_spacing: float = 0.12
    link: BodyBox = LINK
    yaw_range: tuple[float, float] = (-0.6, 0.6)
    roll_range: tuple[float, float] = (-0.8, 0.8)
    yaw_effort: float = 15.0
    roll_effort: float = 15.0
    foot_radius: float = 0.01
    foot_torsion: float = 0.02

    @property
    def body(self) -> BodyBox:
        """Return the body without the links."""
        box = self.planar.body
        share = (box.mass - 2.0 * self.link.mass) / box.mass
        return box._replace(density=box.density * share)

    @property
    def hips(self) -> tuple[float, float]:
        """Return where the hips are, right and left, m to the left."""
        return (-self.hip_spacing / 2.0, self.hip_spacing / 2.0)

    @property
    def mass(self) -> float:
        """Return the mass of the robot, kg."""
        return self.planar.mass

    @property
    def efforts(self) -> tuple[float, ...]:
        """Return the greatest efforts of the joints in their order."""
        leg = (self.yaw_effort, self.roll_effort, self.planar.hip_effort, self.planar.knee_effort)
        return leg + leg


KWALKB3D = SpatialKwalk('kwalkb3d', 'b3d', KWALKB)
SPATIAL_KWALKS = {robot.letter: robot for robot in (KWALKB3D,)}
"""The bipeds in space by the name of the command line."""


def has_tumbled(height: float, roll: float, pitch: float) -> bool:
    """Return whether a robot lies: by the height of its hips over the ground, m, or by rad."""
    return has_fallen(height, pitch) or abs(roll) > FALL_PITCH
