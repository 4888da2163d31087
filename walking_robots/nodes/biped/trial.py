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
from walking_robots_interfaces.msg import BipedLegs, FootForces

from walking_robots.gaits.biped.spatial.senses import posture
from walking_robots.gaits.biped.states import half_of
from walking_robots.geometry.pitch import pitch_of
from walking_robots.geometry.pose import Pose, Vector
from walking_robots.nodes.common.conversions import (
    pose_from_msg,
    stamp_from_msg,
    vector_from_msg,
)
from walking_robots.nodes.common.intra_process import IntraProcessNode
from walking_robots.nodes.common.qos import LOOP
from walking_robots.nodes.common.trial import How, TrialError, run_graph
from walking_robots.nodes.common.walk_starter import Command, WalkStarter
from walking_robots.robots.kwalk import RIGHT, has_fallen
from walking_robots.robots.kwalk_spatial import SPATIAL_KWALKS
from walking_robots.simulation.biped.simulation import SWITCH_FORCE
from walking_robots.simulation.biped.spatial_build import SpatialGround
from walking_robots.simulation.biped.spatial_simulation import height_of
from walking_robots.trials.biped.figures import SETTLED, BipedResult, landings, stride
from walking_robots.trials.biped.ground import find_ground
from walking_robots.trials.biped.spatial_figures import (
    SpatialMoment,
    SpatialResult,
    SpatialSummary,
)
from walking_robots.trials.biped.spatial_ground import find_spatial_ground
from walking_robots.trials.biped.trace import BipedTrace

ORIGIN: Vector = (0.0, 0.0, 0.0)


class Seen(NamedTuple):
    """The body at one instant: time, s, x and height over the ground, m, pitch, rad, and m/s."""

    time: float
    x: float
    height: float
    pitch: float
    speed: float

    @property
    def lies(self) -> bool:
        """Return whether the robot has fallen."""
        return has_fallen(self.height, self.pitch)


class BipedTrialNode(IntraProcessNode):
    """Starts a walk once everybody is there, and hashes every tick until the robot lies."""

    def __init__(
        self, command: Command, ticks: int, ground: SpatialGround, **options: Any
    ) -> None:
        """Wait for the others; command: m/s and rad/s."""
        super().__init__('trial', **options)
        self.start = WalkStarter(self, command, 'biped_sim')
        self.trace = BipedTrace()
        self._ticks, self._height = ticks, height_of(ground)
        self.heard = time.monotonic()
        self.ended = False
        self.felt_slip = 0.0
        self.walked: list[tuple[int, Any]] = []
        self._bodies: dict[int, Any] = {}
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
        self._bodies[stamp] = self._seen(stamp * 1e-9, odom)
        self._go_on()

    def _seen(self, now: float, odom: Any) -> Any:
        """Return the body at a time, s."""
        x, y, z = vector_from_msg(odom.pose.pose.position, 'the position')
        turn, ahead = odom.pose.pose.orientation, odom.twist.twist.linear
        pitch = pitch_of((turn.w, turn.x, turn.y, turn.z))
        speed = ahead.x * math.cos(pitch) + ahead.z * math.sin(pitch)
        return Seen(now, x, z - self._height(x, y), pitch, speed)

    def _judge(self, legs: Any) -> None:
        self._legs.append(legs)
        self._go_on()

    def _go_on(self) -> None:
        """Take in the legs of each tick once its body is known.

        Whoever was found late gets the legs of the first ticks, but not their odometry.
        """
        while self._legs and not self.ended:
            stamp = stamp_from_msg(self._legs[0])
            if stamp > self._seen_last:
                return
            legs = self._legs.popleft()
            if stamp > self._last:
                self._take(stamp, legs)

    @property
    def _seen_last(self) -> int:
        """Return up to when the body is known, ns."""
        return self._moved_last

    def _take(self, stamp: int, legs: Any) -> None:
        if self.trace.ticks == 1:
            self._step = stamp - self._last
        elif self.trace.ticks > 1 and stamp - self._last != self._step:
            raise TrialError(f'a tick before {stamp * 1e-9:.3f} s was lost on its way')
        self._last, self.heard = stamp, time.monotonic()
        forces = (legs.height, legs.speed, legs.forward, legs.upward)
        self.trace.append(legs.state, forces, legs.length, legs.angle, legs.force)
        self.felt_slip = max(self.felt_slip, legs.slip)
        body = self._bodies.pop(stamp, None)
        if body is not None:
            self.walked.append((legs.state, body))
        self.ended = self.fell or self.trace.ticks >= self._ticks

    @property
    def fell(self) -> bool:
        """Return whether the robot lies at the last tick."""
        return bool(self.walked and self.walked[-1][1].lies)


