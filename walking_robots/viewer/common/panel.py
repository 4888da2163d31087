"""Controls that the panels of several systems have in common."""

import threading
from collections.abc import Callable, Collection, Mapping
from typing import Any, TypeVar
from weakref import WeakKeyDictionary

import viser
from viser import Icon

from walking_robots.geometry.pose import Vector
from walking_robots.viewer.common.controls import AXES, Axis, WalkControls

Value = TypeVar('Value')
Act = Callable[[], None]
Switches = Mapping[str, Callable[[bool], None]]
"""Functions that show or hide something, by the labels of their checkboxes."""

_command_folders: WeakKeyDictionary[viser.GuiApi, list[viser.GuiFolderHandle]] = (
    WeakKeyDictionary()
)

ON_OFF = {'On': True, 'Off': False}


def add_command_folder(gui: viser.GuiApi, label: str, **look: Any) -> viser.GuiFolderHandle:
    """Add a folder of controls that command the robot or its simulation."""
    folder = gui.add_folder(label, **look)
    _command_folders.setdefault(gui, []).append(folder)
    return folder


def hide_commands(gui: viser.GuiApi) -> None:
    """Hide all folders of commands."""
    for folder in _command_folders.get(gui, ()):
        folder.visible = False


def add_button(gui: viser.GuiApi, label: str, act: Act, **look: Any) -> viser.GuiButtonHandle:
    """Add a button that calls `act`."""
    button = gui.add_button(label, **look)
    button.on_click(lambda _: act())
    return button


def add_start(gui: viser.GuiApi, label: str, act: Act) -> viser.GuiButtonHandle:
    """Add the green button, with one of `START_LABELS`."""
    return add_button(gui, label, act, color='green', icon=Icon.PLAYER_PLAY)


def add_choice(
    gui: viser.GuiApi,
    label: str,
    choices: Mapping[str, Value],
    act: Callable[[Value], None],
    hint: str | None = None,
) -> None:
    """Add a row of buttons, each of which calls `act` with its value."""
    group = gui.add_button_group(label, tuple(choices), hint=hint)
    group.on_click(lambda event: act(choices[event.target.value]))


def add_switches(gui: viser.GuiApi, switches: Switches, off: Collection[str] = ()) -> None:
    """Add a checkbox for each switch; those in `off` begin unchecked."""
    for label, act in switches.items():
        _add_switch(gui, label, label not in off, act)


def _add_switch(gui: viser.GuiApi, label: str, begin: bool, act: Callable[[bool], None]) -> None:
    box = gui.add_checkbox(label, begin)
    box.on_update(lambda _: act(box.value))


def move_camera(
    client: viser.ClientHandle | None, place: Vector, look_at: Vector, field: float | None = None
) -> None:
    """Move the camera of a visitor to a place, m, with a field of view, rad."""
    if client is None:
        return
    with client.atomic():
        if field is not None:
            client.camera.fov = field
        client.camera.position, client.camera.look_at = place, look_at


class WalkPanel:
    """The panel of a walking robot; its sliders set the velocity while the robot walks."""

    def __init__(self, gui: viser.GuiApi, controls: WalkControls) -> None:
        """Begin at rest and without controls."""
        self._gui = gui
        self._walk_controls = controls
        self._walking = self._posing = False
        self._shares: tuple[float, ...] = ()
        # The library calls from many threads, and a velocity must not pass a later stop.
        self._in_order = threading.RLock()
        self._velocities: dict[Axis, viser.GuiSliderHandle[float]] = {}

    def leave(self) -> None:
        """End what was started here; walks of others continue."""
        with self._in_order:
            if self._walking or self._posing or self._shares:
                self.stop()

    @property
    def axes(self) -> tuple[Axis, ...]:
        """Return the axes of the sliders."""
        return tuple(self._velocities)

    def drive(self, *shares: float) -> None:
        """Hold a velocity, in shares -1 ... 1 of the sliders' limits; all 0: stop."""
        with self._in_order:
            if any(shares):
                self._walking, self._shares = False, shares
                self._walk()
            else:
                self.stop()

    def _add_start(self) -> None:
        """Add the button to walk by the sliders."""
        add_start(self._gui, 'Start walking', self._start)

    def _add_velocity(self, axis: Axis, *what: Any, **look: Any) -> viser.GuiSliderHandle[float]:
        """Add a slider of the velocity along an axis."""
        slider = self._gui.add_slider(*what, **look)
        slider.on_update(lambda _: self._walk())
        self._velocities[axis] = slider
        return slider

    def _add_time(self, speeds: tuple[float, float, float], what: str) -> None:
        """Add pause, single step and the speed of time.

        `speeds`: least, most and step, in simulated seconds for each second; `what` passes in a
        step, such as '4 ms'.
        """
        gui, controls = self._gui, self._walk_controls
        held = gui.add_checkbox('Pause', False, hint='Hold the simulation')

        def step() -> None:
            if held.value:
                controls.step()
            else:
                # Stepping a running simulation means nothing, so the first press holds it.
                held.value = True  # type: ignore[misc]

        hint = f'Advance a held simulation by {what}'
        add_button(gui, 'One step', step, icon=Icon.PLAYER_SKIP_FORWARD, hint=hint)
        speed = gui.add_slider(
            'Speed of time', *speeds, 1.0, hint='Simulated seconds for each second'
        )
        held.on_update(lambda _: controls.pause(held.value))
        speed.on_update(lambda _: controls.speed_of_time(float(speed.value)))

    def _start(self) -> None:
        """Begin to walk with the velocities of the sliders."""
        with self._in_order:
            self._walking, self._shares = True, ()
            self._walk()

    def _walk(self) -> None:
        """Pass on the velocities while the robot walks, held ones before those of the sliders."""
        with self._in_order:
            if not (self._shares or self._walking):
                return
            wanted = dict.fromkeys(AXES, 0.0)
            shares = dict(zip(AXES, self._shares, strict=False))
            for axis, slider in self._velocities.items():
                if not slider.visible:
                    continue
                # A biped walks ahead only.
                held = max(shares.get(axis, 0.0) * slider.max, slider.min)
                wanted[axis] = float(held if shares else slider.value)
            self._walk_controls.walk(*wanted.values())

    def stop(self) -> None:
        """Stop moving; the sliders keep their values for the next start."""
        with self._in_order:
            self._walking = self._posing = False
            self._shares = ()
            self._walk_controls.stop()

    def _reset(self) -> None:
        """Go back to the start, at rest."""
        with self._in_order:
            self._walking, self._shares = False, ()
            self._walk_controls.reset()
