"""The parameters of the Scout's driver, declared with range and unit."""

import math
from collections.abc import Sequence
from typing import Any

from walking_robots.nodes.common.node import ConfigurationError, GraphNode, one_of
from walking_robots.nodes.common.velocity_publisher import stamped_parameter
from walking_robots.nodes.scout.conversions import Sonars
from walking_robots.robots.super_scout import SUPER_SCOUT
from walking_robots.scout.port import BAUD
from walking_robots.scout.settings import LIMITS, DriverSettings

_DEFAULT = DriverSettings()

_NUMBERS = {
    'rate': ('rate of exchanges with the robot', 'Hz'),
    'reply_timeout': ('time to wait for a reply', 's'),
    'reconnect_interval': ('time between attempts to open the port', 's'),
    'cmd_vel_timeout': ('time after which a velocity that is not repeated expires', 's'),
    'robot_watchdog': (
        'time without a packet after which the robot stops; 0: never',
        's',
    ),
    'max_linear_speed': ('limit of the linear velocity of cmd_vel', 'm/s'),
    'max_angular_speed': ('limit of the angular velocity of cmd_vel', 'rad/s'),
    'max_wheel_speed': ('limit of the speed of a wheel', 'm/s'),
    'max_linear_accel': ('limit of the acceleration', 'm/s^2'),
    'wheel_separation': ('distance between the wheels, to be calibrated', 'm'),
    'odometry_scale': ('true distance over reported distance, to be calibrated', ''),
    'sonar_rate': ('time between two firings', '4 ms'),
    'sonar_min_range': ('range of the nearest echo', 'm'),
    'sonar_max_range': ('range of the farthest echo', 'm'),
    'bumper_mask': ('bits of the bumper word that are switches', ''),
    'cpu_voltage_range': ('full range of the CPU voltage', 'V'),
    'motor_voltage_range': ('full range of the motor voltage', 'V'),
}
_SWITCHES = {
    'swap_wheels': 'exchange the right and the left wheel',
    'mirror_odometry': 'the controller reports a pose that turns the other way',
    'reset_odometry_on_start': 'define the pose as 0 at the start',
    'limp_on_exit': 'switch the motors off at the end; the robot may then roll on slopes',
    'bumper_invert': 'a switch reads 0 when pressed',
    'stop_on_bumper': 'do not push ahead against a pressed front bumper',
}
# Parameters whose names differ from the driver's settings.
_SETTINGS = {
    'cmd_vel_timeout': 'command_timeout',
    'robot_watchdog': 'watchdog',
    'max_linear_accel': 'linear_acceleration',
    'sonar_min_range': 'sonar_near',
    'sonar_max_range': 'sonar_far',
    'limp_on_exit': 'limp_at_end',
}


class ScoutParameters:
    """The parameters of a driver node: ``settings`` of the driver, and what the node adds."""

    def __init__(self, node: GraphNode) -> None:
        """Declare them; raise ConfigurationError for a wrong one."""
        self._node = node
        values: dict[str, Any] = {}
        for name, (text, unit) in _NUMBERS.items():
            setting = _SETTINGS.get(name, name)
            low, high = LIMITS[setting]
            default = getattr(_DEFAULT, setting)
            values[setting] = self._fixed(name, default, text, unit, low=low, high=high)
        for name, text in _SWITCHES.items():
            setting = _SETTINGS.get(name, name)
            values[setting] = self._fixed(name, getattr(_DEFAULT, setting), text)
        values['sonar_order'] = self._list(
            'sonar_order', _DEFAULT.sonar_order, 'sensors in firing order; [-1]: sonars off', int
        )
        if values['sonar_order'] == (-1,):
            values['sonar_order'] = ()
        values['bumper_bearings'] = self._list(
            'bumper_angles', _DEFAULT.bumper_bearings, 'bearing of the switch of each bit, rad'
        )
        values['status_bits'] = self._fixed(
            'status_bits', 'scout', 'interpretation of the status byte: scout or none',
            check=one_of('status_bits', ('scout', 'none')),
        )  # fmt: skip
        try:
            self.settings = DriverSettings(**values)
        except ValueError as error:
            raise ConfigurationError(f'{node.get_name()}: {error}.') from None
        self.port: str = self._fixed('port', '/dev/ttyUSB0', 'serial port of the robot')
        self.baud: int = self._fixed(
            'baud', BAUD, 'speed of the port', 'bit/s', low=300, high=230400
        )
        self.cmd_vel_stamped = stamped_parameter(node)
        self.publish_tf: bool = self._fixed('publish_tf', True, 'publish odom to base_link')
        self.odom_frame: str = self._fixed('odom_frame', 'odom', 'frame of the odometry')
        self.base_frame: str = self._fixed('base_frame', 'base_link', 'frame of the robot')
        self.wheel_radius: float = self._fixed(
            'wheel_radius', SUPER_SCOUT.wheel_radius, 'radius of a wheel, a guess', 'm',
            low=0.01, high=0.5,
        )  # fmt: skip
        self.covariances = (
            self._diagonal('pose_covariance_diagonal', (0.01, 0.01, 1e6, 1e6, 1e6, 0.05)),
            self._diagonal('twist_covariance_diagonal', (0.001, 1e-6, 1e6, 1e6, 1e6, 0.01)),
        )

    def sonars(self) -> Sonars:
        """Declare how sonars are published, and return what makes their messages."""
        model = self.settings.model.sonar
        return Sonars(
            model,
            self.settings.sonar_near,
            self.settings.sonar_far,
            self._fixed(
                'sonar_field_of_view', model.field_of_view, 'width of a beam', 'rad',
                low=0.01, high=math.pi,
            ),
            self._fixed(
                'sonar_ring_radius', model.radius, 'radius of the ring', 'm', low=0.0, high=1.0
            ),
            self._fixed(
                'sonar_ring_height', model.height, 'height of the ring', 'm', low=0.0, high=2.0
            ),
            self._fixed(
                'clip_no_return', False, 'publish the greatest range instead of +inf for no echo'
            ),
        )  # fmt: skip

    def _fixed(self, name: str, default: Any, text: str, unit: str = '', **limits: Any) -> Any:
        return self._node.parameter(name, default, text, unit, fixed=True, **limits)

    def _list(
        self, name: str, default: Sequence[float], text: str, kind: type = float
    ) -> tuple[Any, ...]:
        values = self._fixed(name, list(default), text)
        if values is None:
            raise ConfigurationError(f'{self._node.get_name()}: {name} must not be empty.')
        return tuple(kind(value) for value in values)

    def _diagonal(self, name: str, default: Sequence[float]) -> tuple[float, ...]:
        values = self._list(name, default, 'variances of x, y, z, roll, pitch, yaw')
        if len(values) != 6 or not all(math.isfinite(value) and value >= 0.0 for value in values):
            raise ConfigurationError(
                f'{self._node.get_name()}: {name} must be 6 variances, none negative.'
            )
        return values
