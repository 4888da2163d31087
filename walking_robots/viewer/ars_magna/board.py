"""The part of the page that says what a robot is at, sees and knows."""

import viser

from walking_robots.viewer.ars_magna.state import ArsView, Picture, Robot
from walking_robots.viewer.ars_magna.status import (
    cameras_html,
    designators_html,
    heading_html,
    messages_html,
    parts_html,
    robot_html,
    things_html,
)
from walking_robots.viewer.common.handles import set_if_new
from walking_robots.viewer.common.throttle import Due

PERIOD = 0.15
WIDTH = 390


class Board:
    """Texts and dials; they change less often than the scene, to be readable."""

    def __init__(self, gui: viser.GuiApi) -> None:
        """Add the board at the left edge of the page."""
        self._due: Due[ArsView] = Due(PERIOD)
        self._name = ''
        panel = gui.add_panel()
        panel.dock_left()
        panel.set_width(WIDTH)
        with panel.add_tab('Program and robot'):
            self._heading, *self._texts = (gui.add_html('') for _ in range(5))
            self._messages = gui.add_html('')
        with panel.add_tab('Things'):
            self._things = gui.add_html('')

    def choose(self, name: str) -> None:
        """Show another robot."""
        self._name = name

    def is_behind(self, view: ArsView) -> bool:
        """Return whether the board still shows an earlier view."""
        return self._due.is_behind(view)

    def show(self, view: ArsView, now: float) -> None:
        """Write what is due at `now` (s, any steady clock)."""
        if not self._due.take(view, now):
            return
        set_if_new(self._heading, 'content', heading_html(view))
        picture = view.picture or Picture()
        robot = self._robot(picture)
        if robot is not None:
            parts = (robot_html, cameras_html, parts_html, designators_html)
            for handle, write in zip(self._texts, parts, strict=True):
                set_if_new(handle, 'content', write(robot))
        set_if_new(self._messages, 'content', messages_html(picture.messages))
        set_if_new(self._things, 'content', things_html(picture.things))

    def _robot(self, picture: Picture) -> Robot | None:
        """Return the robot that was chosen, else the first."""
        named = (robot for robot in picture.robots if robot.name == self._name)
        return next(named, picture.robots[0] if picture.robots else None)
