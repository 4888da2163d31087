"""The part of the page that says what a robot is at, sees and knows."""

from collections.abc import Callable

import viser

from walking_robots.viewer.ars_magna.state import ArsView, RobotView, WorldPicture
from walking_robots.viewer.ars_magna.status import (
    cameras_html,
    designators_html,
    heading_html,
    messages_html,
    parts_html,
    robot_html,
    things_html,
)
from walking_robots.viewer.common.board import Board, left_panel

PERIOD = 0.15
WIDTH = 390


class ArsBoard(Board[ArsView]):
    """The board of a world, at the left edge of the page; it shows one robot at a time."""

    def __init__(self, gui: viser.GuiApi) -> None:
        """Add the board."""
        super().__init__(gui, left_panel(gui, WIDTH))
        self._name = ''
        with self.tab('Program and robot'):
            self.text(heading_html, PERIOD)
            for write in (robot_html, cameras_html, parts_html, designators_html):
                self.text(self._of_robot(write), PERIOD)
            self.text(lambda view: messages_html(_picture(view).messages), PERIOD)
        with self.tab('Things'):
            self.text(lambda view: things_html(_picture(view).things), PERIOD)

    def choose(self, name: str) -> None:
        """Show another robot."""
        self._name = name

    def _of_robot(self, write: Callable[[RobotView], str]) -> Callable[[ArsView], str]:
        """Return what writes a view of the chosen robot, or else of the first one."""

        def written(view: ArsView) -> str:
            robots = _picture(view).robots
            chosen = next((robot for robot in robots if robot.name == self._name), None)
            robot = chosen or (robots[0] if robots else None)
            return '' if robot is None else write(robot)

        return written


def _picture(view: ArsView) -> WorldPicture:
    return view.picture or WorldPicture()
