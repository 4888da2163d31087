"""The keyboard: keys in, velocity commands out."""

import os
import select
import sys
import termios
import tty
from typing import Any

from walking_robots.gaits.commands.stick import HELP, Stick
from walking_robots.nodes.common.health import OK, Health
from walking_robots.nodes.common.node import ConfigurationError, GraphNode
from walking_robots.nodes.common.running import run_node
from walking_robots.nodes.common.velocity_publisher import (
    PEOPLE,
    VelocityPublisher,
    stamped_parameter,
)
from walking_robots.nodes.hexapod.robot import declare_hexapod

PERIOD = 0.1
"""Wall time, s, between two commands."""

LAST = 0.5
"""Wall time, s, for which zero is commanded; then programs may drive the robot."""


class Teleop(GraphNode):
    """Publishes the velocity chosen by keys ten times a second, and zero at its end."""

    def __init__(self, **options: Any) -> None:
        """Take over the terminal; raise ConfigurationError without one."""
        super().__init__('teleop', **options)
        try:
            self._stick = Stick(declare_hexapod(self).limits)
        except ValueError as error:
            raise ConfigurationError(f'teleop: {error}.') from error
        stamped = stamped_parameter(self)
        if not sys.stdin.isatty():
            raise ConfigurationError('teleop: keys need a terminal, and standard input is none.')
        self._terminal = sys.stdin.fileno()
        self._before = termios.tcgetattr(self._terminal)
        # Keys come at once, and Ctrl-C still interrupts.
        tty.setcbreak(self._terminal, termios.TCSANOW)
        print(HELP, flush=True)
        self._publisher = VelocityPublisher(self, stamped, PEOPLE)
        self._moved = self.now()
        self.create_timer(PERIOD, self._poll, clock=self.steady)

    def _poll(self) -> None:
        if select.select([self._terminal], [], [], 0.0)[0]:
            before = self._stick.command
            text = os.read(self._terminal, 64).decode(errors='ignore')
            self._stick.press_all(text)
            if not text or self._stick.ended:
                self.done = True
            if self._stick.command != before:
                vx, vy, wz = self._stick.command
                print(f'forward {vx:+.3f} m/s  left {vy:+.3f} m/s  turn {wz:+.3f} rad/s')
        self._publish()

    def _publish(self) -> None:
        if any(self._stick.command):
            self._moved = self.now()
        if self.now() - self._moved <= LAST:
            self._publisher.publish(*self._stick.command)

    def rest(self, why: str) -> None:
        """Command zero velocity."""
        self._stick.press('q')
        self._publish()

    def stalled(self, why: str) -> None:
        """Stop the robot, and drop the keys that were pressed meanwhile."""
        termios.tcflush(self._terminal, termios.TCIFLUSH)
        self.rest(why)

    def halt(self) -> None:
        """Command zero velocity and give the terminal back."""
        super().halt()
        termios.tcsetattr(self._terminal, termios.TCSADRAIN, self._before)

    def health(self) -> Health:
        """Return the commanded velocity in words."""
        vx, vy, wz = self._stick.command
        return OK, f'forward {vx:.3f} m/s, left {vy:.3f} m/s, turn {wz:.3f} rad/s'


def main() -> int:
    """Run the node as a process."""
    return run_node(Teleop)
