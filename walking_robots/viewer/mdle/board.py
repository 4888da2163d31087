"""The part of the page that says what a program is at."""

import viser

from walking_robots.viewer.common.handles import set_if_new
from walking_robots.viewer.mdle.state import PlanView
from walking_robots.viewer.mdle.status import heading_html, log_html, memory_html, remarks_html
from walking_robots.viewer.mdle.tree import tree_html


class Board:
    """The plan's texts, in a tab of a panel."""

    def __init__(self, gui: viser.GuiApi, panel: viser.PanelHandle) -> None:
        """Add the texts in a tab of their own."""
        with panel.add_tab('Plan'):
            self._texts = [gui.add_html('') for _ in range(5)]

    def show(self, view: PlanView) -> None:
        """Write what has changed."""
        contents = (
            heading_html(view),
            remarks_html(view.remarks),
            tree_html(view),
            log_html(view.log),
            memory_html(view),
        )
        for handle, content in zip(self._texts, contents, strict=True):
            set_if_new(handle, 'content', content)
