"""A node that keeps the robot of a system moving, and counts ticks that its nodes miss."""

from typing import Any

from diagnostic_msgs.msg import DiagnosticArray
from rclpy.node import Node
from std_srvs.srv import Trigger

from walking_robots.nodes.common.velocity_publisher import VelocityPublisher

__all__ = ['Mover']

PERIOD, AGAIN = 0.1, 60.0
"""Wall time, s, between two velocities, and after which a walk begins anew."""
_HEXAPOD_SPEED = 0.02
SPEEDS = {'asv': 0.12, 'aquarobot': _HEXAPOD_SPEED, 'hexapod': _HEXAPOD_SPEED, 'biped': 0.3}
"""m/s ahead."""
RESTARTS = {'biped': 'biped_sim/reset', 'ars_magna': 'ars_program/start'}
"""Services that begin anew; the reset of a hexapod otherwise."""


class Mover(Node):  # type: ignore[misc,unused-ignore]
    """Has a robot walk; those of other systems move by themselves.

    ``missed``: ticks that the diagnostics of all nodes count as missed.
    """

    def __init__(self, system: str, **options: Any) -> None:
        """Begin at once."""
        super().__init__('mover', **options)
        self._missed: dict[str, int] = {}
        self._speed = SPEEDS.get(system, 0.0)
        self.create_subscription(DiagnosticArray, '/diagnostics', self._diagnosed, 100)
        if self.walks(system):
            self._velocity = VelocityPublisher(self, stamped=True)
            self.create_timer(PERIOD, self._drive)
        if self.walks(system) or system in RESTARTS:
            name = RESTARTS.get(system, 'hexapod_sim/reset')
            self._restart: Any = self.create_client(Trigger, name)
            self.create_timer(AGAIN, self._begin_anew)

    @staticmethod
    def walks(system: str) -> bool:
        """Return whether the robot of a system needs velocities."""
        return system in SPEEDS

    @property
    def missed(self) -> int:
        """Return how many ticks were missed."""
        return sum(self._missed.values())

    def _drive(self) -> None:
        self._velocity.publish(self._speed, 0.0, 0.0)

    def _begin_anew(self) -> None:
        self._restart.call_async(Trigger.Request())

    def _diagnosed(self, message: Any) -> None:
        for status in message.status:
            for entry in status.values:
                if 'missed' in entry.key and entry.value.isdigit():
                    self._missed[f'{status.name} {entry.key}'] = int(entry.value)
