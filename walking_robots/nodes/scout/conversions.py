"""Messages of a Scout: odometry, sonars, bumper, battery and wheels."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from nav_msgs.msg import Odometry
from sensor_msgs.msg import BatteryState, JointState, PointCloud2, PointField, Range
from std_msgs.msg import Header
from walking_robots_interfaces.msg import Bumper

from walking_robots.geometry.se2 import Pose2, Twist2, quaternion
from walking_robots.nodes.common.conversions import (
    fill_pose,
    fill_twist,
    header_to_msg,
)
from walking_robots.robots.wheeled import SonarModel, WheeledModel
from walking_robots.scout import readings
from walking_robots.scout.readings import BatteryLevel, Readings

WHEELS = ('left_wheel_joint', 'right_wheel_joint')


def odometry_to_msg(
    stamp: int, frames: tuple[str, str], pose: Pose2, twist: Twist2,
    covariances: tuple[Sequence[float], Sequence[float]] | None = None,
) -> Odometry:  # fmt: skip
    """Return odometry; ``frames`` outer and body, ``covariances`` diagonals of pose and twist."""
    found = Odometry(header=header_to_msg(stamp, frames[0]), child_frame_id=frames[1])
    fill_pose(found.pose.pose, (pose.x, pose.y, 0.0), quaternion(pose.heading))
    fill_twist(found.twist.twist, (twist.v, 0.0, 0.0, 0.0, 0.0, twist.w))
    if covariances is not None:
        for part, diagonal in zip((found.pose, found.twist), covariances, strict=True):
            part.covariance = np.diag(np.asarray(diagonal, dtype=float)).ravel()
    return found


@dataclass(frozen=True)
class Sonars:
    """Makes the messages of a sonar ring; ``clip`` gives the far limit where no echo came."""

    model: SonarModel
    near: float
    far: float
    field_of_view: float
    radius: float
    height: float
    clip: bool

    def ranges(self, stamp: int, distances: Sequence[float]) -> dict[int, Range]:
        """Return one message for each sensor that fires, by number (REP-117)."""
        return {
            sensor: Range(
                header=header_to_msg(stamp, f'sonar_{sensor}'),
                radiation_type=Range.ULTRASOUND,
                field_of_view=self.field_of_view,
                min_range=self.near,
                max_range=self.far,
                range=self.far if self.clip and distance == math.inf else distance,
            )
            for sensor, distance in enumerate(distances)
            if not math.isnan(distance)
        }

    def points(self, stamp: int, frame: str, distances: Sequence[float]) -> PointCloud2:
        """Return the echoes on the axes of their sensors."""
        hits = [
            (self.model.bearing(sensor), self.radius + distance)
            for sensor, distance in enumerate(distances)
            if math.isfinite(distance)
        ]
        return _cloud(header_to_msg(stamp, frame), hits, self.height)


def bumper_to_msg(
    stamp: int, frame: str, found: readings.Bumper, bearings: Sequence[float]
) -> Bumper:
    """Return the switches and the word they came in."""
    return Bumper(
        header=header_to_msg(stamp, frame),
        pressed=found.pressed,
        switches=list(found.switches),
        bearings=list(bearings),
        raw=found.raw,
    )


def bumper_to_points(
    stamp: int, frame: str, found: readings.Bumper, bearings: Sequence[float], model: WheeledModel
) -> PointCloud2:
    """Return a point on the rim for each closed switch, for a costmap."""
    closed = [
        (bearing, model.radius)
        for bearing, pressed in zip(bearings, found.switches, strict=True)
        if pressed
    ]
    return _cloud(header_to_msg(stamp, frame), closed, 0.5 * model.height)


def battery_to_msg(stamp: int, found: Readings) -> BatteryState:
    """Return what is known of the battery, NaN for the rest."""
    kind = BatteryState
    status = kind.POWER_SUPPLY_STATUS_UNKNOWN
    if found.level is not BatteryLevel.UNKNOWN or found.plugged:
        status = (
            kind.POWER_SUPPLY_STATUS_CHARGING
            if found.charging
            else kind.POWER_SUPPLY_STATUS_NOT_CHARGING
            if found.plugged
            else kind.POWER_SUPPLY_STATUS_DISCHARGING
        )
    nan = math.nan
    return BatteryState(
        header=header_to_msg(stamp, ''),
        voltage=found.motor_voltage,
        temperature=nan, current=nan, charge=nan, capacity=nan, design_capacity=nan,
        percentage=nan,
        power_supply_status=status,
        power_supply_technology=kind.POWER_SUPPLY_TECHNOLOGY_UNKNOWN,
        present=True,
    )  # fmt: skip


def wheels_to_msg(
    stamp: int, travel: Sequence[float], found: Readings, radius: float
) -> JointState:
    """Return the angles and speeds of both wheels from the travel of their rims, m."""
    return JointState(
        header=header_to_msg(stamp, ''),
        name=list(WHEELS),
        position=[way / radius for way in travel],
        velocity=[speed / radius for speed in found.wheels],
    )


def _cloud(head: Header, hits: Sequence[tuple[float, float]], height: float) -> PointCloud2:
    """Return points at (bearing, distance) round the robot."""
    points = np.array(
        [(way * math.cos(turn), way * math.sin(turn), height) for turn, way in hits],
        dtype='<f4',
    ).reshape(-1, 3)
    return PointCloud2(
        header=head,
        height=1,
        width=len(points),
        fields=[
            PointField(name=name, offset=4 * index, datatype=PointField.FLOAT32, count=1)
            for index, name in enumerate('xyz')
        ],
        point_step=12,
        row_step=12 * len(points),
        data=points.tobytes(),
        is_dense=True,
    )
