"""The page in the browser: shows topics and publishes commands."""

import os
import sys
from contextlib import nullcontext
from functools import partial
from typing import Any, NoReturn

from walking_robots.nodes.common.health import OK, Health
from walking_robots.nodes.common.node import ConfigurationError
from walking_robots.nodes.common.page_node import PageNode, RobotPage
from walking_robots.nodes.common.running import ended_at_once, run_node
from walking_robots.systems import page_of


class Viewer(PageNode):
    """Serves a page that shows the topics; a motion commanded there ends when none is visible."""

    def __init__(self, *, alone: bool = False, **options: Any) -> None:
        """Open the page; a viewer that is ``alone`` in its process logs its address."""
        super().__init__(**options)
        robot = self.parameter(
            'robot', 'asv', 'the robot: a name, or the path of the file of a hexapod', fixed=True
        )
        port = self.parameter('port', 8080, 'port of the page', low=1, high=65535, fixed=True)
        host = self.parameter(
            'host',
            '127.0.0.1',
            'address of this machine that the page is served at; 0.0.0.0: open to the network',
            fixed=True,
        )
        timeout = self.parameter(
            'page_timeout', 0.5, 'without an answer of the page ends its motions', 's',
            low=0.2, high=10.0, fixed=True,
        )  # fmt: skip
        try:
            # To import what draws the page, and to make it, takes seconds.
            with ended_at_once(self.destroy_node) if alone else nullcontext():
                self._view: RobotPage = page_of(robot)(self)
                self.page = self._view.open(self._controls(), host, port)
                self.page.set_timeout(timeout)
        except ImportError as error:
            # No ROS distribution brings the libraries of the page.
            raise ConfigurationError(
                f'viewer: the page needs {error.name}, which is not installed: '
                'install walking_robots[viewer] or viser, or launch with viewer:=false.'
            ) from error
        except ValueError as error:
            raise ConfigurationError(f'viewer: {error}.') from error
        if alone and self.page.detour:
            self.get_logger().warning(self.page.detour)
        elif alone:
            self.get_logger().info(f'The page is at {self.page.url}')
        if alone and self.page.warning:
            self.get_logger().warning(self.page.warning)

    def _controls(self) -> Any:
        return self._view.controls()

    def rest(self, why: str) -> None:
        """Stop the robot if it was moved from the page."""
        self._view.halt()

    def stalled(self, why: str) -> None:
        """Stop the robot."""
        self.rest(why)

    def halt(self) -> None:
        """Stop the robot if it was moved from the page, and close the page."""
        super().halt()
        self.page.close()

    def health(self) -> Health:
        """Return where the page is, but not its token, which diagnostics would spread."""
        return OK, f'the page is at {self.page.origin}; the log has its address with the token'


def main() -> NoReturn:
    """Run the node as a process."""
    code = run_node(partial(Viewer, alone=True))
    sys.stdout.flush()
    sys.stderr.flush()
    # All is closed; the interpreter would take most of a second to unload what drew the page.
    os._exit(code)
