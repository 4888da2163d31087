"""Measure forces and eyes of hexapods, CPU time on one core: ``python -m benchmarks.eyes``.

A map of 3072 points and its classification; a step of the gaits; walks with forces beside the raw
model of MuJoCo and the quadruped of dm_control, where it is installed; and the composed graph in
lock-step with forces and eyes. Exit code 1 beyond a limit.
"""

import statistics
import sys
import time
from collections.abc import Callable
from typing import Any

import numpy as np

from benchmarks.dm_control_peer import peer
from walking_robots.gaits.free.articulated_model import free_gait_model
from walking_robots.gaits.free.repairs import REPAIRED
from walking_robots.gaits.periodic.patterns import find_pattern
from walking_robots.gaits.periodic.plan import STEP_TIME, plan_gait
from walking_robots.geometry.pose import Pose
from walking_robots.geometry.se2 import Screw2
from walking_robots.nodes.hexapod.trial import run_free_in_graph
from walking_robots.robots.hexapod_files import find_hexapod
from walking_robots.simulation.engine import engine_name
from walking_robots.simulation.hexapod.depth_sensor import DepthSensor
from walking_robots.simulation.hexapod.physical import PhysicalHexapod
from walking_robots.simulation.hexapod.physical_parts import PhysicsSettings
from walking_robots.simulation.hexapod.sensor_files import find_sensor
from walking_robots.terrain.classifier import ClassifierSettings, TerrainClassifier
from walking_robots.terrain.elevation_map import ElevationMap, MapSettings
from walking_robots.terrain.forbidden_ground import visible_ground
from walking_robots.terrain.level import LevelGround
from walking_robots.trials.hexapod.eyes_settings import EyesSettings
from walking_robots.trials.hexapod.free import FreeGaitTrial
from walking_robots.trials.hexapod.loop import ClosedLoop
from walking_robots.trials.hexapod.periodic import HexapodLoop

ROBOT = 'insect18'
LOOKS, WARM_UP, STEPS = 60, 20, 500
CLASSIFIED = 80
"""Cells along a side of the window that is classified."""

MOST_MS = {
    'map of 3072 points': 1.5,
    'classification': 2.0,
    'periodic gait': 0.2,
    'free gait': 0.3,
}
LEAST_TIMES = {'forces and gait': 25.0, 'graph, forces, eyes': 6.0}
"""Limits: CPU time of a step in the median, and simulated time per CPU time."""


def _timed(work: Callable[[], object]) -> float:
    begin = time.process_time_ns()
    work()
    return (time.process_time_ns() - begin) * 1e-9


def look_times() -> tuple[list[float], list[float]]:
    """Return the CPU times, s, of updates of a map, and of classifications of a larger one."""
    model = free_gait_model(find_hexapod(ROBOT))
    lift = model.timing.lift_height
    trial = FreeGaitTrial(model, forbidden=0.2, seed=3000)
    terrain, model = trial.ground()
    pattern = find_sensor('mast_lidar').scaled(model.start_position[2])
    state = ClosedLoop(model, terrain, REPAIRED).backend.state
    mount = pattern.mounts[0].pose()
    sensor = DepthSensor(pattern, None, visible_ground(terrain, lift), seed=1)
    settings = MapSettings.of(model.cell, lift, noise=pattern.noise)
    found = ElevationMap(settings)
    wide = ElevationMap(settings._replace(side=CLASSIFIED * settings.parts))
    classifier = TerrainClassifier(ClassifierSettings.of(model.cell, lift))
    updates, classifications = [], []
    for _ in range(LOOKS):
        points, pose = sensor.look(state), state.pose
        updates.append(_timed(lambda: _update(found, points, pose, mount)))  # noqa: B023
        _update(wide, points, pose, mount)
        window = wide.window()
        classifications.append(_timed(lambda: classifier.classify(window)))  # noqa: B023
    return updates[WARM_UP:], classifications[WARM_UP:]


def _update(found: ElevationMap, points: np.ndarray, pose: Pose, mount: Pose) -> None:
    found.move(*pose.position[:2])
    found.see(points, pose, mount)


