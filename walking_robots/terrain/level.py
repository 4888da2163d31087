"""Level ground without an end."""

from typing import NamedTuple


class LevelGround(NamedTuple):
    """Ground of one height, m, however far a robot walks."""

    elevation: float = 0.0

    def height(self, x: float) -> float:
        """Return the height, m; it is the same at every x."""
        del x
        return self.elevation
