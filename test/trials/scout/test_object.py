"""A Scout watches by sonar through its driver and goes where the object was (mdle.md §4.17 A)."""

import math

import pytest

from walking_robots.geometry.se2 import Pose2, Twist2, wrap
from walking_robots.mdle.cartographer.moved_object import Beam, MovedObject
from walking_robots.robots.super_scout import SUPER_SCOUT
from walking_robots.scout.driver import ScoutDriver
from walking_robots.scout.report import LinkPhase
from walking_robots.simulation.scout.emulator import Emulator
from walking_robots.simulation.scout.settings import EmulatorSettings
from walking_robots.trials.scout.trial import ScoutLoop
from walking_robots.worlds.files import parse_world
from walking_robots.worlds.moving_disc import Jump

ROOM = """
ars_schema: 1
world:
  name: room
  size: [8m, 8m]
  cell: 5cm
  y_axis: up
  start: {at: [4m, 4m], heading: 20deg}
"""
RING = 1.0
Point = tuple[float, float]


class Watcher:
    """Drives and watches; points are reported by odometry, from where the robot began."""

    def __init__(self, script: tuple[Jump, ...], seed: int) -> None:
        world = parse_world(ROOM, 'room')
        choice = EmulatorSettings(sonar_noise=0.02, object_script=script)
        self.start = world.start
        self.loop = ScoutLoop(ScoutDriver(), Emulator(world, choice, seed=seed))
        assert self.loop.until(lambda report: report.phase is LinkPhase.RUNNING)
        self.detector = MovedObject()

    def wait(self, timeout: float) -> Point | None:
        """Stand and watch until something moved; give the place that it left."""
        begin = self.loop.time
        next_ring = begin + 2.0 * RING
        while self.loop.time - begin < timeout:
            self.loop.run(0.1)
            report = self.loop.driver.report()
            assert report.readings is not None
            fresh = self.loop.time >= next_ring
            next_ring += RING * fresh
            beams = [
                Beam(SUPER_SCOUT.sonar.bearing(k), distance, fresh)
                for k, distance in enumerate(report.readings.ranges)
            ]
            now = round(self.loop.time * 1e9)
            news = self.detector.step(now, report.pose, report.readings.twist.w, beams)
            if news.valid and news.shift > 0.15:
                return news.previous
        return None

    def go_to(self, target: Point) -> None:
        for _ in range(600):
            pose = self.loop.driver.report().pose
            if math.dist(pose[:2], target) < 0.1:
                break
            error = wrap(math.atan2(target[1] - pose.y, target[0] - pose.x) - pose.heading)
            turning = max(-0.5, min(0.5, 1.5 * error))
            self.loop.run(0.1, Twist2(0.2 * max(0.0, math.cos(error)) ** 4, turning))
        self.loop.until(lambda report: report.command is None)

    def seen(self, place: Point) -> Point:
        """Return a place in the world as odometry has it."""
        reported = self.start.inverse() @ Pose2(*place)
        return reported.x, reported.y


@pytest.mark.parametrize('seed', [1, 2])
def test_a_scout_follows_one_step_behind(seed: int) -> None:
    places = [(5.5, 4.0), (5.2, 5.2), (4.0, 5.6)]
    script = (
        Jump(0.0, *places[0]),
        Jump(9.0, *places[1]),
        Jump('rest', *places[2], wait=8.0),
    )
    watcher = Watcher(script, seed)
    for expected in places[:2]:
        target = watcher.wait(30.0)
        assert target is not None
        assert math.dist(target, watcher.seen(expected)) < 0.35
        watcher.go_to(target)
        pose = watcher.loop.emulator.state.pose
        assert math.dist(pose[:2], expected) < 0.5
    assert watcher.wait(30.0) is None
    assert watcher.loop.emulator.state.bumper == 0
