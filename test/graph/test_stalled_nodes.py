"""A node that stood still for a while moves no robot by what was commanded before or meanwhile."""

import math
import os
import signal
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from benchmarks.own_clock import Stopwatch
from walking_robots.robots.asv import ASV

pytestmark = [pytest.mark.graph, pytest.mark.slow]

TIMEOUT = 0.5
"""Time, s, for which a velocity counts."""


class Case(NamedTuple):
    """A node that takes velocities; ``braking``: way, m, in which its robot comes to rest."""

    system: str
    node: str
    speed: float
    braking: float
    free_running: bool = False

    @property
    def gait(self) -> str:
        """Name of the node that moves a hexapod's legs."""
        return 'free_gait' if self.system == 'asv' else 'periodic_gait'


CASES = (
    Case('scout', 'scout_driver', 0.3, 0.11),
    Case('hexapod', 'periodic_gait', 0.05, 0.015),
    Case('hexapod', 'periodic_gait', 0.05, 0.015, free_running=True),
    # The gait halts when the feet are 15 mm, the height of a swing, from where it sent them. Two
    # steps of 1 mm may be on their way, and one more makes up for up to five lost states.
    Case('hexapod', 'leg_servo', 0.05, 0.022, free_running=True),
    Case('asv', 'free_gait', 0.12, 0.12),
    Case('asv', 'free_gait', 0.12, 0.12, free_running=True),
    Case('asv', 'leg_servo', 0.12, 0.12, free_running=True),
    # It may need some short steps to come to rest.
    Case('biped', 'biped_gait', 0.4, 1.3),
)


def _overrides(case: Case, folder: Path) -> dict[str, dict[str, Any]]:
    if case.system in ('scout', 'mdle'):
        line = str(folder / 'line')
        return {'scout_emulator': {'link': line}, 'scout_driver': {'port': line}}
    free = {'lock_step': not case.free_running}
    return {
        'hexapod_sim': free, 'biped_sim': free,
        'free_gait': free if case.system == 'asv' else {},
        'terrain': {'forbidden_share': 0.0, 'ditch_width': 0.0},
    }  # fmt: skip


class Driver:
    """Pushes the stick of a robot and measures how far it moves."""

    def __init__(self, there: Any, case: Case) -> None:
        from nav_msgs.msg import Odometry
        from rclpy.clock import Clock
        from rclpy.clock_type import ClockType

        self.there, self.case = there, case
        self.stamped = self.pushes = False
        self.place = (math.nan, 0.0)
        truth = 'ground_truth/odom' if case.system in ('scout', 'mdle') else 'odom'
        there.person.create_subscription(Odometry, truth, self._moved, 10)
        there.until(lambda: math.isfinite(self.place[0]), 'odometry')
        steady = Clock(clock_type=ClockType.STEADY_TIME)
        there.person.create_timer(0.05, self._push, clock=steady)

    def _moved(self, message: Any) -> None:
        place = message.pose.pose.position
        self.place = (place.x, place.y)

    def _push(self) -> None:
        if self.pushes:
            self.there.person.push(self.case.speed, stamped=self.stamped)

    def _newest(self) -> int:
        """Return the stamp of the newest state of the gait, ns."""
        from walking_robots.nodes.common.conversions import stamp_from_msg

        return stamp_from_msg(self.there.person.gait[-1]) if self.there.person.gait else 0

    def begin(self, start: Callable[[Any], None]) -> None:
        """Start a program, again where a busy machine ends it before the robot moves."""
        while True:
            place, watch = self.place, Stopwatch()
            start(self.there)
            self.there.until(
                lambda p=place, w=watch: math.dist(p, self.place) > 0.04 or w.passed(5.0), 'time'
            )
            if math.dist(place, self.place) > 0.04:
                return

    def way_after(self, start: tuple[float, float]) -> float:
        """Return the way from a place at which the robot comes to rest, m."""
        self.there.wait(1.0)
        while True:
            before = self.place
            self.there.wait(1.0)
            if math.dist(before, self.place) < 1e-4:
                return math.dist(start, self.place)

    def way_after_stall(self, duration: float) -> float:
        """Stop the node while it drives and return the way after it goes on, m."""
        from walking_robots.nodes.common.conversions import stamp_from_msg

        # After a short stall the last velocity counts for what is left of its time, which a busy
        # machine that delivers it late can only know by its stamp.
        self.pushes, self.stamped = self.case.speed > 0.0, duration < TIMEOUT
        start = self.place
        self.there.until(lambda: not self.pushes or math.dist(start, self.place) > 0.04, 'motion')
        process = self.there.graph.running[self.case.node]
        process.send_signal(signal.SIGSTOP)
        # The gait still takes velocities while the servo stands still.
        self.pushes &= self.case.node != 'leg_servo'
        self.there.wait(duration)
        self.pushes = False
        start, newest = self.place, self._newest()
        process.send_signal(signal.SIGCONT)
        way = self.way_after(start)
        if duration > TIMEOUT:
            # One step may have been on its way.
            moving = {
                stamp_from_msg(state)
                for state in self.there.person.gait
                if stamp_from_msg(state) > newest and state.command.linear.x
            }
            assert len(moving) <= 1
            if self.case.node == 'free_gait' and self.case.free_running:
                # The rules shift a resting body for its stability, as far as the postures need in
                # which the stall left the legs; the body must not go farther than they say.
                way -= ASV.timing.dt * sum(
                    math.hypot(state.velocity.linear.x, state.velocity.linear.y)
                    for state in self.there.person.gait
                    if stamp_from_msg(state) > newest and not state.command.linear.x
                )
        return way


