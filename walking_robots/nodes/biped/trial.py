"""A trial of a blind biped in the real graph: the same walk to the last bit."""

import math
import time
from collections import deque
from collections.abc import Mapping
from functools import partial
from pathlib import Path
from statistics import fmean
from typing import Any, NamedTuple

from nav_msgs.msg import Odometry
from walking_robots_interfaces.msg import BipedLegs

from walking_robots.geometry.pitch import pitch_of
from walking_robots.nodes.common.conversions import stamp_from_msg, vector_from_msg
from walking_robots.nodes.common.intra_process import IntraProcessNode
from walking_robots.nodes.common.qos import LOOP
from walking_robots.nodes.common.trial import How, TrialError, run_graph
from walking_robots.nodes.common.walk_starter import WalkStarter
from walking_robots.robots.kwalk import has_fallen
from walking_robots.terrain.profile import HeightProfile
from walking_robots.trials.biped.figures import SETTLED, BipedResult, landings, stride
from walking_robots.trials.biped.ground import find_ground
from walking_robots.trials.biped.trace import BipedTrace


class Seen(NamedTuple):
    """The body at one instant: time, s, x and height over the ground, m, pitch, rad, and m/s."""

    time: float
    x: float
    height: float
    pitch: float
    speed: float


class BipedTrialNode(IntraProcessNode):
    """Starts a walk once everybody is there, and hashes every tick until the robot lies."""

    def __init__(self, speed: float, ticks: int, ground: HeightProfile, **options: Any) -> None:
        """Wait for the others."""
        super().__init__('trial', **options)
        self.start = WalkStarter(self, (speed, 0.0, 0.0), 'biped_sim')
        self.trace = BipedTrace()
        self._ticks, self._ground = ticks, ground
        self.heard = time.monotonic()
        self.ended = False
        self.walked: list[tuple[int, Seen]] = []
        self._bodies: dict[int, Seen] = {}
        self._legs: deque[Any] = deque()
        self.create_subscription(BipedLegs, 'gait/legs', self._judge, self.record_qos())
        self.create_subscription(Odometry, 'odom', self._moved, LOOP)
        self._last = self._moved_last = -1

    def destroy_node(self) -> None:
        """Leave nothing behind."""
        self.start.close()
        super().destroy_node()

    def _moved(self, odom: Any) -> None:
        stamp = self._moved_last = stamp_from_msg(odom)
        if stamp <= self._last:
            return
        x, _, z = vector_from_msg(odom.pose.pose.position, 'the position')
        turn, ahead = odom.pose.pose.orientation, odom.twist.twist.linear
        pitch = pitch_of((turn.w, turn.x, turn.y, turn.z))
        speed = ahead.x * math.cos(pitch) + ahead.z * math.sin(pitch)
        self._bodies[stamp] = Seen(stamp * 1e-9, x, z - self._ground.height(x), pitch, speed)
        self._go_on()

    def _judge(self, legs: Any) -> None:
        self._legs.append(legs)
        self._go_on()

    def _go_on(self) -> None:
        """Take in the legs of each tick once its body is known.

        Whoever was found late gets the legs of the first ticks, but not their odometry.
        """
        while self._legs and not self.ended:
            stamp = stamp_from_msg(self._legs[0])
            if stamp > self._moved_last:
                return
            legs = self._legs.popleft()
            if stamp > self._last:
                self._take(stamp, legs)

    def _take(self, stamp: int, legs: Any) -> None:
        if self.trace.ticks == 1:
            self._step = stamp - self._last
        elif self.trace.ticks > 1 and stamp - self._last != self._step:
            raise TrialError(f'a tick before {stamp * 1e-9:.3f} s was lost on its way')
        self._last, self.heard = stamp, time.monotonic()
        forces = (legs.height, legs.speed, legs.forward, legs.upward)
        self.trace.append(legs.state, forces, legs.length, legs.angle, legs.force)
        body = self._bodies.pop(stamp, None)
        if body is not None:
            self.walked.append((legs.state, body))
        self.ended = self.fell or self.trace.ticks >= self._ticks

    @property
    def fell(self) -> bool:
        """Return whether the robot lies at the last tick."""
        if not self.walked:
            return False
        body = self.walked[-1][1]
        return has_fallen(body.height, body.pitch)


def run_biped_in_graph(
    speed: float,
    seconds: float,
    how: How,
    *,
    control_step: float = 0.004,
    gait: Mapping[str, Any] | None = None,
    simulation: Mapping[str, Any] | None = None,
    domain: int | None = None,
    record: Path | None = None,
) -> BipedResult:
    """Walk at a speed, m/s, for a time, s, and give what came of it.

    ``gait`` and ``simulation`` are parameters of biped_gait and biped_sim; servos on a topic
    bring joint_servo along. Raise TrialError when the graph does not get to the end.
    """
    simulated = {
        'real_time_factor': 0.0, 'start_paused': True, 'control_step': control_step,
        'observer_period': 0.0, **(simulation or {}),
    }  # fmt: skip
    outside = simulated.get('servo', 'inside') == 'topic'
    words, seed = simulated.get('terrain', 'level'), simulated.get('seed', 0)
    ground = find_ground(words, seed).profile
    found: list[BipedTrialNode] = []

    def make(**options: Any) -> BipedTrialNode:
        found.append(BipedTrialNode(speed, round(seconds / control_step), ground, **options))
        return found[0]

    overrides = {
        'biped_sim': simulated,
        'biped_gait': {'control_step': control_step, 'observer_period': 0.0, **(gait or {})},
        'joint_servo': {
            'control_step': control_step, 'robot': simulated.get('robot', 'b'),
        },
    }  # fmt: skip
    without = () if outside else ('joint_servo',)
    run_graph(
        'biped', overrides, partial(make), how, without=without, domain=domain, record=record
    )
    return _summed_up(found[0], simulated.get('start_x', 0.0))


def _summed_up(observer: BipedTrialNode, start: float) -> BipedResult:
    """Sum a walk up; start: the x at which it began, m."""
    last = observer.walked[-1][1]
    settled = [(state, body) for state, body in observer.walked if body.time >= SETTLED]
    speeds = [body.speed for _, body in settled]
    turns = [math.degrees(body.pitch) for _, body in settled]
    places = [(body.time, body.x) for _, body in settled]
    _, length = stride([state for state, _ in settled], places)
    return BipedResult(
        fell=observer.fell,
        fall_time_s=last.time if observer.fell else None,
        distance_m=last.x - start,
        mean_speed_m_s=fmean(speeds) if settled else None,
        min_speed_m_s=min(speeds, default=None),
        max_speed_m_s=max(speeds, default=None),
        pitch_min_deg=min(turns, default=None),
        pitch_max_deg=max(turns, default=None),
        mean_height_m=fmean(body.height for _, body in settled) if settled else None,
        step_length_m=length if math.isfinite(length) else None,
        friction_p99=None,
        steps=len(landings([state for state, _ in observer.walked])),
        max_slip_m=None,
        trace_sha256=observer.trace.hexdigest(),
    )
