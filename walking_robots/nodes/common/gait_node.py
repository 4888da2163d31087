"""What all gait nodes share: one operator at a time, and the state published after every step."""

import math
from abc import abstractmethod
from typing import Any

from sensor_msgs.msg import BatteryState
from visualization_msgs.msg import MarkerArray
from walking_robots_interfaces.msg import GaitState

from walking_robots.gaits.commands.charge import reason_to_slow, speed_share
from walking_robots.gaits.commands.operator import Operator
from walking_robots.gaits.commands.steering import Mobility
from walking_robots.gaits.commands.walk import WalkGoal
from walking_robots.gaits.gait_step import GaitStep
from walking_robots.geometry.pose import Rates
from walking_robots.nodes.common.conversions import charge_from_msg, stamp_from_msg
from walking_robots.nodes.common.health import OK, WARN, Health
from walking_robots.nodes.common.markers import gait_markers
from walking_robots.nodes.common.node import GraphNode
from walking_robots.nodes.common.velocity_publisher import stamped_parameter
from walking_robots.nodes.common.velocity_subscriber import VelocitySubscriber
from walking_robots.nodes.common.walk_action import WalkAction

MARKER_PERIOD = 0.1
"""Shortest wall time, s, between two publications of the markers."""


class GaitNode(GraphNode):
    """Follows `cmd_vel` or a walk, and forgets both when it has to begin afresh."""

    def serve(self, mobility: Mobility, foot_size: float) -> None:
        """Offer velocity commands and the action ``walk``; call it once, at the end of the start.

        ``foot_size``: of the marks of footholds in RViz, m.
        """
        timeout = self.parameter(
            'command_timeout', 0.5, 'a velocity that is not repeated ends', 's',
            low=0.05, high=10.0, fixed=True,
        )  # fmt: skip
        stamped = stamped_parameter(self)
        self.operator = Operator(mobility, timeout)
        self._marked = 0.0
        self._stamp = self._counted = -1
        self._charge: float | None = None
        self._charge_stamp: float = -math.inf
        self._lacks_charge = False
        self._foot_size = foot_size
        self._state = self.create_publisher(GaitState, 'gait/state', self.record_qos())
        self._markers = self.create_publisher(MarkerArray, 'gait/markers', 1)
        VelocitySubscriber(self, timeout, self._drive, stamped=stamped)
        self.walk_action = WalkAction(self, self.operator, self._refusal)
        self.closing.append(self.walk_action.close)

    def _drive(self, rates: Rates, commanded: float) -> None:
        if self._exhausted:
            self.warn_throttled(reason_to_slow(self.operator.charge))
        if not self.operator.push_stick((rates.vx, rates.vy, rates.wz), commanded):
            self.warn_throttled('clips a velocity to the limits of the robot')
        self.walk_action.settle()

    def follow_battery(self) -> None:
        """Go slower on a low battery, and rest on an empty one, where `battery_state` comes."""
        self._battery_timeout = self.parameter(
            'battery_timeout', 0.0,
            'greatest age of a battery_state, by its stamp, with which the robot walks; 0: any',
            's', low=0.0, high=3600.0, fixed=True,
        )  # fmt: skip
        self.listen(BatteryState, 'battery_state', self._take_charge)

    def _take_charge(self, message: Any) -> None:
        """Take the charge of the battery; it counts from the state after that of its stamp.

        Whether it comes before or after the other messages of its stamp then changes no trace.
        """
        charge = charge_from_msg(message)
        self._charge_stamp = stamp_from_msg(message)
        if self._charge_stamp <= self._counted:
            self._use(charge)
        else:
            self._charge = charge

    def waits_for_battery(self, stamp: int) -> bool:
        """Return whether the last report is too old to answer a state; ``stamp`` in ns."""
        age = 1e-9 * (stamp - self._charge_stamp)
        self._lacks_charge = self._battery_timeout > 0.0 and age > self._battery_timeout
        return self._lacks_charge

    def _use(self, charge: float) -> None:
        before, self.operator.charge = self.operator.charge, charge
        why = reason_to_slow(charge)
        if why and not reason_to_slow(before):
            self.get_logger().warning(why)
        if self._exhausted:
            self.operator.drop(why)
            self.walk_action.settle()

    @property
    def _exhausted(self) -> bool:
        return not speed_share(self.operator.charge)

    def walking(self, steps: int) -> Health:
        """Return the health of a gait that waits for nothing but perhaps its battery."""
        if self._lacks_charge:
            return WARN, (
                f'waits for a battery_state that is at most {self._battery_timeout:g} s old: is '
                'the node of the battery running?'
            )
        why = reason_to_slow(self.operator.charge)
        return (WARN, why) if why else (OK, f'{steps} steps walked')

    def _refusal(self, goal: WalkGoal) -> str:
        return reason_to_slow(self.operator.charge) if self._exhausted else self.refusal(goal)

    @abstractmethod
    def begin_afresh(self, why: str) -> None:
        """Forget the gait and every command: an old motion is never resumed."""

    def note_state(self, stamp: int) -> None:
        """Begin afresh if the state before that of ``stamp`` (ns) is too old."""
        gap = 1e-9 * (stamp - self._stamp)
        if self._stamp >= 0 and gap > self.operator.timeout:
            self.begin_afresh(f'no state of the robot came for {gap:.1f} s')
        self._stamp = stamp

    def refusal(self, goal: WalkGoal) -> str:
        """Say why a goal cannot be walked, or nothing; overridden where robots cannot do all."""
        del goal
        return ''

    def count(self, step: GaitStep, stamp: int) -> None:
        """Count a step (``stamp`` in ns) for the operator, and mark it in RViz."""
        self.operator.add(step)
        self._counted = stamp
        if self._charge is not None:
            self._use(self._charge)
            self._charge = None
        self.walk_action.settle()
        self.walk_action.publish_feedback(step)
        now = self.now()
        if now - self._marked >= MARKER_PERIOD and self._markers.get_subscription_count():
            self._marked = now
            self._markers.publish(gait_markers(step, stamp, self._foot_size))

    def publish_state(self, state: GaitState) -> None:
        """Publish what the gait thinks."""
        self._state.publish(state)

    def rest(self, why: str) -> None:
        """Forget every command; without an answer the legs stay where they are."""
        self.operator.drop(why)
        self.walk_action.settle()
