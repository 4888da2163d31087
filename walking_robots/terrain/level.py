"""Level ground without an end."""

from typing import NamedTuple


class LevelGround(NamedTuple):
    """Ground of one height, m, however far a robot walks."""

    elevation: float = 0.0

    def height(self, x: float, y: float) -> float:
        """Return the height, m, which is the same everywhere."""
        del x, y
        return self.elevation
