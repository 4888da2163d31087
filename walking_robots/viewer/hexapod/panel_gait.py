"""The controls of gaits that repeat: which one, and how fast its legs step."""

from collections.abc import Callable
from dataclasses import replace

import viser

from walking_robots.viewer.hexapod.articulated_machine import tidy
from walking_robots.viewer.hexapod.machine import GaitChoice

LONGEST = 1.5
"""Longest period offered, times the shortest of the slowest gait."""


class GaitControls:
    """A choice of gaits and a slider of their period."""

    def __init__(
        self,
        gui: viser.GuiApi,
        gaits: tuple[GaitChoice, ...],
        act: Callable[[str, float], None],
        chosen: Callable[[GaitChoice], None],
    ) -> None:
        """Add the controls; `act` passes on what is asked for, `chosen` how fast that goes."""
        self._gaits = {gait.name: gait for gait in gaits}
        self._act, self._chosen = act, chosen
        self._mode, self._following = '', False
        self._choice = gui.add_dropdown('Gait', tuple(self._gaits))
        longest = LONGEST * max(gait.period for gait in gaits)
        step = tidy(longest / 100.0)
        self._period = gui.add_slider(
            'Period, s', 0.0, round(longest / step) * step, step, 0.0,
            hint='Time of a cycle; 0: as short as the joints allow, which walks fastest',
        )  # fmt: skip
        for handle in (self._choice, self._period):
            handle.on_update(lambda _: self._ask())

    def follow(self, mode: str) -> None:
        """Show the gait that the robot has changed to, whoever asked for it."""
        changed, self._mode = mode != self._mode, mode
        if changed and mode in self._gaits:
            self._following = True
            self._choice.value = mode  # type: ignore[misc]
            self._following = False

    def _ask(self) -> None:
        """Pass on what is asked for."""
        gait, period = self._gaits[self._choice.value], self._period.value
        # In a longer time steps are no shorter, so that this speed is always within reach.
        share = min(1.0, gait.period / period) if period else 1.0
        self._chosen(replace(gait, speed=share * gait.speed, turn=share * gait.turn))
        if not self._following:
            self._act(gait.name, period)
