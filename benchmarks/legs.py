"""Measure the kinematics of articulated legs: CPU time of all 18 joints, beside its peers'.

The peers are modern_robotics and Pinocchio, where they are installed: the same leg of Aquarobot
for the same feet, six times, by the iterations that they offer, begun 0.1 rad away. Neither has a
closed form for it.
"""

import statistics
import time
from collections.abc import Callable
from importlib import import_module
from importlib.metadata import PackageNotFoundError, version
from typing import Any

import numpy as np
from numpy.typing import NDArray

from walking_robots.legs.articulated import ArticulatedLegs
from walking_robots.robots.aquarobot import AQUAROBOT

__all__ = ['measure']

Array = NDArray[np.float64]

ROUNDS = 7
MANY = 1000
FEW = 200
AWAY = 0.1
"""How far, rad, an iteration begins from the solution."""
MOST_US = 10.0
"""Most CPU time that all 18 joints may take in the median for many robots, us."""
TOLERANCE = 1e-9
"""How near to its foot, m, an iteration ends."""
ITERATIONS = 50

LEGS = ArticulatedLegs(AQUAROBOT)
LEG = AQUAROBOT.legs[0]


def _postures(count: int) -> Array:
    """Return joints of robots within their limits, (count, 6, 3)."""
    generator = np.random.default_rng(1993)
    share = generator.uniform(0.1, 0.9, (count, 6, 3))
    return LEGS.low + share * (LEGS.high - LEGS.low)


def _timed(work: Callable[[], object], count: int) -> float:
    begin = time.process_time_ns()
    work()
    return (time.process_time_ns() - begin) * 1e-9 / count


def _many() -> float:
    """Return the CPU time of a robot, s, of many at once."""
    joints = _postures(MANY)
    feet = LEGS.forward(joints)
    return _timed(lambda: LEGS.solve(feet, joints), MANY)


def _one() -> float:
    """Return the CPU time of a robot, s, one by one."""
    joints = _postures(FEW)
    feet = list(LEGS.forward(joints))
    return _timed(lambda: [LEGS.solve(*pair) for pair in zip(feet, joints, strict=True)], FEW)


def _modern_robotics() -> Callable[[], float] | None:
    """Return the same by modern_robotics, None where it is not installed."""
    try:
        version('modern_robotics')
    except PackageNotFoundError:
        return None
    robotics: Any = import_module('modern_robotics')
    home, axes = _screws()

    def round_() -> float:
        joints = _postures(FEW // 10)[:, 0]
        goals = [robotics.FKinSpace(home, axes, q) for q in joints]

        def work() -> None:
            for goal, q in zip(goals, joints, strict=True):
                _, found = robotics.IKinSpace(axes, home, goal, q + AWAY, TOLERANCE, TOLERANCE)
                assert found

        return 6.0 * _timed(work, len(joints))

    return round_


def _screws() -> tuple[Array, Array]:
    """Return the pose of the foot at joints of zero, and the screw axes of the leg, (6, 3)."""
    mount = np.array(LEG.mount)
    ahead = np.array([np.cos(LEG.heading), np.sin(LEG.heading), 0.0])
    up = np.array([0.0, 0.0, 1.0])
    # Lift and knee are positive upwards: about the axis to the right of the leg.
    right = np.cross(ahead, up)
    points = mount, mount + LEG.coxa * ahead, mount + (LEG.coxa + LEG.femur) * ahead
    columns = [
        np.concatenate((axis, -np.cross(axis, point)))
        for axis, point in zip((up, right, right), points, strict=True)
    ]
    home = np.eye(4)
    home[:3, 3] = mount + (LEG.coxa + LEG.femur + LEG.tibia) * ahead
    return home, np.array(columns).T


def _pinocchio() -> Callable[[], float] | None:
    """Return the same by Pinocchio, Newton's steps on the foot; None where it is not installed."""
    try:
        version('pin')
    except PackageNotFoundError:
        return None
    pin: Any = import_module('pinocchio')
    model = pin.Model()
    mount = pin.SE3(pin.utils.rotate('z', LEG.heading), np.array(LEG.mount))
    yaw = model.addJoint(0, pin.JointModelRZ(), mount, 'yaw')
    along = (LEG.coxa, LEG.femur)
    parent = yaw
    # Lift and knee are positive upwards: about -y of the leg, which points ahead along x.
    for name, length in zip(('lift', 'knee'), along, strict=True):
        place = pin.SE3(np.eye(3), np.array([length, 0.0, 0.0]))
        axis = np.array([0.0, -1.0, 0.0])
        parent = model.addJoint(parent, pin.JointModelRevoluteUnaligned(axis), place, name)
    tip = pin.SE3(np.eye(3), np.array([LEG.tibia, 0.0, 0.0]))
    foot = model.addFrame(pin.Frame('foot', parent, tip, pin.FrameType.OP_FRAME))
    data = model.createData()

    def solve(goal: Array, joints: Array) -> Array:
        for _ in range(ITERATIONS):
            pin.framesForwardKinematics(model, data, joints)
            missing = goal - data.oMf[foot].translation
            if np.abs(missing).max() < TOLERANCE:
                return joints
            jacobian = pin.computeFrameJacobian(
                model, data, joints, foot, pin.ReferenceFrame.LOCAL_WORLD_ALIGNED
            )
            joints = joints + np.linalg.solve(jacobian[:3], missing)
        raise AssertionError('Pinocchio found no joints')

    def round_() -> float:
        joints = _postures(FEW)
        goals = LEGS.forward(joints)[:, 0]
        starts = joints[:, 0] + AWAY
        return 6.0 * _timed(lambda: list(map(solve, goals, starts)), FEW)

    return round_


def measure(write: Callable[[str], object]) -> bool:
    """Print least, median and most of the rounds; return whether they meet the limits."""
    works: dict[str, Callable[[], float]] = {f'of {MANY} robots at once': _many, 'one robot': _one}
    for package, peer in (('modern_robotics', _modern_robotics()), ('pin', _pinocchio())):
        if peer is not None:
            works[f'{package} {version(package)}'] = peer
    times: dict[str, list[float]] = {name: [] for name in works}
    for _ in range(ROUNDS):
        for name, work in works.items():
            times[name].append(1e6 * work())
    write(
        f'Aquarobot, inverse kinematics of 18 joints: CPU time of a robot, us '
        f'(least, median, most of {ROUNDS} rounds)'
    )
    for name, found in times.items():
        write(f'  {name:24} {min(found):9.2f} {statistics.median(found):9.2f} {max(found):9.2f}')
    return statistics.median(times[f'of {MANY} robots at once']) <= MOST_US