class SpatialTrialNode(BipedTrialNode):
    """Does the same for a robot in space, whose feet it watches, too."""

    def __init__(self, command: Command, heading: float, *settings: Any, **options: Any) -> None:
        """Wait for the others; heading: with which the robot begins, rad."""
        self._turn, self._begun = command[2], heading
        self._feet: dict[int, tuple[tuple[bool, bool], tuple[Vector, Vector]]] = {}
        self._feet_last = -1
        super().__init__(command, *settings, **options)
        self.create_subscription(FootForces, 'feet/forces', self._stood, LOOP)

    def _stood(self, message: Any) -> None:
        stamp = self._feet_last = stamp_from_msg(message)
        right, left = (vector_from_msg(foot, 'a foot') for foot in message.feet)
        on, other_on = (
            force.x**2 + force.y**2 + force.z**2 > SWITCH_FORCE**2 for force in message.force
        )
        self._feet[stamp] = ((on, other_on), (right, left))
        self._go_on()

    @property
    def _seen_last(self) -> int:
        return min(self._moved_last, self._feet_last)

    def _seen(self, now: float, odom: Any) -> Any:
        pose, rates = pose_from_msg(odom.pose.pose), odom.twist.twist.linear
        x, y, z = pose.position
        turn = odom.pose.pose.orientation
        roll, pitch, heading = posture((turn.w, turn.x, turn.y, turn.z))
        vx, vy, _ = Pose((0.0, 0.0, 0.0), pose.rotation).apply((rates.x, rates.y, rates.z))
        desired = self._begun + self._turn * now
        # Legs and feet come in other messages, and are filled in at the end.
        return SpatialMoment(
            now, (vx, vy), z - self._height(x, y), roll, pitch, heading, desired, RIGHT,
            (False, False), (ORIGIN, ORIGIN),
        )  # fmt: skip

    def summary(self, step: float) -> SpatialResult:
        """Sum the walk up; step: between two ticks, s."""
        found = SpatialSummary(step)
        for state, body in self.walked:
            contacts, feet = self._feet[round(body.time * 1e9)]
            found.add(body._replace(half=half_of(state), contacts=contacts, feet=feet))
        return found.result(self.trace.hexdigest(), self.felt_slip)


def run_biped_in_graph(
    speed: float,
    seconds: float,
    how: How,
    *,
    turn: float = 0.0,
    control_step: float = 0.004,
    gait: Mapping[str, Any] | None = None,
    simulation: Mapping[str, Any] | None = None,
    domain: int | None = None,
    record: Path | None = None,
) -> BipedResult | SpatialResult:
    """Walk at a speed, m/s, and a turn, rad/s, for a time, s, and give what came of it.

    ``gait`` and ``simulation`` are parameters of biped_gait and biped_sim; servos on a topic
    bring joint_servo along. Raise TrialError when the graph does not get to the end.
    """
    simulated = {
        'real_time_factor': 0.0, 'start_paused': True, 'control_step': control_step,
        'observer_period': 0.0, **(simulation or {}),
    }  # fmt: skip
    outside = simulated.get('servo', 'inside') == 'topic'
    words, seed = simulated.get('terrain', 'level'), simulated.get('seed', 0)
    robot = simulated.get('robot', 'b')
    in_space = robot in SPATIAL_KWALKS
    ground = find_spatial_ground(words, seed).ground if in_space else find_ground(words, seed)[0]
    command, ticks = (speed, 0.0, turn), round(seconds / control_step)
    found: list[Any] = []

    def make(**options: Any) -> BipedTrialNode:
        if in_space:
            heading = -simulated.get('slope_heading', 0.0)
            found.append(SpatialTrialNode(command, heading, ticks, ground, **options))
        else:
            found.append(BipedTrialNode(command, ticks, ground, **options))
        node: BipedTrialNode = found[0]
        return node

    overrides = {
        'biped_sim': simulated,
        'biped_gait': {'control_step': control_step, 'observer_period': 0.0, **(gait or {})},
        'joint_servo': {'control_step': control_step, 'robot': robot},
    }
    without = () if outside else ('joint_servo',)
    run_graph(
        'biped', overrides, partial(make), how, without=without, domain=domain, record=record
    )
    if in_space:
        result: SpatialResult = found[0].summary(control_step)
        return result
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
        felt_slip_m=observer.felt_slip,
        trace_sha256=observer.trace.hexdigest(),
    )
