"""The driver against the emulated robot in simulated time: faults, long drives, calibration."""

import gc
import math
import tracemalloc
from contextlib import suppress
from dataclasses import replace

import pytest

from walking_robots.geometry.differential_drive import (
    Wheels,
    separation_from_spin,
    wheel_speeds,
)
from walking_robots.geometry.se2 import Twist2
from walking_robots.robots.super_scout import SUPER_SCOUT
from walking_robots.scout.driver import ScoutDriver
from walking_robots.scout.protocol import relative_move
from walking_robots.scout.report import DriverReport, LinkPhase
from walking_robots.scout.settings import DriverSettings
from walking_robots.simulation.scout.emulator import Emulator
from walking_robots.simulation.scout.faults import FAULTS
from walking_robots.simulation.scout.settings import EmulatorSettings
from walking_robots.trials.scout.trial import OPEN_FIELD, ScoutLoop, ScoutTrial, run
from walking_robots.worlds.files import parse_world

AHEAD = Twist2(0.3, 0.2)
SOON = 0.5
"""Time, s, after a lost command or link within which the robot rests."""
CUT = 1.0 + 0.3
"""The same where no word is heeded: the robot's watchdog counts whole seconds, then it brakes."""
REFUSED = CUT + 0.3
"""The same where refusals feed the watchdog until the driver falls silent, after three of them."""
TIMEOUT = 0.5


def new_loop(driver: DriverSettings | None = None, seed: int = 1, **settings: float) -> ScoutLoop:
    world = parse_world(OPEN_FIELD, 'open field')
    emulator = Emulator(world, EmulatorSettings(**settings), seed=seed)  # type: ignore[arg-type]
    return ScoutLoop(ScoutDriver(driver), emulator)


def started(driver: DriverSettings | None = None, **settings: float) -> ScoutLoop:
    loop = new_loop(driver, **settings)
    assert loop.until(running, 3.0)
    return loop


def running(report: DriverReport) -> bool:
    return report.phase is LinkPhase.RUNNING


def rolls(loop: ScoutLoop) -> bool:
    return max(map(abs, loop.emulator.state.wheels)) > 0.0


def rest(loop: ScoutLoop) -> None:
    assert loop.until(lambda report: not rolls(loop), 5.0)
    loop.run(0.5)


class Watch:
    """Holds a loop to this: it rolls only soon after an answer and soon after a command."""

    def __init__(self, loop: ScoutLoop, soon: float) -> None:
        self.loop, self.soon = loop, soon
        self.answered = self.asked = loop.time
        self.count = loop.driver.counters.answered

    def run(self, duration: float, twist: Twist2 | None = None) -> None:
        """Let time pass while a person asks ten times a second, refused or not."""
        loop = self.loop
        for tick in range(round(duration / 0.005)):
            if twist is not None and tick % 20 == 0:
                with suppress(ValueError):
                    loop.driver.command(twist, loop.time)
                    self.asked = loop.time
            loop.tick()
            if loop.driver.counters.answered > self.count:
                self.count, self.answered = loop.driver.counters.answered, loop.time
            if rolls(loop):
                assert loop.time - self.answered <= self.soon, 'rolls without a link'
                assert loop.time - self.asked <= TIMEOUT + self.soon, 'rolls without a command'

    def comes_back(self) -> None:
        """Hold: the link is back within 4 s, nothing moves by itself, a new command drives."""
        assert self.loop.until(lambda reported: running(reported) and not reported.trouble, 4.0)
        for _ in range(20):
            self.run(0.1)
            assert not rolls(self.loop), 'an old motion goes on'
        self.run(1.0, AHEAD)
        assert rolls(self.loop)


def soon_for(fault: str) -> float:
    return {'cut_cable': CUT, 'nak': REFUSED}.get(fault, SOON)


@pytest.mark.parametrize('fault', FAULTS)
def test_fault_while_idle(fault: str) -> None:
    watch = Watch(started(), soon_for(fault))
    watch.loop.emulator.inject(fault, 3.0)
    watch.run(3.0)
    assert not rolls(watch.loop)
    watch.comes_back()