@pytest.mark.parametrize(
    ('case', 'executor'),
    [
        *((case, 'events') for case in CASES),
        # The executor of the LTS takes velocities by the same subscriber in all nodes.
        *(
            (case, 'single-threaded')
            for case in CASES
            if case.node in ('scout_driver', 'free_gait') and not case.free_running
        ),
    ],
    ids=lambda value: value if isinstance(value, str) else f'{value.node}-{value.system}',
)
def test_a_node_that_was_stopped_drives_by_no_old_velocity(
    case: Case, executor: str, world: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if executor == 'single-threaded':
        (tmp_path / 'sitecustomize.py').write_text(
            "import sys; sys.modules['rclpy.experimental.events_executor'] = None\n"
        )
        path = os.pathsep.join([str(tmp_path), os.environ.get('PYTHONPATH', '')])
        monkeypatch.setenv('PYTHONPATH', path)
    others = {'viewer', 'scout_wander', 'joint_servo', 'free_gait', 'periodic_gait'} - {case.gait}
    with world(_overrides(case, tmp_path), system=case.system, without=others) as there:
        driver = Driver(there, case)
        for duration in (0.3, 7.0):
            rest = TIMEOUT if duration < TIMEOUT else 0.0
            allowed = case.braking + case.speed * rest
            assert driver.way_after_stall(duration) <= allowed, duration


def _enable_wandering(there: Any) -> None:
    from std_srvs.srv import SetBool

    client = there.person.create_client(SetBool, 'scout_wander/enable')
    assert there.call(client, SetBool.Request(data=True)).success


def _run_plan(there: Any) -> None:
    from rclpy.action import ActionClient
    from walking_robots_interfaces.action import RunPlan

    client = ActionClient(there.person, RunPlan, 'mdle_executor/run_plan')
    goal = RunPlan.Goal(source='mdle 1; import std.body2; plan p { do { drive(50 m); } }')
    assert there.send_goal(client, goal).accepted
    there.person.closing.append(client.destroy)


@pytest.mark.parametrize(
    ('case', 'start'),
    [
        (Case('scout', 'scout_wander', 0.0, 0.05), _enable_wandering),
        (Case('mdle', 'mdle_executor', 0.0, 0.05), _run_plan),
    ],
    ids=['scout_wander', 'mdle_executor'],
)
def test_a_program_that_was_stopped_drives_on_by_a_new_command_only(
    case: Case, start: Callable[[Any], None], world: Any, tmp_path: Path
) -> None:
    with world(_overrides(case, tmp_path), system=case.system, without=('viewer',)) as there:
        driver = Driver(there, case)
        for duration in (1.0, 7.0):
            driver.begin(start)
            assert driver.way_after_stall(duration) <= case.braking
