"""Moves as the C++ listing carries them out, defects and all, to explain old pictures.

Increments of a leg reach the joints after those they are meant for, the knee knows no limits
(aquarobot.md P1 to P3), and outline and legs part when the body turns (P4).
"""

import math
from typing import NamedTuple

import numpy as np

from walking_robots.robots.aquarobot import BODY_NODES
from walking_robots.simulation.aquarobot.frames import Array, transform
from walking_robots.simulation.aquarobot.moves import NULL_MOVE, Move
from walking_robots.simulation.aquarobot.robot import (
    HIGH,
    LOW,
    AquarobotState,
    InitialHeight,
    link_poses,
    reset_state,
)
from walking_robots.simulation.aquarobot.wire_frame import vertices


class PrintedState(NamedTuple):
    """The robot of the C++ program.

    robot: its body matrix and legs; flags and residual are of links 1 to 3, whose joints are here
    hip elevation, knee and the turn of the foot's frame; outline: drawn body nodes, shape (8, 3);
    spins: turns of the feet's frames, rad, shape (6).
    """

    robot: AquarobotState
    outline: Array
    spins: Array

    @property
    def vertices(self) -> Array:
        """Return the vertices of the figures, shape (32, 3)."""
        return np.vstack([self.outline, self.robot.points.reshape(24, 3)])


def reset_as_printed(height: InitialHeight = 'printed') -> PrintedState:
    """Return the robot as it stands at the beginning."""
    robot = reset_state(height)
    outline = vertices(robot.pose, robot.points)[: len(BODY_NODES)]
    return PrintedState(robot, outline, np.zeros(6))


def moved_as_printed(state: PrintedState, move: Move) -> PrintedState:
    """Carry out a move as the listing does."""
    robot = state.robot
    yaw, lift, knee = robot.joints.T
    lift, knee, spin = np.array([lift, knee, state.spins]) + move.joints.T
    kept_lift, kept_spin = np.clip(lift, LOW[1], HIGH[1]), np.clip(spin, -math.tau, math.tau)
    joints = np.column_stack([yaw, kept_lift, knee])
    residual = np.column_stack([lift - kept_lift, np.zeros(6), spin - kept_spin])
    # The stored angles are never brought up to date, the stored position is.
    angles, way = move.body[:3].tolist(), move.body[3:]
    pose = transform(*angles, *(robot.position + way).tolist())
    # The outline turns about the origin of the earth frame.
    delta = transform(*angles, *way.tolist())
    outline = state.outline @ delta[:3, :3].T + delta[:3, 3]
    after = AquarobotState(
        pose,
        (angles[0], angles[1], angles[2]),
        joints,
        link_poses(pose, joints),
        residual != 0.0,
        Move(NULL_MOVE.body, residual),
        robot.feet,
    )
    return PrintedState(after, outline, kept_spin)