@pytest.mark.parametrize('goes_on', [True, False], ids=['asked for', 'no more commands'])
@pytest.mark.parametrize('fault', FAULTS)
def test_fault_while_moving(fault: str, goes_on: bool) -> None:
    watch = Watch(started(), soon_for(fault))
    watch.run(2.0, AHEAD)
    assert rolls(watch.loop)
    watch.loop.emulator.inject(fault, 5.0)
    watch.run(4.0, AHEAD if goes_on else None)
    watch.run(1.0)
    watch.run(TIMEOUT + SOON)
    assert not rolls(watch.loop)
    watch.comes_back()


@pytest.mark.parametrize('fault', FAULTS)
def test_fault_while_reconnecting(fault: str) -> None:
    watch = Watch(started(), CUT)
    watch.run(1.0, AHEAD)
    watch.loop.emulator.inject('cut_cable', 2.0)
    watch.run(1.0)
    watch.loop.emulator.inject(fault, 4.0)
    watch.run(4.0, AHEAD)
    watch.run(TIMEOUT + SOON)
    watch.comes_back()


def test_a_robot_that_is_off_at_the_start_is_found_when_it_is_switched_on() -> None:
    loop = new_loop()
    loop.emulator.inject('power_off', 8.0)
    loop.run(8.0)
    assert loop.driver.report().phase in (LinkPhase.CLOSED, LinkPhase.PROBING)
    assert 'switched on' in loop.driver.report().trouble
    Watch(loop, CUT).comes_back()


def test_the_command_that_stops_coming_stops_the_robot_even_from_full_speed() -> None:
    loop = started()
    loop.run(3.0, Twist2(0.5, 0.0))
    assert loop.emulator.state.wheels.left == pytest.approx(0.5, abs=0.003)
    last = loop.time - 0.1
    assert loop.until(lambda report: not rolls(loop), 3.0)
    assert loop.time - last <= TIMEOUT + SOON


@pytest.mark.parametrize('phase', range(0, 20, 3))
def test_a_reply_that_fails_stops_the_robot_also_from_full_speed(phase: int) -> None:
    """Within 0.5 s after the first request that gets no reply, wherever in the cycle it fails."""
    loop = started()
    loop.run(3.0, Twist2(0.5, 0.0))
    counters = loop.driver.counters
    unanswered = None
    for tick in range(400):
        if tick == 40 + phase:
            loop.emulator.inject('half_packets', 3.0)
        sent, answered = counters.sent, counters.answered
        with suppress(ValueError):
            loop.driver.command(Twist2(0.5, 0.0), loop.time)
        now = loop.time
        loop.tick()
        if counters.answered > answered:
            unanswered = None
        if counters.sent > sent and unanswered is None:
            unanswered = now
        if not rolls(loop):
            break
    assert unanswered is not None and not rolls(loop)
    assert loop.time - unanswered <= SOON


def test_a_robot_that_was_switched_off_and_on_is_set_up_again() -> None:
    loop = started()
    loop.run(1.0, AHEAD)
    loop.emulator.inject('power_off', 0.05)
    Watch(loop, CUT).comes_back()
    assert loop.driver.report().restarts == 1
    # Its own watchdog is set again: with the driver silenced it stops by itself.
    loop.run(1.0, AHEAD)
    for _ in range(260):
        loop.emulator.advance(0.005)
    assert not rolls(loop)


def test_a_relative_move_is_never_sent_twice() -> None:
    loop = started()
    loop.emulator.inject('half_packets', 0.5)
    before = loop.emulator.state.pose
    loop.driver.request(relative_move(100, 100))
    assert loop.until(lambda report: running(report) and not report.trouble, 5.0)
    loop.run(8.0)
    assert before.distance(loop.emulator.state.pose) <= 100 * 0.00254 + 0.003


def test_motors_off_and_on() -> None:
    loop = started()
    loop.run(1.0, AHEAD)
    loop.driver.disable_motors()
    with pytest.raises(ValueError, match='motors are off'):
        loop.driver.command(AHEAD, loop.time)
    loop.run(1.0)
    assert not rolls(loop)
    loop.driver.enable_motors()
    loop.run(1.0, AHEAD)
    assert rolls(loop)


