"""Controls of the planner, and what it does in words."""

import math
from collections.abc import Callable, Mapping

import numpy as np
import viser
from viser import Icon

from walking_robots.viewer.common.colours import Grade
from walking_robots.viewer.common.markup import (
    ONE_LINE,
    faint,
    heading,
    legend,
    notice,
    safe,
    section,
    table,
)
from walking_robots.viewer.common.panel import add_button, add_start, add_switches
from walking_robots.viewer.mdle.map_tiles import FREE_CELL, OCCUPIED_CELL
from walking_robots.viewer.mdle.state import PlanView
from walking_robots.viewer.mdle.status import clipped
from walking_robots.viewer.mdle.way_marks import FRONTIER, SIGMAS, SPREAD, TUBE, WAY
from walking_robots.viewer.mdle.way_state import FREE, UNKNOWN, WayControls, WayView

TRUSTED = 0.1
"""Two standard deviations, m, up to which a place counts as known."""

_DOES = {
    'run': 'Another program takes over',
    'keep': 'The robot drives by the program',
    'wait': 'The robot waits',
}


class WayPanel:
    """Buttons for the planner; they are there while it is."""

    def __init__(
        self,
        gui: viser.GuiApi,
        controls: WayControls,
        ask: Callable[[str], None],
        switch_map: Callable[[bool], None],
    ) -> None:
        """Add the controls to the main panel; `ask` is called with a task."""
        self._program = ''
        hint = 'A click on the floor is a goal, too'
        self._folder = gui.add_folder('Find the way', visible=False)
        with self._folder:
            self._explore = add_start(gui, 'Explore', lambda: ask('explore'))
            add_button(gui, 'Go home', lambda: ask('return'), icon=Icon.HOME)
            self._task = gui.add_text(
                'Task', 'patrol 1.5,2; return', hint=f'x,y in m, or a known place. {hint}.'
            )
            add_button(gui, 'Do it', lambda: ask(self._task.value), icon=Icon.ROUTE)
            add_switches(gui, {'Map': switch_map})
            _add_download(gui, 'Download the map', controls.files)
            _add_download(gui, 'Download the program', self._program_file)

    def show(self, view: PlanView) -> None:
        """Offer what can be done now."""
        self._program = view.source
        if self._folder.visible != view.way.offered:
            self._folder.visible = view.way.offered
        self._explore.disabled = view.way.active

    def _program_file(self) -> dict[str, bytes]:
        return {'program.mdle': self._program.encode()} if self._program else {}


def _add_download(gui: viser.GuiApi, label: str, files: Callable[[], Mapping[str, bytes]]) -> None:
    """Add a button by which a visitor's browser saves files, contents by name."""
    button = gui.add_button(label, icon=Icon.DOWNLOAD)

    @button.on_click
    def _(event: viser.GuiEvent[viser.GuiButtonHandle]) -> None:
        for name, content in files().items():
            if event.client is not None:
                event.client.send_file_download(name, content, save_immediately=True)


def way_html(view: WayView) -> str:
    """Return what the planner does, and how much is known."""
    if not view.offered and view.map is None:
        words = 'Neither map nor planner is there: run the demo with --plan explore.'
        return section('way', faint(words))
    does = _DOES.get(view.state, 'The planner has a task') if view.active else 'No task'
    if not view.offered:
        does = 'The planner is not there'
    reason = clipped(view.reason) if view.active else ''
    known = 2.0 * view.spread.sigma
    doubt = f'The pose is known to {known:.2f} m only.' if known > TRUSTED else ''
    body = (
        f'{heading(safe(does), ONE_LINE)}<div>{faint(safe(reason)) or "&nbsp;"}</div>'
        f'{notice(doubt, Grade.TIGHT)}'
    )
    return section('way', body, 'min-height:76px') + _figures(view)


def _figures(view: WayView) -> str:
    """Return figures of the map, the way and the pose."""
    left = '–' if math.isnan(view.remaining) or not view.active else f'{view.remaining:.2f} m'
    free = known = '–'
    if view.map is not None:
        cell = view.map.cell * view.map.cell
        free = f'{np.count_nonzero(view.map.classes == FREE) * cell:.1f} m²'
        known = f'{np.count_nonzero(view.map.classes != UNKNOWN) * cell:.1f} m²'
    pose = '–'
    if view.pose is not None:
        pose = f'{view.pose.x:.2f}, {view.pose.y:.2f} m'
    return table(
        'figures',
        (
            ('place', pose),
            ('known to', f'{2.0 * view.spread.sigma:.2f} m'),
            ('way left', left),
            ('frontiers', str(len(view.frontiers))),
            ('free', free),
            ('known', known),
        ),
    )


def legend_html() -> str:
    """Return the meaning of the colours of the map and of the plan."""
    entries = (
        (FREE_CELL, 'free'),
        (OCCUPIED_CELL, 'occupied'),
        (WAY, 'way to the goal'),
        (TUBE, 'tube of the program that is driven now'),
        (FRONTIER, 'frontier: where the unknown begins'),
        (SPREAD, f'where the robot is, to {SIGMAS:g} standard deviations'),
    )
    return legend(entries, 'A click on the floor is a goal.')
