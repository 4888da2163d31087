"""The servo of a gait that commands feet: joints that bring them there."""

from collections.abc import Mapping
from functools import partial
from typing import Any, ClassVar

import numpy as np
from sensor_msgs.msg import JointState
from walking_robots_interfaces.msg import FeetCommand, FootContacts, LegStates

from walking_robots.legs.driven import DrivenLegs
from walking_robots.legs.states import ControlState, LegReport, PlanState
from walking_robots.nodes.common.conversions import (
    Array,
    contacts_from_msg,
    feet_from_msg,
    fill_header,
    leg_report_to_msg,
    stamp_from_msg,
)
from walking_robots.nodes.common.synchronizer import TimeSynchronizer
from walking_robots.nodes.hexapod.servo_node import ServoNode

STANDS = (PlanState.ELIGIBLE_TO_LIFT, ControlState.SUPPORT)
SWINGS = (PlanState.ACTUAL_LIFT, ControlState.ADVANCE)

RECENT = 5
"""Steps after which joints may be elsewhere than they were ordered to."""


class FeetServo:
    """Answers every command of feet by joints, nearest to those measured."""

    SOURCES: ClassVar[Mapping[str, str]] = {
        'joint_states': 'hexapod_sim',
        'feet/command': 'periodic_gait',
        'foot_contacts': 'hexapod_sim',
    }

    def __init__(self, node: ServoNode) -> None:
        """Listen to the gait and to the legs."""
        assert node.hexapod.articulated is not None
        self._node = node
        self._legs = DrivenLegs(node.hexapod.articulated)
        self._orders = TimeSynchronizer('joint_states', 'feet/command')
        self._state = TimeSynchronizer('joint_states', 'foot_contacts')
        self.inputs = (self._orders, self._state)
        self.answered = -1
        self._answer: Any = None
        self._newest = -1
        self._ordered: Array | None = None
        self._stands: tuple[bool, ...] = (True,) * 6
        node.listen(JointState, 'joint_states', self._see)
        node.listen(FeetCommand, 'feet/command', partial(self._obey, 'feet/command'))
        node.listen(FootContacts, 'foot_contacts', partial(self._tell, 'foot_contacts'))

    def _see(self, message: Any) -> None:
        self._newest = stamp_from_msg(message)
        self._obey('joint_states', message)
        self._tell('joint_states', message)

    def _obey(self, topic: str, message: Any) -> None:
        stamp = stamp_from_msg(message)
        found = self._orders.add(topic, stamp, message)
        if found is None:
            return
        if stamp != self.answered or self._answer is None:
            joints = self._node.joints(found[0])
            feet, stands = feet_from_msg(found[1], len(joints))
            ordered = self._move(stamp, joints, feet, stands)
            self._answer = self._node.order(stamp, ordered, joints)
            self.answered, self._ordered, self._stands = stamp, ordered, stands
        self._node.drive(self._answer)

    def _move(self, stamp: int, joints: Array, feet: Array, stands: tuple[bool, ...]) -> Array:
        """Return the joints of feet; where one that stands is out of reach, all stay.

        They stay as they were ordered: held as they are measured, legs that give way under the
        weight would sink from step to step.
        """
        found, _, reached = self._legs.reach(feet, joints)
        strained = np.flatnonzero(~reached & np.array(stands))
        if len(strained):
            self._node.warn_throttled(
                f'holds the joints: leg {strained[0] + 1} does not reach its foot'
            )
            steps = (stamp - self.answered) / (self._node.hexapod.dt * 1e9)
            recent = self._ordered is not None and 0.0 <= steps < RECENT + 0.5
            return self._ordered if recent and self._ordered is not None else joints
        return found

    def _tell(self, topic: str, message: Any) -> None:
        """Report the legs; a leg stands or swings by the newest command."""
        stamp = stamp_from_msg(message)
        found = self._state.add(topic, stamp, message)
        if found is None:
            return
        joints = self._node.joints(found[0])
        feet = self._legs.forward(joints).tolist()
        switches = contacts_from_msg(found[1], len(joints))
        reports = [
            LegReport(number, *(STANDS if stands else SWINGS), contact, None, (x, y, z))
            for number, (stands, contact, (x, y, z)) in enumerate(
                zip(self._stands, switches, feet, strict=True), start=1
            )
        ]
        message = LegStates(legs=[leg_report_to_msg(report) for report in reports])
        fill_header(message, stamp, 'base_link')
        self._node.report(message)

    def hold(self) -> None:
        """Hold the joints as commanded, unless they have moved since."""
        if self._ordered is not None and self.answered == self._newest:
            self._node.drive(self._node.order(self.answered, self._ordered, self._ordered))