def test_the_end_leaves_the_robot_at_rest_and_its_sonars_off() -> None:
    loop = started()
    loop.run(2.0, AHEAD)
    loop.driver.end()
    assert loop.until(lambda report: report.phase is LinkPhase.ENDED, 1.0)
    loop.run(0.5)
    assert not rolls(loop)


def test_the_origin_of_the_controller_is_moved_before_its_numbers_end() -> None:
    fast = DriverSettings(max_linear_speed=1.0)
    loop = started(fast)
    start = loop.emulator.state.pose
    loop.run(110.0, Twist2(1.0, 0.0))
    rest(loop)
    report = loop.driver.report()
    assert report.pose.x > 100.0
    assert (start @ report.pose).distance(loop.emulator.state.pose) < 0.05
    assert report.jumps == 0
    # At rest it is done long before it has to be.
    loop.run(40.0, Twist2(-1.0, 0.0))
    rest(loop)
    loop.run(40.0, Twist2(-1.0, 0.0))
    assert abs(loop.driver.report().readings.pose.x) < 76.3


def test_ac_06_a_spin_of_ten_turns_shows_the_wheel_separation() -> None:
    loop = started(wheel_separation=0.35)
    start = loop.emulator.state.pose.heading
    travel = loop.driver.report().travel
    while loop.emulator.state.pose.heading - start < 20.0 * math.pi:
        loop.run(0.1, Twist2(0.0, 1.0))
    rest(loop)
    turned = loop.emulator.state.pose.heading - start
    after = loop.driver.report().travel
    wheels = Wheels(after[0] - travel[0], after[1] - travel[1])
    assert separation_from_spin(wheels, turned) == pytest.approx(0.35, rel=2e-3)


def test_a_seed_gives_the_same_drive() -> None:
    trial = ScoutTrial(Twist2(0.2, 0.5), 5.0, seed=3, emulator=EmulatorSettings(slip=0.02))
    assert run(trial) == run(trial)
    assert run(trial) != run(replace(trial, seed=4))


def test_a_drive_without_slip_ends_where_odometry_says() -> None:
    result = run(ScoutTrial(Twist2(0.2, 0.5), 5.0, seed=1))
    assert result.errors == 0 and not result.touched
    assert result.drift_m < 0.01
    assert result.packets > 50


TWISTS = (Twist2(0.3, 0.1), Twist2(0.2, -0.4), Twist2(-0.1, 0.2), Twist2(0.0, 0.5))


@pytest.mark.slow
@pytest.mark.parametrize('slip', [0.0, 0.001])
def test_ten_minutes_of_driving(slip: float) -> None:
    """No lost packet, and odometry within the slip of the wheels."""
    loop = started(slip=slip)
    start = loop.emulator.state.pose
    far = 0.0
    for leg in range(60):
        loop.run(10.0, TWISTS[leg % 4])
        far = max(far, start.distance(loop.emulator.state.pose))
    counters = loop.driver.counters
    assert counters.answered >= counters.sent - 1 > 5900
    assert counters.refused == counters.silent == counters.unasked == counters.noise == 0
    rest(loop)
    odometry, true = start @ loop.driver.report().pose, loop.emulator.state.pose
    wheels = [wheel_speeds(twist, SUPER_SCOUT.wheel_separation) for twist in TWISTS]
    net = sum(abs(150.0 * math.fsum(parts)) for parts in zip(*wheels, strict=True))
    # The slip of a wheel is the same all the way, so that what it rolls back it makes good.
    off = slip * net / SUPER_SCOUT.wheel_separation + 0.01
    assert abs(true.heading - odometry.heading) <= off
    way = 150.0 * math.fsum(abs(twist.v) for twist in TWISTS)
    assert true.distance(odometry) <= slip * way + off * far


@pytest.mark.slow
def test_minutes_do_not_fill_the_memory() -> None:
    loop = started()
    sizes = []
    for leg in range(20):
        loop.run(10.0, TWISTS[leg % 4])
        if leg == 0:
            tracemalloc.start()
        elif leg in (9, 19):
            gc.collect()
            sizes.append(tracemalloc.get_traced_memory()[0])
    tracemalloc.stop()
    assert sizes[1] - sizes[0] < 200_000
