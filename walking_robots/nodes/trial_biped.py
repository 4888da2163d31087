"""A trial of a blind biped in the real graph: the same walk to the last bit."""

import time
from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any

from nav_msgs.msg import Odometry
from rclpy.node import Node
from walking_robots_interfaces.msg import BipedLegs

from walking_robots.gaits.biped.states import FALLEN
from walking_robots.nodes.qos import LOOP, RECORD
from walking_robots.nodes.start import Start
from walking_robots.nodes.trial_graph import How, TrialError, run_graph
from walking_robots.trials.biped_trace import BipedTrace

__all__ = ['BipedWalk', 'run_biped_in_graph']


@dataclass(frozen=True)
class BipedWalk:
    """What came of a walk in the graph; the robot itself said that it fell."""

    fell: bool
    fall_time_s: float | None
    distance_m: float
    ticks: int
    trace_sha256: str


class Witness(Node):  # type: ignore[misc,unused-ignore]
    """Starts a walk once everybody is there, and hashes every tick."""

    def __init__(self, speed: float, ticks: int, **options: Any) -> None:
        """Wait for the others."""
        super().__init__('trial', **options)
        self.start = Start(self, (speed, 0.0, 0.0), 'biped_sim')
        self.trace = BipedTrace()
        self._ticks = ticks
        self.heard = time.monotonic()
        self.ended = False
        self.fell: float | None = None
        self.places: dict[int, float] = {}
        self.create_subscription(BipedLegs, 'gait/legs', self._judge, RECORD)
        self.create_subscription(Odometry, 'odom', self._moved, LOOP)
        self._last = -1

    def destroy_node(self) -> None:
        """Leave nothing behind."""
        self.start.close()
        super().destroy_node()

    def _moved(self, odom: Any) -> None:
        stamp = odom.header.stamp.sec * 10**9 + odom.header.stamp.nanosec
        self.places[stamp] = odom.pose.pose.position.x
        self._end()

    def _judge(self, legs: Any) -> None:
        stamp = legs.header.stamp.sec * 10**9 + legs.header.stamp.nanosec
        if self.trace.ticks >= self._ticks or stamp <= self._last:
            return
        if self.trace.ticks == 1:
            self._step = stamp - self._last
        elif self.trace.ticks > 1 and stamp - self._last != self._step:
            raise TrialError(f'a tick before {stamp * 1e-9:.3f} s was lost on its way')
        self._last, self.heard = stamp, time.monotonic()
        body = (legs.height, legs.speed, legs.forward, legs.upward)
        self.trace.append(legs.state, body, legs.length, legs.angle, legs.force)
        if legs.state == FALLEN and self.fell is None:
            self.fell = stamp * 1e-9
        self._end()

    def _end(self) -> None:
        """End with the place of the last tick, which may come later."""
        self.ended = self.trace.ticks >= self._ticks and self._last in self.places

    @property
    def place(self) -> float:
        """Give the x of the hips at the last tick, m."""
        return self.places[self._last]


def run_biped_in_graph(
    speed: float,
    seconds: float,
    how: How,
    *,
    control_step: float = 0.004,
    gait: Mapping[str, Any] | None = None,
    simulation: Mapping[str, Any] | None = None,
    domain: int | None = None,
) -> BipedWalk:
    """Walk at a speed, m/s, for a time, s, and give what came of it.

    ``gait`` and ``simulation`` are parameters of biped_gait and biped_sim; servos on a topic
    bring joint_servo along. Raise TrialError when the graph does not get to the end.
    """
    simulated = {
        'real_time_factor': 0.0, 'start_paused': True, 'control_step': control_step,
        **(simulation or {}),
    }  # fmt: skip
    outside = simulated.get('servo', 'inside') == 'topic'
    found: list[Witness] = []

    def make(**options: Any) -> Witness:
        found.append(Witness(speed, round(seconds / control_step), **options))
        return found[0]

    overrides = {
        'biped_sim': simulated,
        'biped_gait': {'control_step': control_step, **(gait or {})},
        'joint_servo': {
            'control_step': control_step, 'robot': simulated.get('robot', 'b'),
        },
    }  # fmt: skip
    without = () if outside else ('joint_servo',)
    run_graph('biped', overrides, partial(make), how, without=without, domain=domain)
    witness = found[0]
    return BipedWalk(
        fell=witness.fell is not None,
        fall_time_s=witness.fell,
        distance_m=witness.place - simulated.get('start_x', 0.0),
        ticks=witness.trace.ticks,
        trace_sha256=witness.trace.hexdigest(),
    )
