"""Draw the swings that are planned ahead: numbered footholds, and the path of the body."""

from collections.abc import Sequence

import numpy as np
import viser

from walking_robots.viewer.common.colours import Grade
from walking_robots.viewer.common.handles import add_line
from walking_robots.viewer.hexapod.colours import PLANNED_FOOTHOLD
from walking_robots.viewer.hexapod.machine import HexapodMachine
from walking_robots.viewer.hexapod.state import SwingMark

MOST = 20
"""Footholds that are drawn, those of the next swings."""


class PlanMarks:
    """The plan in the scene; the path has the colours of the stability margin along it."""

    def __init__(self, scene: viser.SceneApi, machine: HexapodMachine, root: str) -> None:
        """Add the marks below `root` (odom), hidden."""
        self._machine, self._wanted = machine, True
        self._shown: tuple[SwingMark, ...] = ()
        size = machine.size
        self._discs = [
            scene.add_cylinder(
                f'{root}/planned{number}', machine.foothold, 0.015 * size, PLANNED_FOOTHOLD,
                visible=False,
            )
            for number in range(1, MOST + 1)
        ]  # fmt: skip
        self._labels = [
            scene.add_label(
                f'{root}/planned{number}/number',
                f'#{number}',
                position=(0.0, 0.0, 0.1 * size),
                anchor='bottom-center',
            )
            for number in range(1, MOST + 1)
        ]
        self._path = add_line(scene, f'{root}/path', PLANNED_FOOTHOLD, 0.05 * size, visible=False)

    def switch(self, wanted: bool) -> None:
        """Show or hide the plan."""
        self._wanted = wanted
        self._draw()

    def show(self, swings: Sequence[SwingMark]) -> None:
        """Show other swings."""
        if swings != self._shown:
            self._shown = tuple(swings)
            self._draw()

    def _draw(self) -> None:
        swings = self._shown if self._wanted else ()
        above = 0.008 * self._machine.size
        for number, disc in enumerate(self._discs):
            disc.visible = number < len(swings)
            if disc.visible:
                x, y, z = swings[number].foothold
                disc.position = (x, y, z + above)
        self._path.visible = len(swings) > 1
        if len(swings) > 1:
            ground = swings[0].foothold[2] + 2.0 * above
            places = np.array([(swing.body[0], swing.body[1], ground) for swing in swings])
            scale = self._machine.margins[0]
            grades = [
                Grade.of(swing.margin, scale.least, scale.comfort).value for swing in swings[1:]
            ]
            self._path.points = np.stack((places[:-1], places[1:]), axis=1).astype(np.float32)
            self._path.colors = np.repeat(np.array(grades, np.uint8)[:, None], 2, axis=1)
