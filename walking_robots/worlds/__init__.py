"""Planar worlds of square cells: clauses, files, rays and contact."""

from walking_robots.worlds.world import VOID, World

__all__ = ['VOID', 'World']
