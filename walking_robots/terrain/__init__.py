"""Ternary terrain: cells, heights, generators, files and simulated vision."""

from walking_robots.terrain.cells import (
    FORBIDDEN,
    OUTSIDE_HEIGHT,
    PERMITTED,
    UNSEEN,
    TernaryTerrain,
)

__all__ = ['FORBIDDEN', 'OUTSIDE_HEIGHT', 'PERMITTED', 'UNSEEN', 'TernaryTerrain']
