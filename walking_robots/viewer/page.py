"""The page: a small web server that draws states and passes on wishes."""

import logging
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager

import numpy as np
import rich
import viser
from numpy.typing import NDArray

from walking_robots.robots.asv import ASV
from walking_robots.robots.model import HexapodModel
from walking_robots.terrain.cells import TernaryTerrain
from walking_robots.viewer import colours
from walking_robots.viewer.colours import LegPhase
from walking_robots.viewer.overlay import Overlay
from walking_robots.viewer.panel import Panel, ViewOptions
from walking_robots.viewer.plots import History, MarginPlot
from walking_robots.viewer.state import Controls, ViewState
from walking_robots.viewer.status import legs_html, margin_html, mode_html, motion_html
from walking_robots.viewer.terrain_mesh import terrain_meshes
from walking_robots.viewer.vehicle import Vehicle

__all__ = ['Page']

PERIOD = 0.05
STATUS_PERIOD = 0.2
PLOT_PERIOD = 0.5

_ROOT = '/odom'
_log = logging.getLogger(__name__)


class Page:
    """A page on a local port that shows a walking robot.

    `show` and `show_terrain` only hand over; a thread of the page draws the latest state, at most
    20 times a second and only while somebody looks. Nothing is loaded from elsewhere.
    """

    def __init__(
        self,
        description: str,
        controls: Controls | None = None,
        *,
        host: str = '127.0.0.1',
        port: int = 8080,
        model: HexapodModel = ASV,
        title: str = 'Adaptive Suspension Vehicle',
    ) -> None:
        """Serve the page of the robot with this URDF text; a taken port makes way for the next."""
        # A browser that opens a connection and drops it unused is no news to a person.
        logging.getLogger('websockets.server').setLevel(logging.CRITICAL)
        with _hushed():
            self._server = viser.ViserServer(host=host, port=port, label=title, verbose=False)
        self._host = host
        self._model = model
        self._wake = threading.Condition()
        self._state: ViewState | None = None
        self._terrain: TernaryTerrain | None = None
        self._history = History()
        self._closed = False
        self._follow = True
        self._drawn: dict[str, float] = {}
        self._layers: list[viser.SceneNodeHandle] = []
        self._dress(description, controls or Controls(), title)
        self._thread = threading.Thread(target=self._draw_for_ever, name='viewer', daemon=True)
        self._thread.start()

    def _dress(self, description: str, controls: Controls, title: str) -> None:
        """Add everything that stays on the page."""
        server, scene, gui = self._server, self._server.scene, self._server.gui
        gui.configure_theme(show_logo=False, show_share_button=False, brand_color=(41, 121, 214))
        gui.set_panel_label(title)
        scene.set_up_direction('+z')
        # The environment maps of the library are pictures from the internet.
        scene.configure_environment_map(None)
        scene.configure_default_lights(cast_shadow=True)
        scene.add_light_hemisphere(
            '/sky', sky_color=(255, 255, 255), ground_color=(214, 206, 190), intensity=1.6
        )
        scene.set_background_image(_plain(colours.BACKGROUND))
        server.initial_camera.position = (-4.6, -5.6, 3.9)
        server.initial_camera.look_at = (0.5, 0.0, 0.8)
        self._root = scene.add_frame(_ROOT, show_axes=False)
        self._vehicle = Vehicle(scene, description, _ROOT)
        self._overlay = Overlay(scene, self._model, _ROOT, self._vehicle.path)
        options = ViewOptions(
            self._set_follow, self._overlay.show_volumes, self._overlay.show_numbers
        )
        self._panel = Panel(gui, controls, self._model.command, options)
        gui.main_panel.dock_right()
        board = gui.add_panel()
        board.dock_left()
        with board.add_tab('What it does and why'):
            self._mode = gui.add_html('')
            self._margin = gui.add_html('')
            self._plot = MarginPlot(gui, self._model.stability.lift)
            self._legs = gui.add_html('')
            self._motion = gui.add_html('')
        board.set_width(380)
        gui.main_panel.set_width(300)
        server.on_client_connect(lambda _: self._notify())

    @property
    def url(self) -> str:
        """Return the address of the page."""
        return f'http://{self._host}:{self._server.get_port()}'

    def show_terrain(self, terrain: TernaryTerrain) -> None:
        """Show a terrain in place of the present one."""
        with self._wake:
            self._terrain = terrain
            self._wake.notify()

    def show(self, state: ViewState) -> None:
        """Show a state as soon as there is time to."""
        with self._wake:
            self._state = state
            self._history.add(state.time, state.margin, state.planned_margin)
            self._wake.notify()

    def close(self) -> None:
        """Take the page down; may be called twice."""
        with self._wake:
            if self._closed:
                return
            self._closed = True
            self._wake.notify()
        self._thread.join(timeout=2.0)
        with _hushed():
            self._server.stop()

    def _notify(self) -> None:
        """Wake the drawing thread."""
        with self._wake:
            self._wake.notify()

    def _set_follow(self, follow: bool) -> None:
        """Keep the vehicle in the middle of the picture, or the ground still."""
        self._follow = follow
        self._notify()

    def _draw_for_ever(self) -> None:
        """Draw the latest terrain and state until the page is closed."""
        drawn: ViewState | None = None
        while True:
            with self._wake:
                while not self._closed and (
                    not self._server.get_clients()
                    or (self._terrain is None and self._state is drawn and self._settled())
                ):
                    self._wake.wait(timeout=0.25)
                if self._closed:
                    return
                terrain, self._terrain = self._terrain, None
                state = self._state
            try:
                with self._server.atomic():
                    if terrain is not None:
                        self._draw_terrain(terrain)
                    if state is not None:
                        self._draw(state, state is not drawn)
            except Exception:
                _log.exception('the viewer could not draw this state')
            drawn = state
            time.sleep(PERIOD)

    def _settled(self) -> bool:
        """Tell whether status and plot show the latest state too."""
        return self._state is None or self._drawn.get('status_of') == self._state.time

    def _draw_terrain(self, terrain: TernaryTerrain) -> None:
        """Replace the ground."""
        for layer in self._layers:
            layer.remove()
        self._layers = [
            self._server.scene.add_mesh_simple(
                f'{_ROOT}/terrain/{mesh.name}', mesh.vertices, mesh.faces, color=mesh.colour,
                flat_shading=True, side='double', cast_shadow=False,
            )
            for mesh in terrain_meshes(terrain)
        ]

    def _draw(self, state: ViewState, fresh: bool) -> None:
        """Draw a state; the slower parts less often."""
        if fresh:
            self._vehicle.move(state.position, state.quaternion, state.joints)
            for leg, name in enumerate(state.leg_states, start=1):
                self._vehicle.paint(leg, LegPhase.of(name))
            self._overlay.show(state)
            if self._follow:
                # Moving the ground instead of the camera leaves the camera to the person.
                self._root.position = (-state.position[0], -state.position[1], 0.0)
        now = time.monotonic()
        if now - self._drawn.get('status', 0.0) >= STATUS_PERIOD:
            self._drawn['status'] = now
            self._drawn['status_of'] = state.time
            for handle, content in (
                (self._mode, mode_html(state)), (self._margin, margin_html(state, self._model)),
                (self._legs, legs_html(state, self._model)), (self._motion, motion_html(state)),
            ):
                if handle.content != content:
                    handle.content = content
        if now - self._drawn.get('plot', 0.0) >= PLOT_PERIOD:
            self._drawn['plot'] = now
            with self._wake:
                self._plot.show(self._history)


@contextmanager
def _hushed() -> Iterator[None]:
    """Keep the server's banner off the terminal, where the program has its own words."""
    console = rich.get_console()
    quiet, console.quiet = console.quiet, True
    try:
        yield
    finally:
        console.quiet = quiet


def _plain(colour: colours.Colour) -> NDArray[np.uint8]:
    """Return a picture (2, 2, 3) of one colour."""
    return np.full((2, 2, 3), colour, dtype=np.uint8)
