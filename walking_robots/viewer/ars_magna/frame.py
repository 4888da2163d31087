"""Turn the manual's frame, y downwards, into that of the scene, y upwards (ars_magna.md §1.9)."""

from typing import NamedTuple


class CoordinateFrame(NamedTuple):
    """The frame of a world with so many rows; both frames have their unit and x in common."""

    rows: int

    def point(self, x: float, y: float) -> tuple[float, float]:
        """Turn a point of either frame into the other."""
        return x, self.rows - 1 - y

    @staticmethod
    def yaw(angle: float) -> float:
        """Turn an angle of either frame, rad, into the other."""
        return -angle
