"""The servo of the free gait: decisions and body motion in, legs by their state machines."""

from collections.abc import Mapping
from functools import partial
from typing import Any, ClassVar

import numpy as np
from nav_msgs.msg import Odometry
from sensor_msgs.msg import JointState
from walking_robots_interfaces.msg import BodyCommand, FootContacts, GaitDecisions, LegStates

from walking_robots.gaits.free.repairs import RULE_SETS
from walking_robots.geometry.pose import Vector
from walking_robots.legs.servo import LegServo, ServoState, initial_state, recovered_state
from walking_robots.legs.servo_faults import fault_detector
from walking_robots.nodes.common.conversions import (
    Array,
    body_motion_from_msg,
    clear_heights_from_msg,
    contacts_from_msg,
    decisions_from_msg,
    fill_header,
    leg_report_to_msg,
    pose_from_msg,
    stamp_from_msg,
)
from walking_robots.nodes.common.node import one_of
from walking_robots.nodes.common.synchronizer import TimeSynchronizer
from walking_robots.nodes.hexapod.servo_node import ServoNode

PATIENCE = 1.0
"""Wall time, s, after which decisions that have not come are lost, and void if they come."""


class RuleServo:
    """Reports the legs of every state and answers the decisions for it by joints."""

    SOURCES: ClassVar[Mapping[str, str]] = {
        'joint_states': 'hexapod_sim', 'foot_contacts': 'hexapod_sim', 'odom': 'hexapod_sim',
        'gait/decisions': 'free_gait', 'body/command': 'free_gait',
    }  # fmt: skip

    def __init__(self, node: ServoNode) -> None:
        """Listen to the gait and to the legs."""
        rules = node.parameter(
            'rules', 'repaired', f'rule set: {" or ".join(RULE_SETS)}',
            check=one_of('rules', RULE_SETS), fixed=True,
        )  # fmt: skip
        self._node = node
        self._model = node.hexapod.model
        self._pin_stance = RULE_SETS[rules].pin_stance_feet
        self._kinematics = node.hexapod.kinematics()
        self._servo: LegServo | None = None
        self._faults = fault_detector(self._model)
        topics = list(self.SOURCES)
        self._state, self._orders = TimeSynchronizer(*topics[:3]), TimeSynchronizer(*topics[3:])
        self.inputs = (self._state, self._orders)
        self._newest = self._reported = self.answered = -1
        self._joints = np.zeros((6, 3))
        self._ordered: Array | None = None
        self._foot_switches: tuple[bool, ...] = ()
        self._places: list[Vector] = []
        self._next: tuple[int, tuple[Any, ...]] | None = None
        self._requested = 0.0
        self._report: Any = None
        self._answer: Any = None
        for kind, topic in zip((JointState, FootContacts, Odometry), topics[:3], strict=True):
            node.listen(kind, topic, partial(self._see, topic))
        for kind, topic in zip((GaitDecisions, BodyCommand), topics[3:], strict=True):
            node.listen(kind, topic, partial(self._obey, topic))

    def _see(self, topic: str, message: Any) -> None:
        stamp = stamp_from_msg(message)
        if topic == 'odom':
            pose_from_msg(message.pose.pose)
            if stamp < self._newest:
                self._forget()
            self._newest = stamp
        found = self._state.add(topic, stamp, message)
        if found is not None and stamp >= self._reported:
            self._next = (stamp, found)
            self._ask()

    def _ask(self) -> None:
        """Report the newest state, one at a time: legs are not to be decided on twice.

        Only a free-running robot is ahead of its decisions; lost ones are not waited for.
        """
        if self._next is None:
            return
        (stamp, found), now = self._next, self._node.now()
        is_new = stamp != self._reported or self._report is None
        if is_new and self._reported > self.answered and now - self._requested < PATIENCE:
            return
        self._next = None
        if is_new:
            self._take_state(stamp, *found)
            self._requested = now
        self._node.report(self._report)

    def _take_state(self, stamp: int, joints: Any, contacts: Any, odom: Any) -> None:
        """Report the legs as they are at ``stamp`` (ns)."""
        legs = len(self._model.legs)
        switches = contacts_from_msg(contacts, legs)
        self._joints = self._node.joints(joints)
        pose = pose_from_msg(odom.pose.pose)
        feet = [(x, y, z) for x, y, z in self._kinematics.forward(self._joints).tolist()]
        if self._servo is None:
            if stamp == 0:
                state = initial_state(self._model, pose, switches)
            else:
                state = recovered_state(self._model, feet, switches)
            self._servo = LegServo(self._model, state, pin_stance=self._pin_stance)
        self._places = [pose.apply(foot) for foot in feet]
        if self._ordered is not None:
            failed = self._faults.add(self._ordered, self._joints)
            if failed:
                self._servo.fail(failed, switches, self._places)
            for leg in failed:
                self._node.get_logger().warning(f'leg {leg + 1} has failed: it does not follow')
        self._servo.follow_odometry(switches, self._places)
        self._foot_switches, self._reported = switches, stamp
        state = self._servo.state
        self._report = LegStates(
            legs=[leg_report_to_msg(report) for report in state.reports(switches)],
            lift_queue=list(state.lift_queue),
        )
        self._report.drift.x, self._report.drift.y, self._report.drift.z = state.drift
        fill_header(self._report, stamp, 'base_link')

    def _obey(self, topic: str, message: Any) -> None:
        stamp = stamp_from_msg(message)
        found = self._orders.add(topic, stamp, message)
        # A gait that stood still answers at once all that was reported meanwhile.
        if found is None or self._servo is None or stamp != self._reported:
            return
        if stamp != self.answered or self._answer is None:
            decisions = decisions_from_msg(found[0], len(self._model.legs))
            pose, rates = body_motion_from_msg(found[1])
            clear = clear_heights_from_msg(found[0], len(self._model.legs))
            state = self._servo.step(
                decisions, pose, rates, self._foot_switches, clear, self._places
            )
            self._ordered = self._move(state)
            self._answer = self._node.order(stamp, self._ordered, self._joints)
            self.answered = stamp
        self._node.drive(self._answer)
        self._ask()

    def _move(self, state: ServoState) -> Array:
        """Return the joints of the feet; those out of reach stay where they are."""
        try:
            bears = state.bearing(self._foot_switches)
            return self._kinematics.follow(np.array(state.feet()), bears)
        except ValueError as error:
            self._node.warn_throttled(f'holds the joints: {error}')
            return self._joints

    def _forget(self) -> None:
        """Begin afresh, because the time began afresh."""
        self._servo = self._report = self._answer = self._next = self._ordered = None
        self._reported = self.answered = -1
        self._faults = fault_detector(self._model)

    def hold(self) -> None:
        """Hold the joints as commanded, unless they have moved since.

        Held as they are measured, legs that give way under the weight would sink.
        """
        if self._ordered is not None and self.answered == self._reported:
            self._node.drive(self._node.order(self.answered, self._ordered, self._ordered))
