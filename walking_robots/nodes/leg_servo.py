"""The leg servo: decisions and body motion in, joint commands out."""

import sys
from functools import partial
from typing import Any

import numpy as np
from nav_msgs.msg import Odometry
from sensor_msgs.msg import JointState
from trajectory_msgs.msg import JointTrajectory, JointTrajectoryPoint
from walking_robots_interfaces.msg import (
    BodyCommand,
    FootContacts,
    GaitDecisions,
    JointCommand,
    LegStates,
)

from walking_robots.gaits.repairs import RULE_SETS
from walking_robots.legs.kinematics import leg_kinematics
from walking_robots.legs.servo import LegServo, ServoState, initial_state, recovered_state
from walking_robots.nodes import convert
from walking_robots.nodes.base import GraphNode, one_of
from walking_robots.nodes.gather import Gather
from walking_robots.nodes.health import OK, Health, waiting
from walking_robots.nodes.qos import LOOP
from walking_robots.nodes.running import run_node

OUTPUTS = ('joint_command', 'joint_trajectory')
SOURCES = {
    'joint_states': 'hexapod_sim', 'foot_contacts': 'hexapod_sim', 'odom': 'hexapod_sim',
    'gait/decisions': 'free_gait', 'body/command': 'free_gait',
}  # fmt: skip

PATIENCE = 0.3
"""Wall time, s, after which decisions that have not come are taken to be lost."""


class LegServoNode(GraphNode):
    """Reports the legs of every state and answers the decisions for it by joint commands."""

    def __init__(self, **options: Any) -> None:
        """Wait for the first state, by which the servo takes over the legs."""
        super().__init__('leg_servo', **options)
        self._model = self.robot()
        rules = self.parameter(
            'rules', 'repaired', f'rule set: {" or ".join(RULE_SETS)}',
            check=one_of('rules', RULE_SETS), fixed=True,
        )  # fmt: skip
        output = self.parameter(
            'output', OUTPUTS[0], 'message that drives the joints: joint_command, or '
            'joint_trajectory for ros2_control', check=one_of('output', OUTPUTS), fixed=True,
        )  # fmt: skip
        self._pin_stance = RULE_SETS[rules].pin_stance_feet
        self._names = list(self._model.joint_names())
        self._kinematics = leg_kinematics(self._model)
        self._servo: LegServo | None = None
        self._state, self._orders = Gather(*list(SOURCES)[:3]), Gather(*list(SOURCES)[3:])
        self._newest = self._reported = self._answered = -1
        self._joints = np.zeros((6, 3))
        self._foot_switches: tuple[bool, ...] = ()
        self._next: tuple[int, tuple[Any, ...]] | None = None
        self._asked = 0.0
        self._report: Any = None
        self._answer: Any = None
        self._reports = self.create_publisher(LegStates, 'legs/state', LOOP)
        kind = JointCommand if output == OUTPUTS[0] else JointTrajectory
        self._message = self._command if output == OUTPUTS[0] else self._trajectory
        self._commands = self.create_publisher(kind, output, LOOP)
        self.listen(JointState, 'joint_states', partial(self._see, 'joint_states'))
        self.listen(FootContacts, 'foot_contacts', partial(self._see, 'foot_contacts'))
        self.listen(Odometry, 'odom', partial(self._see, 'odom'))
        self.listen(GaitDecisions, 'gait/decisions', partial(self._obey, 'gait/decisions'))
        self.listen(BodyCommand, 'body/command', partial(self._obey, 'body/command'))

    def _see(self, topic: str, message: Any) -> None:
        stamp = convert.nanoseconds(message)
        if topic == 'odom':
            convert.body_pose(message.pose.pose)
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
        (stamp, found), now = self._next, self.now()
        news = stamp != self._reported or self._report is None
        if news and self._reported > self._answered and now - self._asked < PATIENCE:
            return
        self._next = None
        if news:
            self._take_state(stamp, *found)
            self._asked = now
        self._reports.publish(self._report)

    def _take_state(self, stamp: int, joints: Any, contacts: Any, odom: Any) -> None:
        """Report the legs as they are at ``stamp`` (ns)."""
        legs = len(self._model.legs)
        switches = convert.contacts(contacts, legs)
        self._joints = convert.joints(joints.name, joints.position, self._names)
        if self._servo is None:
            pose = convert.body_pose(odom.pose.pose)
            if stamp == 0:
                state = initial_state(self._model, pose)
            else:
                x, y, z = self._kinematics.forward(self._joints).T.tolist()
                state = recovered_state(self._model, list(zip(x, y, z, strict=True)), switches)
            self._servo = LegServo(self._model, state, pin_stance=self._pin_stance)
        self._foot_switches, self._reported = switches, stamp
        state = self._servo.state
        self._report = LegStates(
            header=convert.header(stamp, 'base_link'),
            legs=[convert.leg_state(report) for report in state.reports(switches)],
            lift_queue=list(state.lift_queue),
        )

    def _obey(self, topic: str, message: Any) -> None:
        stamp = convert.nanoseconds(message)
        found = self._orders.add(topic, stamp, message)
        if found is None or self._servo is None or not self._answered <= stamp <= self._reported:
            return
        if stamp != self._answered or self._answer is None:
            decisions = convert.decisions(found[0], len(self._model.legs))
            pose, rates = convert.motion(found[1])
            state = self._servo.step(decisions, pose, rates, self._foot_switches)
            self._answer, self._answered = self._message(stamp, self._move(state)), stamp
        self._commands.publish(self._answer)
        self._ask()

    def _move(self, state: ServoState) -> convert.Array:
        """Give the joints of the feet; those out of reach stay where they are."""
        try:
            return self._kinematics.inverse(np.array(state.feet()))
        except ValueError as error:
            self.complain(f'holds the joints: {error}')
            return self._joints

    def _command(self, stamp: int, joints: convert.Array) -> Any:
        dt = self._model.timing.dt
        return JointCommand(
            header=convert.header(stamp, ''),
            name=self._names,
            position=convert.doubles(joints),
            velocity=convert.doubles((joints - self._joints) / dt),
        )

    def _trajectory(self, stamp: int, joints: convert.Array) -> Any:
        dt = self._model.timing.dt
        point = JointTrajectoryPoint(
            positions=convert.doubles(joints),
            velocities=convert.doubles((joints - self._joints) / dt),
        )
        point.time_from_start.nanosec = round(dt * 1e9)
        # A stamp of zero asks the controller to begin at once.
        return JointTrajectory(joint_names=self._names, points=[point])

    def _forget(self) -> None:
        """Begin afresh, because the time began afresh."""
        self._servo = self._report = self._answer = self._next = None
        self._reported = self._answered = -1
        self._state.clear()
        self._orders.clear()

    def halt(self) -> None:
        """Hold the joints where they are."""
        if self._servo is not None and self._answered == self._reported:
            self._commands.publish(self._message(self._reported, self._joints))

    def health(self) -> Health:
        """Tell what the servo waits for."""
        dt = self._model.timing.dt
        for gather in (self._state, self._orders):
            found = waiting(gather, dt, SOURCES)
            if found is not None:
                return found
        return OK, f'step {round(self._answered * 1e-9 / dt)}'


def main() -> int:
    """Run the node as a process."""
    return run_node(LegServoNode)


if __name__ == '__main__':
    sys.exit(main())
