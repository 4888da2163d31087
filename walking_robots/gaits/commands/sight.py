"""Walk no faster than the ground is seen."""

import cmath
import math

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view

from walking_robots.gaits.gait_step import Command, GaitStep
from walking_robots.geometry.pose import Pose
from walking_robots.robots.model import HexapodModel
from walking_robots.terrain.cells import PERMITTED, UNSEEN, TernaryTerrain

TIME = 5.0
"""Time, s, for which the ground ahead of the feet is known at full speed."""

MOST = 0.5
"""Share of the cells across the way of the body that may be unseen."""

GAP = 3
"""Rows of cells in which more are unseen, one after the other, where sight ends: feet step over
fewer, such as the riser of a stair."""

BLIND = 0.05
"""Share of the speed asked for below which the robot rests for want of sight."""


def seen_distance(
    terrain: TernaryTerrain, place: complex, ahead: complex, half_width: float
) -> float:
    """Return how far, m, the ground ahead of a place, m, is seen; ``ahead`` has the length 1.

    It is infinite on terrain without unseen cells; what lies outside of others is unseen.
    """
    if terrain.all_seen:
        return math.inf
    cell = terrain.cell
    rows, columns = terrain.cells.shape
    along = np.arange(math.ceil(math.hypot(rows, columns))) * cell
    aside = np.arange(-math.ceil(half_width / cell), math.ceil(half_width / cell) + 1) * cell
    points = place + ahead * (along[:, None] + 1j * aside)
    i = np.floor(points.real / cell).astype(np.intp) - terrain.first_row
    j = np.floor(points.imag / cell).astype(np.intp) - terrain.first_column
    inside = (i >= 0) & (i < rows) & (j >= 0) & (j < columns)
    seen = inside & (terrain.cells[i.clip(0, rows - 1), j.clip(0, columns - 1)] != UNSEEN)
    poor = np.append(seen.mean(axis=1) < MOST, (GAP - 1) * [True])
    ends = np.flatnonzero(sliding_window_view(poor, GAP).all(axis=1))
    return float(along[ends[0]]) if len(ends) else float(along[-1])


def within_sight(
    command: Command, pose: Pose, terrain: TernaryTerrain, model: HexapodModel
) -> Command:
    """Return a command (m/s, rad/s) as slow as the seen ground asks for.

    The robot rests where it sees no ground at all.
    """
    if terrain.all_seen:
        return command
    if not (terrain.cells == PERMITTED).any():
        return (0.0, 0.0, 0.0)
    velocity = complex(*command[:2])
    if not velocity:
        return command
    ahead = velocity / abs(velocity)
    feet = [complex(*leg.start_foot[:2]) for leg in model.legs]
    front = max((foot * ahead.conjugate()).real for foot in feet)
    aside = max(abs((foot * ahead.conjugate()).imag) for foot in feet)
    ahead_in_odom = ahead * cmath.rect(1.0, pose.yaw())
    # Below the body the ground may be out of sight.
    place = complex(*pose.position[:2]) + front * ahead_in_odom
    distance = seen_distance(terrain, place, ahead_in_odom, aside)
    share = min(1.0, distance / (TIME * abs(velocity)))
    return (share * command[0], share * command[1], share * command[2])


def explained_sight(step: GaitStep, asked: Command, allowed: Command) -> GaitStep:
    """Return a step that says that the robot rests where it sees too little ground."""
    if not math.hypot(*asked[:2]) or math.hypot(*allowed[:2]) > BLIND * math.hypot(*asked[:2]):
        return step
    why = 'too little of the ground ahead is seen: the robot rests'
    return step._replace(slowed=why, stop_reason=why)
