"""What a simulated hexapod publishes of a state."""

import math
from typing import Any

import numpy as np
from geometry_msgs.msg import TransformStamped
from nav_msgs.msg import Odometry
from rosgraph_msgs.msg import Clock
from sensor_msgs.msg import BatteryState, Imu, JointState
from std_msgs.msg import String
from tf2_msgs.msg import TFMessage
from visualization_msgs.msg import MarkerArray
from walking_robots_interfaces.msg import Bumper, FootContacts, FootForces

from walking_robots.geometry.pose import Rates
from walking_robots.geometry.se2 import wrap
from walking_robots.geometry.twist import finite_difference
from walking_robots.nodes.common.conversions import (
    Array,
    array_to_msg,
    fill_header,
    fill_point,
    fill_pose,
    fill_twist,
    header_to_msg,
    point_to_msg,
    time_to_msg,
    vector_to_msg,
)
from walking_robots.nodes.common.markers import force_markers
from walking_robots.nodes.common.node import GraphNode
from walking_robots.nodes.common.qos import LATCHED, LOOP
from walking_robots.nodes.common.stepped_sim import EXACT
from walking_robots.nodes.hexapod.robot import Hexapod
from walking_robots.simulation.hexapod.battery import SimulatedBattery
from walking_robots.simulation.hexapod.physical import LegLoads
from walking_robots.simulation.hexapod.simulated import HexapodState

INERTIAL = np.diag(np.full(3, 1e-6)).ravel()
"""Variances of an inertial measurement unit, as filters accept them."""

WEIGHT = 2.0
"""Length of the arrow of a force as large as the weight, in heights of the body."""


