"""The controls of the ground: which kind, how steep, how high, and by which seed."""

import math
from collections.abc import Callable
from contextlib import suppress

import viser
from viser import Icon

from walking_robots.geometry.units import parse_angle, parse_length
from walking_robots.viewer.biped.state import BipedSettings

LEVEL, ROUGH, VERY_ROUGH = 'level', 'rough', 'very rough'
SLOPE, HILL, BUMP, STEP = 'slope', 'hill', 'bump', 'step'
KINDS = (LEVEL, ROUGH, VERY_ROUGH, SLOPE, HILL, BUMP, STEP)
_WORDS = {LEVEL: 'level', ROUGH: 'rough', VERY_ROUGH: 'very-rough'}
_SIZED = {SLOPE: 'slope', HILL: 'mound', BUMP: 'bump', STEP: 'step'}

STEEPEST = 35
"""Slope, °, up or down."""
HIGHEST = 12
"""Height of a bump or step, cm."""


def ground_words(kind: str, angle: float, height: float) -> str:
    """Return the words for a kind of ground: angle in °, height in cm."""
    if kind in _WORDS:
        return _WORDS[kind]
    size = f'{angle:g}deg' if kind in (SLOPE, HILL) else f'{height:g}cm'
    return f'{_SIZED[kind]}:{size}'


class GroundControls:
    """A choice of kinds, the size of what has one, a seed, and a button."""

    def __init__(self, gui: viser.GuiApi, act: Callable[[str, int], None]) -> None:
        """Add the controls; `act` is called with words and seed."""
        self._act = act
        self._told = BipedSettings()
        self._kind = gui.add_dropdown('Kind', KINDS)
        self._angle = gui.add_slider(
            'Angle, °', -STEEPEST, STEEPEST, 1, 10, hint='Positive up; a hill goes up and down'
        )
        self._height = gui.add_slider(
            'Height, cm', -HIGHEST, HIGHEST, 1, 4, hint='Of a bump or a step'
        )
        self._seed = gui.add_number(
            'Seed', 0, min=0, max=999_999, step=1, hint='0: the ground of the thesis'
        )
        fresh = gui.add_button(
            'Put it there', icon=Icon.MOUNTAIN, hint='The robot begins at the start of this ground'
        )
        self._kind.on_update(lambda _: self._offer())
        fresh.on_click(lambda _: self._ask())
        self._offer()

    def follow(self, settings: BipedSettings) -> None:
        """Show the ground that simulation and gait have changed to, whoever asked for it."""
        if (settings.terrain, settings.seed) == (self._told.terrain, self._told.seed):
            return
        self._told = settings
        name, _, size = settings.terrain.partition(':')
        kind = next((kind for kind, word in (_WORDS | _SIZED).items() if word == name), None)
        if kind is None:
            return
        self._kind.value = kind  # type: ignore[misc]
        self._seed.value = settings.seed  # type: ignore[misc]
        with suppress(ValueError):
            if kind in (SLOPE, HILL):
                self._angle.value = round(math.degrees(parse_angle(size)))  # type: ignore[misc]
            elif kind in _SIZED:
                self._height.value = round(100.0 * parse_length(size))  # type: ignore[misc]

    def _offer(self) -> None:
        """Offer what the chosen kind has."""
        kind = self._kind.value
        self._angle.visible = kind in (SLOPE, HILL)
        self._height.visible = kind in (BUMP, STEP)
        self._seed.visible = kind in (ROUGH, VERY_ROUGH)

    def _ask(self) -> None:
        """Pass on what is asked for."""
        words = ground_words(self._kind.value, self._angle.value, self._height.value)
        self._act(words, int(self._seed.value))
