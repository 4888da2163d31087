"""Let a person write a program on the page, and say what is wrong with it."""

from collections.abc import Callable

import viser
from viser import Icon

from walking_robots.viewer.common.handles import set_if_new
from walking_robots.viewer.common.markup import FAINT, TEXT
from walking_robots.viewer.mdle.state import PlanControls, PlanView, ProgramText
from walking_robots.viewer.mdle.status import remarks_html

_EXAMPLE = """\
mdle 1;
import std.body2;

plan there_and_back {
  until contact => abort;
  do {
    drive(0.5 m);
    spin(180 deg);
    drive(0.5 m);
  }
}
"""
# The library's field is made for a sentence, not for a program.
_LOOK = (
    '<style>textarea{font-family:ui-monospace,monospace!important;white-space:pre!important;'
    'overflow-x:auto!important;min-height:300px!important}</style>'
    f'<div style="{TEXT}{FAINT}">Paste or write a program of the motion language.</div>'
)


class Editor:
    """A text, and what can be done with it; in a tab of a panel."""

    def __init__(
        self,
        gui: viser.GuiApi,
        panel: viser.PanelHandle,
        controls: PlanControls,
        run: Callable[[ProgramText], None],
    ) -> None:
        """Add the tab; `run` is called with the program that is written."""
        self._source = ''
        with panel.add_tab('Program text'):
            gui.add_html(_LOOK)
            self._text = gui.add_text('Text', _EXAMPLE, multiline=True)
            self._form = gui.add_dropdown('Form', ('mdle', 'yaml'))
            check = gui.add_button('Check', icon=Icon.CHECKLIST, hint='Nothing moves')
            check.on_click(lambda _: controls.check(self.program()))
            self._run = gui.add_button('Run this text', color='green', icon=Icon.PLAYER_PLAY)
            self._run.on_click(lambda _: run(self.program()))
            copy = gui.add_button(
                'Take the text of what ran', icon=Icon.COPY, hint='To be changed and run again'
            )
            copy.on_click(lambda _: self.copy())
            self._remarks = gui.add_html('')

    def show(self, view: PlanView) -> None:
        """Say what is wrong, and offer what can be done now."""
        set_if_new(self._run, 'disabled', view.runs)
        set_if_new(self._remarks, 'content', remarks_html(view.remarks))
        self._source = view.source

    def program(self) -> ProgramText:
        """Return the program that is written here."""
        return ProgramText(text=self._text.value, form=self._form.value)

    def copy(self) -> None:
        """Take the text of the program that runs or ran last, if there is one."""
        if self._source:
            set_if_new(self._text, 'value', self._source)
