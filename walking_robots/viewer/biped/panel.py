"""Put the controls on a biped's page and pass on what a person does with them."""

import math
from collections.abc import Callable, Mapping
from contextlib import suppress
from typing import Any

import viser
from viser import Icon

from walking_robots.geometry.units import parse_angle, parse_length
from walking_robots.viewer.biped.state import BipedControls, BipedSettings, BipedView
from walking_robots.viewer.biped.status import legend_html, settings_html
from walking_robots.viewer.common.panel import (
    Switches,
    WalkPanel,
    add_button,
    add_choice,
    add_command_folder,
    add_switches,
)

LEVEL, ROUGH, VERY_ROUGH = 'level', 'rough', 'very rough'
SLOPE, HILL, BUMP, STEP, CELLS = 'slope', 'hill', 'bump', 'step', 'cells'
KINDS = (LEVEL, ROUGH, VERY_ROUGH, SLOPE, HILL, BUMP, STEP)
"""Ground of robots in the plane; one in space has cells, too."""
_WORDS = {LEVEL: 'level', ROUGH: 'rough', VERY_ROUGH: 'very-rough'}
_SIZED = {SLOPE: 'slope', HILL: 'mound', BUMP: 'bump', STEP: 'step', CELLS: 'cells'}
IN_SPACE = 'b3d'

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
        self._robot = ''
        self._angle = gui.add_slider(
            'Angle, °', -STEEPEST, STEEPEST, 1, 10, hint='Positive up; a hill goes up and down'
        )
        self._height = gui.add_slider(
            'Height, cm', -HIGHEST, HIGHEST, 1, 4, hint='Of a bump or a step'
        )
        self._seed = gui.add_number(
            'Seed', 0, min=0, max=999_999, step=1, hint='0: the ground of the thesis'
        )
        hint = 'The robot begins at the start of this ground'
        add_button(gui, 'Put it there', self._ask, icon=Icon.MOUNTAIN, hint=hint)
        self._kind.on_update(lambda _: self._offer())
        self._offer()

    def follow(self, settings: BipedSettings) -> None:
        """Show the ground of simulation and gait, whoever changed it."""
        if settings.robot != self._robot:
            self._robot = settings.robot
            self._kind.options = (*KINDS, CELLS) if self._robot == IN_SPACE else KINDS
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
        self._height.visible = kind in (BUMP, STEP, CELLS)
        self._seed.visible = kind in (ROUGH, VERY_ROUGH, CELLS)

    def _ask(self) -> None:
        """Pass on the values of the controls."""
        words = ground_words(self._kind.value, self._angle.value, self._height.value)
        self._act(words, int(self._seed.value))


SPEEDS_OF_TIME = (0.05, 2.0, 0.05)

SPEED, FASTEST = 0.4, 0.6
"""Speeds, m/s: first offered, which is that of the thesis (biped.md §7.1), and the greatest."""
PUSH, BACKWARD, FORWARD = 20, -40, 60
"""Forces, N: first offered, and the strongest to either side (biped.md §15.7)."""

FASTEST_TURN = 10.0
"""Turn, degrees/s, up to which a robot in space walks well (docs/biped.md, "In space")."""

ROBOTS: Mapping[str, str] = {'A prismatic': 'a', 'B revolute': 'b', 'B in space': IN_SPACE}
PARAMS: Mapping[str, str] = {'Tuned': 'tuned', 'Literal': 'literal'}


class BipedPanel(WalkPanel):
    """Buttons and sliders; each calls one function of `BipedControls`."""

    def __init__(self, gui: viser.GuiApi, controls: BipedControls, switches: Switches) -> None:
        """Add the controls to the main panel; `switches` change what the page shows."""
        super().__init__(gui, controls)
        self._desired_speed = 0.0
        with add_command_folder(gui, 'Walk'):
            self._add_start()
            self._speed = self._add_velocity(
                'ahead',
                'Speed, m/s',
                0.0,
                FASTEST,
                0.05,
                SPEED,
                hint='Desired; it varies within a step',
            )
            end = round(math.radians(FASTEST_TURN), 3)
            self._turn = self._add_velocity(
                'turn', 'Turn, rad/s', -end, end, 0.01, 0.0, hint='To the left; in space only'
            )
            hint = 'Back to the start, on its feet'
            add_button(gui, 'Set up again', self._reset, icon=Icon.REFRESH, hint=hint)
        with add_command_folder(gui, 'Robot'):
            hint = 'KWALKA shortens its legs, KWALKB bends them; in space it may fall aside'
            add_choice(gui, 'Knees', ROBOTS, self._carrying_on(controls.robot), hint)
            hint = 'Literal: as the thesis prints them. Tuned: as suits the ground.'
            add_choice(gui, 'Numbers', PARAMS, self._carrying_on(controls.params), hint)
            self._settings = gui.add_html(settings_html(BipedSettings()))
        with add_command_folder(gui, 'Ground'):
            self._ground = GroundControls(gui, self._carrying_on(controls.ground))
        with add_command_folder(gui, 'Push'):
            force = gui.add_slider(
                'Force, N', BACKWARD, FORWARD, 5, PUSH, hint='Forward, at the hips, for 0.1 s'
            )
            push = gui.add_button('Push', icon=Icon.ARROW_BIG_RIGHT)
            push.on_click(lambda _: controls.push(float(force.value)))
        with add_command_folder(gui, 'Time'):
            self._add_time(SPEEDS_OF_TIME, '4 ms')
        with gui.add_folder('View'):
            add_switches(gui, switches)
        with gui.add_folder('Colours', expand_by_default=False):
            gui.add_html(legend_html())

    def follow(self, state: BipedView) -> None:
        """Show robot, ground and parameters, whoever changed them."""
        self._desired_speed = state.desired_speed
        self._settings.content = settings_html(state.settings)
        self._turn.visible = state.settings.robot == IN_SPACE
        self._ground.follow(state.settings)

    def _carrying_on(self, act: Callable[..., None]) -> Callable[..., None]:
        """Return a function that sets something anew; this page then commands the present walk."""

        def act_and_walk(*values: Any) -> None:
            with self._in_order:
                self._walking |= abs(self._desired_speed) > 0.0
                act(*values)

        return act_and_walk