def gait_times() -> tuple[list[float], list[float]]:
    """Return the CPU times, s, of steps of the tripod gait and of the free gait by rules."""
    robot = find_hexapod(ROBOT)
    plan = plan_gait(robot, find_pattern('tripod'))
    loop = HexapodLoop(plan, LevelGround(0.0), STEP_TIME)
    periodic = []
    for _ in range(STEPS):
        before = loop.backend.state
        walk = loop.walker.step
        begin = time.process_time_ns()
        walked = walk(before.joints, before.contacts, Screw2(plan.speed, 0.0, 0.0), STEP_TIME)
        periodic.append((time.process_time_ns() - begin) * 1e-9)
        loop.backend.step(loop.legs.reach(np.array(walked.feet), before.joints).joints)
    trial = FreeGaitTrial(free_gait_model(robot), forbidden=0.2, seed=77)
    terrain, model = trial.ground()
    free: list[float] = []
    closed: Any = ClosedLoop(model, terrain, REPAIRED)
    step = closed.coordinator.step
    command = (0.7 * model.command.forward, 0.0, 0.0)

    def timed(*values: Any) -> Any:
        begin = time.process_time_ns()
        found = step(*values)
        free.append((time.process_time_ns() - begin) * 1e-9)
        return found

    closed.coordinator.step = timed
    for _ in range(STEPS):
        closed.step(command)
    return periodic[WARM_UP:], free[WARM_UP:]


def physics_rates() -> tuple[float, float]:
    """Return simulated time per CPU time: of a walk in tripod, and of its model alone."""
    plan = plan_gait(find_hexapod(ROBOT), find_pattern('tripod'))
    loop = HexapodLoop(plan, LevelGround(0.0), STEP_TIME, physics=PhysicsSettings())
    twist = Screw2(plan.speed, 0.0, 0.0)

    def walk() -> None:
        for _ in range(STEPS):
            loop.step(twist)

    walked = STEPS * STEP_TIME / _timed(walk)
    robot = loop.backend
    assert isinstance(robot, PhysicalHexapod)
    model, data, mj = robot._model, robot._data, robot._mj
    count = round(STEPS * STEP_TIME / model.opt.timestep)
    return walked, STEPS * STEP_TIME / _timed(lambda: mj.mj_step(model, data, count))


def graph_rate() -> float:
    """Return simulated time per CPU time of the composed graph with forces and eyes at 10 Hz."""
    model = free_gait_model(find_hexapod(ROBOT))
    at: list[float] = []
    trial = FreeGaitTrial(
        model, forbidden=0.2, seed=3000, distance=0.15, physics=PhysicsSettings(),
        eyes=EyesSettings('mast_lidar'), odometry='drift:1%',
        speed=0.7 * model.command.forward,
    )  # fmt: skip
    run_free_in_graph(ROBOT, trial, 'composed', watch=lambda _: at.append(time.process_time()))
    return (len(at) - 1 - WARM_UP) * model.timing.dt / (at[-1] - at[WARM_UP])


def main() -> int:
    """Print the figures; 1 where one is beyond its limit."""
    failed = False
    times = dict(zip(MOST_MS, (*look_times(), *gait_times()), strict=True))
    print(f'{ROBOT}, CPU time of a step, ms (least, median, limit)')
    for name, found in times.items():
        median = 1e3 * statistics.median(found)
        print(f'  {name:20} {1e3 * min(found):7.3f} {median:7.3f} {MOST_MS[name]:7.3f}')
        failed |= median > MOST_MS[name]
    walked, raw = physics_rates()
    print(f'{ROBOT}, {engine_name()}, simulated time per CPU time (and limit)')
    print(f'  {"model alone":20} {raw:7.1f}')
    quadruped = peer('quadruped', STEPS * STEP_TIME)
    if quadruped is not None:
        print(f'  {quadruped[1]():28.1f}  {quadruped[0]}')
    for name, rate in (('forces and gait', walked), ('graph, forces, eyes', graph_rate())):
        print(f'  {name:20} {rate:7.1f} {LEAST_TIMES[name]:7.1f}', flush=True)
        failed |= rate < LEAST_TIMES[name]
    return int(failed)


if __name__ == '__main__':
    sys.exit(main())
