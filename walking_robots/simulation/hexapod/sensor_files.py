"""Read files of depth sensors; a wrong file is refused with its line and the remedy."""

import math
from os.path import exists, isfile
from pathlib import Path
from typing import Annotated, Literal, Self

import numpy as np
from numpy.typing import NDArray
from pydantic import BeforeValidator, Field, model_validator

from walking_robots.documents.fields import DocumentPart, within
from walking_robots.documents.reader import Reader
from walking_robots.documents.shared import shared_path
from walking_robots.geometry.pose import Pose
from walking_robots.geometry.units import parse_angle, parse_length

Array = NDArray[np.float64]

A_SENSOR = 'config/sensors/mast_lidar.yaml'

MOST_RAYS = 100_000

REMEDIES = {
    'scale': 'write metres, or body_heights for lengths that suit robots of any size',
    'mounts': 'write a list such as [{position: [0, 0, 0.5m], pitch: 30deg, yaw: 0deg}]',
    'position': 'write three lengths such as [0, 0, 0.5m]',
    'pitch': 'write an angle such as 30deg, nose down',
    'yaw': 'write an angle such as 90deg, to the left',
    'rate': 'write the looks a second, such as 10',
    'range': 'write the nearest and the farthest distance, such as [0.1m, 8m]',
    'noise': 'write a share of the range, such as 0.01',
    'dropouts': 'write a share of the rays, such as 0.02',
    'camera': 'write {columns: 64, rows: 48, width: 90deg, height: 60deg}',
    'scan': 'write {columns: 64, rows: 9, azimuth: [-40deg, 40deg], elevation: [-75deg, -15deg]}',
    'columns': 'write a whole number such as 64',
    'rows': 'write a whole number such as 48',
    'width': 'write an angle such as 90deg',
    'height': 'write an angle such as 60deg',
    'azimuth': 'write two angles such as [-40deg, 40deg]',
    'elevation': 'write two angles such as [-75deg, -15deg]',
}

Length = Annotated[
    float, BeforeValidator(parse_length), within(-100.0, 100.0, 'within 100 m or body heights')
]
Distance = Annotated[
    float, BeforeValidator(parse_length), within(1e-3, 1000.0, 'from 0.001 to 1000')
]
Angle = Annotated[
    float, BeforeValidator(parse_angle), within(-math.tau, math.tau, 'from -360 to 360 degrees')
]
View = Annotated[float, BeforeValidator(parse_angle), within(0.01, 3.0, 'from 0.6 to 170 degrees')]
Share = Annotated[float, Field(ge=0.0, le=1.0)]
Side = Annotated[int, Field(strict=True, ge=1, le=4096)]


def _spread(count: int, shift: float) -> Array:
    """Return places from 1 to -1, moved by a share of the distance between two."""
    step = 2.0 / max(count - 1, 1)
    found: Array = 1.0 - step * (np.arange(count, dtype=np.float64) + shift)
    return found


class MountPart(DocumentPart):
    """Say where on the body a sensor is, and where to it looks."""

    position: tuple[Length, Length, Length]
    pitch: Angle = 0.0
    yaw: Angle = 0.0

    def pose(self) -> Pose:
        """Return the pose of the sensor in the frame of the body."""
        cy, sy = math.cos(self.yaw), math.sin(self.yaw)
        cp, sp = math.cos(self.pitch), math.sin(self.pitch)
        return Pose(self.position, (cy * cp, -sy, cy * sp, sy * cp, cy, sy * sp, -sp, 0.0, cp))


class DepthCameraPart(DocumentPart):
    """Say how many pixels a depth camera has, and its fields of view."""

    columns: Side
    rows: Side
    width: View
    height: View

    def directions(self, aside: float = 0.0, down: float = 0.0) -> Array:
        """Return the unit directions (n, 3) of all rays, x ahead, row by row.

        They go through places of their pixels that are ``aside`` and ``down`` from the middle, in
        pixels.
        """
        y = _spread(self.columns, aside) * math.tan(self.width / 2)
        z = _spread(self.rows, down)[:, None] * math.tan(self.height / 2)
        found: Array = np.stack(np.broadcast_arrays(1.0, y, z), axis=-1).reshape(-1, 3)
        found /= np.linalg.norm(found, axis=1, keepdims=True)
        return found