class StatePublisher:
    """Publishes joints, odometry, transforms, time and foot switches of a state."""

    def __init__(
        self, node: GraphNode, hexapod: Hexapod, *, description: bool, battery: bool
    ) -> None:
        """Publish on the topics of ``node``; with ``description`` the URDF too.

        battery: the robot has one with a gauge.
        """
        self._node = node
        self._imu: Any = None
        self._battery: Any = None
        if battery:
            self._battery = node.create_publisher(BatteryState, 'battery_state', LOOP)
        self._kinematics = hexapod.kinematics()
        self._dt = hexapod.dt
        self._names = [*hexapod.joint_names, *hexapod.passive_joint_names]
        self._rates = Rates()
        self._positions = self._speeds = np.zeros(len(self._names))
        self._contacts = node.create_publisher(FootContacts, 'foot_contacts', LOOP)
        self._forces = node.create_publisher(FootForces, 'feet/forces', LOOP)
        self._markers = node.create_publisher(MarkerArray, 'feet/markers', 1)
        self._height = hexapod.height
        self._odom = node.create_publisher(Odometry, 'odom', LOOP)
        self._joints = node.create_publisher(JointState, 'joint_states', LOOP)
        self._truth = node.create_publisher(Odometry, 'ground_truth/odom', 10)
        self._bumper = node.create_publisher(Bumper, 'bumper', LOOP)
        self._clock = node.create_publisher(Clock, '/clock', 10)
        self._tf = node.create_publisher(TFMessage, '/tf', 100)
        static = node.create_publisher(TFMessage, '/tf_static', LATCHED)
        frame = TransformStamped(header=header_to_msg(0, 'map'), child_frame_id='odom')
        static.publish(TFMessage(transforms=[frame]))
        if description:
            robot = node.create_publisher(String, 'robot_description', LATCHED)
            robot.publish(String(data=hexapod.description()))

    def show_bumper(self, gap: float, bearing: float, heading: float, stamp: int) -> None:
        """Publish whether the body touches a wall, and where: one switch that is everywhere."""
        if self._bumper.get_subscription_count():
            found = Bumper(header=header_to_msg(stamp, 'base_link'), pressed=gap <= 0.0)
            found.switches, found.bearings = [found.pressed], [wrap(bearing - heading)]
            found.raw = int(found.pressed)
            self._bumper.publish(found)

    def rest(self, state: HexapodState) -> None:
        """Take in a state that the robot is in, without motion."""
        passive = self._kinematics.passive(state.joints)
        self._positions = np.concatenate((state.joints.ravel(), passive.ravel()))
        self._rates, self._speeds = Rates(), np.zeros(len(self._names))

    def move(self, old: HexapodState, new: HexapodState) -> None:
        """Take in a step from one state to the next; its velocities are the differences."""
        before = self._positions
        self.rest(new)
        self._rates = finite_difference(old.pose, new.pose, self._dt)
        self._speeds = (self._positions - before) / self._dt

    def show_truth(self, state: HexapodState, stamp: int) -> None:
        """Publish where the body is, whatever its odometry measures; ``stamp`` in ns."""
        if self._truth.get_subscription_count():
            truth = Odometry(child_frame_id='base_link')
            fill_header(truth, stamp, 'map')
            fill_pose(truth.pose.pose, state.position, state.quaternion)
            truth.pose.covariance = truth.twist.covariance = EXACT
            self._truth.publish(truth)

    def show_inertial(
        self, state: HexapodState, turning: Array, acceleration: Array, stamp: int
    ) -> None:
        """Publish what an inertial measurement unit measures; the rest as in `show`.

        turning: rad/s, acceleration: m/s2, in axes of the body, (3,).
        """
        if self._imu is None:
            self._imu = self._node.create_publisher(Imu, 'imu', LOOP)
        if not self._imu.get_subscription_count():
            return
        imu = Imu()
        fill_header(imu, stamp, 'base_link')
        q = imu.orientation
        q.w, q.x, q.y, q.z = state.quaternion
        imu.orientation_covariance = imu.angular_velocity_covariance = INERTIAL
        imu.linear_acceleration_covariance = INERTIAL
        fill_point(imu.angular_velocity, turning.tolist())
        fill_point(imu.linear_acceleration, acceleration.tolist())
        self._imu.publish(imu)

    def show_battery(self, battery: SimulatedBattery, stamp: int) -> None:
        """Publish the charge of the battery if it is time to; ``stamp`` in ns."""
        if not battery.reports:
            return
        label, charge, kind = battery.battery, battery.measured, BatteryState
        self._battery.publish(
            BatteryState(
                header=header_to_msg(stamp, 'base_link'),
                voltage=label.voltage,
                current=-battery.power / label.voltage,
                charge=charge * label.capacity,
                capacity=label.capacity,
                design_capacity=label.capacity,
                percentage=charge,
                temperature=math.nan,
                power_supply_status=kind.POWER_SUPPLY_STATUS_DISCHARGING,
                power_supply_health=kind.POWER_SUPPLY_HEALTH_GOOD,
                present=True,
            )
        )

    def show(self, state: HexapodState, stamp: int, loads: LegLoads | None = None) -> None:
        """Publish all but the foot switches; ``stamp`` in ns.

        ``loads``: None where no forces are simulated.
        """
        odom = Odometry(child_frame_id='base_link')
        fill_header(odom, stamp, 'odom')
        fill_pose(odom.pose.pose, state.position, state.quaternion)
        fill_twist(odom.twist.twist, self._rates)
        odom.pose.covariance = odom.twist.covariance = EXACT
        joints = JointState()
        fill_header(joints, stamp, '')
        joints.name = self._names
        joints.position = array_to_msg(self._positions)
        joints.velocity = array_to_msg(self._speeds)
        if loads is not None:
            efforts = np.zeros(len(self._names))
            efforts[: loads.efforts.size] = loads.efforts.ravel()
            joints.effort = array_to_msg(efforts)
            self._tell_forces(state, stamp, loads)
        self._tell_time_and_frames(odom, state, stamp)
        self._joints.publish(joints)
        self._odom.publish(odom)

    def invite(self, state: HexapodState, stamp: int) -> None:
        """Publish the foot switches, on which the nodes of the loop act."""
        contacts = FootContacts(contact=list(state.contacts))
        fill_header(contacts, stamp, 'base_link')
        self._contacts.publish(contacts)

    def _tell_forces(self, state: HexapodState, stamp: int, loads: LegLoads) -> None:
        feet = list(map(state.pose.apply, state.feet))
        forces = loads.forces.tolist()
        if self._markers.get_subscription_count():
            length = WEIGHT * self._height
            self._markers.publish(force_markers(feet, forces, stamp, length))
        if self._forces.get_subscription_count():
            self._forces.publish(
                FootForces(
                    header=header_to_msg(stamp, 'odom'),
                    feet=[point_to_msg(foot) for foot in feet],
                    force=[vector_to_msg(force) for force in forces],
                )
            )

    def _tell_time_and_frames(self, odom: Any, state: HexapodState, stamp: int) -> None:
        """Publish what only people and their tools want, where somebody listens."""
        if self._clock.get_subscription_count():
            self._clock.publish(Clock(clock=time_to_msg(stamp)))
        if self._tf.get_subscription_count():
            frame = TransformStamped(header=odom.header, child_frame_id='base_link')
            fill_point(frame.transform.translation, state.position)
            frame.transform.rotation = odom.pose.pose.orientation
            self._tf.publish(TFMessage(transforms=[frame]))
