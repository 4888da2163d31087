"""What a simulated biped publishes of a state."""

from geometry_msgs.msg import TransformStamped
from nav_msgs.msg import Odometry, Path
from rosgraph_msgs.msg import Clock
from sensor_msgs.msg import Imu, JointState
from tf2_msgs.msg import TFMessage
from visualization_msgs.msg import Marker
from walking_robots_interfaces.msg import FootContacts, FootForces

from walking_robots.geometry.pose import Vector
from walking_robots.nodes.biped.conversions import (
    AnyState,
    cells_to_msg,
    foot_forces_to_msg,
    imu_to_msg,
    joints_to_msg,
    profile_to_msg,
)
from walking_robots.nodes.common.conversions import (
    fill_header,
    fill_point,
    fill_pose,
    fill_twist,
    header_to_msg,
    pose_from_msg,
    time_to_msg,
)
from walking_robots.nodes.common.node import GraphNode
from walking_robots.nodes.common.qos import LATCHED, LOOP
from walking_robots.nodes.common.stepped_sim import EXACT
from walking_robots.nodes.common.throttle import ObserverThrottle
from walking_robots.simulation.biped.spatial_build import SpatialGround
from walking_robots.terrain.profile import LEVEL
from walking_robots.terrain.step_field import StepField

BEHIND, AHEAD = 4.0, 16.0
"""Ground that is shown, m, before and beyond the robot."""


class BipedPublisher:
    """Publishes joints, pitch, odometry, transforms, forces, foot switches and ground."""

    def __init__(self, node: GraphNode) -> None:
        """Publish on the topics of ``node``."""
        make = node.create_publisher
        self._joints = make(JointState, 'joint_states', LOOP)
        self._servo = make(JointState, 'servo/joint_states', LOOP)
        self._imu = make(Imu, 'imu', LOOP)
        self._contacts = make(FootContacts, 'foot_contacts', LOOP)
        self._odom = make(Odometry, 'odom', LOOP)
        self._forces = make(FootForces, 'feet/forces', LOOP)
        self._ground = make(Path, 'terrain/profile', LATCHED)
        self._cells = make(Marker, 'terrain/cells', LATCHED)
        self._clock = make(Clock, '/clock', 10)
        self._tf = make(TFMessage, '/tf', 100)
        static = make(TFMessage, '/tf_static', LATCHED)
        frame = TransformStamped(header=header_to_msg(0, 'map'), child_frame_id='odom')
        static.publish(TFMessage(transforms=[frame]))
        self._observers = ObserverThrottle(node)
        self._end = 0.0

    def sense(self, state: AnyState, stamp: int, robot: str) -> None:
        """Publish joints and pitch; ``stamp`` in ns."""
        self._joints.publish(joints_to_msg(stamp, state, robot))
        self._imu.publish(imu_to_msg(stamp, state))

    def show(self, state: AnyState, stamp: int) -> None:
        """Publish the time, and odometry, transforms and forces for observers."""
        if self._clock.get_subscription_count():
            self._clock.publish(Clock(clock=time_to_msg(stamp)))
        if self._observers.passes(stamp):
            self._show_observers(state, stamp)

    def _show_observers(self, state: AnyState, stamp: int) -> None:
        """Publish odometry, transforms and forces."""
        place = state.place
        odom = Odometry(child_frame_id='base_link')
        fill_header(odom, stamp, 'odom')
        fill_pose(odom.pose.pose, place, state.attitude)
        pose = pose_from_msg(odom.pose.pose)
        fill_twist(odom.twist.twist, (*pose.rotate_to_body(state.moving), *state.turning))
        odom.pose.covariance = odom.twist.covariance = EXACT
        self._odom.publish(odom)
        if self._forces.get_subscription_count():
            self._forces.publish(foot_forces_to_msg(stamp, state))
        if self._tf.get_subscription_count():
            frame = TransformStamped(header=odom.header, child_frame_id='base_link')
            fill_point(frame.transform.translation, place)
            frame.transform.rotation = odom.pose.pose.orientation
            self._tf.publish(TFMessage(transforms=[frame]))

    def invite(self, state: AnyState, stamp: int) -> None:
        """Publish the foot switches, on which the controller acts."""
        contacts = FootContacts(contact=list(state.contacts))
        fill_header(contacts, stamp, 'base_link')
        self._contacts.publish(contacts)

    def invite_servo(self, state: AnyState, stamp: int, robot: str) -> None:
        """Publish the joints on which servos outside of the physics act."""
        self._servo.publish(joints_to_msg(stamp, state, robot))

    def near(self, ground: SpatialGround, place: Vector) -> None:
        """Show more of the ground where the robot comes near its end."""
        if place[0] > self._end - 0.5 * AHEAD:
            self.ground(ground, place)

    def ground(self, ground: SpatialGround, place: Vector) -> None:
        """Publish the ground round a robot at a place, m."""
        x = place[0]
        self._end = x + AHEAD
        profile = LEVEL if isinstance(ground, StepField) else ground
        self._ground.publish(profile_to_msg(profile, x - BEHIND, self._end))
        self._cells.publish(cells_to_msg(ground if isinstance(ground, StepField) else None))