class ScannerPart(DocumentPart):
    """Say between which angles a scanner or a spinning lidar looks, and how often in between."""

    columns: Side
    rows: Side
    azimuth: tuple[Angle, Angle]
    elevation: tuple[Angle, Angle]

    def directions(self, aside: float = 0.0, down: float = 0.0) -> Array:
        """Return the unit directions (n, 3) of all rays, x ahead, ring by ring.

        They are turned aside, and the mirror down, by shares of the angle between two.
        """
        low, high = self.azimuth
        around = low + (high - low) * (np.arange(self.columns) + aside) / self.columns
        low, high = self.elevation
        up = (low + high + (low - high) * _spread(self.rows, down)[:, None]) / 2
        x, y = np.cos(up) * np.cos(around), np.cos(up) * np.sin(around)
        z = np.broadcast_to(np.sin(up), x.shape)
        return np.stack((x, y, z), axis=-1).reshape(-1, 3)


class SensorPattern(DocumentPart):
    """Hold the file of a depth sensor; lengths in m once scaled to a robot.

    ``mounts``: where it looks from, one after another; ``rate``: looks a second; ``noise``:
    standard deviation of a range, as a share of it; ``dropouts``: share of rays that return
    nothing.
    """

    scale: Literal['metres', 'body_heights'] = 'metres'
    mounts: Annotated[list[MountPart], Field(min_length=1, max_length=100)]
    rate: Annotated[float, Field(gt=0.0, le=1000.0)] = 10.0
    range: tuple[Distance, Distance]
    noise: Annotated[float, Field(ge=0.0, le=0.2)] = 0.0
    dropouts: Share = 0.0
    camera: DepthCameraPart | None = None
    scan: ScannerPart | None = None

    @model_validator(mode='after')
    def _agree(self) -> Self:
        """Refuse fields that contradict each other."""
        if (self.camera is None) == (self.scan is None):
            raise ValueError('camera: must be there, or scan instead of it')
        rays = self.rays
        if rays.columns * rays.rows > MOST_RAYS:
            raise ValueError(f'{self.kind}: must have {MOST_RAYS} rays at most')
        if not self.range[0] < self.range[1]:
            raise ValueError('range: must begin with the nearest distance')
        return self

    @property
    def kind(self) -> str:
        """Return the name of the field that says where to the rays go."""
        return 'scan' if self.camera is None else 'camera'

    @property
    def rays(self) -> DepthCameraPart | ScannerPart:
        """Return what says where to the rays go."""
        found = self.camera or self.scan
        assert found is not None
        return found

    def scaled(self, height: float) -> 'SensorPattern':
        """Return the pattern in m on a robot whose body stands ``height`` m high."""
        if self.scale == 'metres':
            return self
        mounts = [
            mount.model_copy(update={'position': tuple(part * height for part in mount.position)})
            for mount in self.mounts
        ]
        near, far = self.range
        return self.model_copy(
            update={'scale': 'metres', 'mounts': mounts, 'range': (near * height, far * height)}
        )


class SensorFileError(ValueError):
    """Say in one sentence which file, line and field is wrong, why, and what to write."""


_READER = Reader(
    SensorPattern,
    SensorFileError,
    title='sensor file',
    example='range: [0.1m, 8m]',
    folder='config/sensors',
    shorter='leave out what is no field of a sensor',
    remedies=REMEDIES,
)


def parse_sensor(text: str, name: str = 'sensor') -> SensorPattern:
    """Read a sensor from YAML text; ``name`` stands for the file in errors.

    Raises SensorFileError when the text is not a sensor.
    """
    return _READER.parse(text, name)


def usual_sensor(robot: str) -> str:
    """Return the name of the shipped sensor of a robot, or that of one for all."""
    shipped = shared_path(A_SENSOR)
    return robot if shipped.with_name(f'{robot}.yaml').is_file() else shipped.stem


def find_sensor(sensor: str) -> SensorPattern:
    """Read the sensor of a file, or the shipped one of a name.

    Raises ValueError, one sentence, for neither, and for a wrong file.
    """
    path = Path(sensor)
    if path.suffix or len(path.parts) != 1 or exists(path):
        return _READER.load(path)
    folder = shared_path(A_SENSOR).parent
    path = folder / f'{sensor}.yaml'
    if not isfile(path):
        known = ', '.join(sorted(file.stem for file in folder.glob('*.yaml')))
        raise ValueError(
            f"there is no sensor '{sensor}'; give the path of a file, or one of {known}"
        )
    return _READER.load(path)
