"""The part of the Scout's page that says what it does, hears and measures."""

import viser

from walking_robots.robots.wheeled import WheeledModel
from walking_robots.viewer.common.handles import set_if_new
from walking_robots.viewer.common.throttle import Due
from walking_robots.viewer.scout.dial import dial_html
from walking_robots.viewer.scout.state import ScoutView
from walking_robots.viewer.scout.status import battery_html, heading_html, link_html, place_html

PERIOD = 0.2
WIDTH = 380


def left_panel(gui: viser.GuiApi) -> viser.PanelHandle:
    """Return a panel at the left edge of the page."""
    panel = gui.add_panel()
    panel.dock_left()
    panel.set_width(WIDTH)
    return panel


class Board:
    """Texts and a dial; they change less often than the scene, to be readable."""

    def __init__(
        self, gui: viser.GuiApi, model: WheeledModel, panel: viser.PanelHandle | None = None
    ) -> None:
        """Add the board as a tab of `panel`, or else at the left edge of the page."""
        self._model = model
        self._due: Due[ScoutView] = Due(PERIOD)
        panel = panel or left_panel(gui)
        with panel.add_tab('What it does and hears'):
            self._texts = [gui.add_html('') for _ in range(5)]

    def is_behind(self, state: ScoutView) -> bool:
        """Return whether the board still shows an earlier state."""
        return self._due.is_behind(state)

    def show(self, state: ScoutView, now: float) -> None:
        """Write what is due at `now` (s, any steady clock)."""
        if not self._due.take(state, now):
            return
        contents = (
            heading_html(state, self._model),
            place_html(state),
            dial_html(state.ranges, state.bumper, self._model),
            battery_html(state, self._model.battery),
            link_html(state),
        )
        for handle, content in zip(self._texts, contents, strict=True):
            set_if_new(handle, 'content', content)
