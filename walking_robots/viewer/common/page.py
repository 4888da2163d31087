"""The page: a small web server that draws states and passes on requests."""

import logging
import threading
import time
from collections.abc import Callable
from typing import Generic, TypeVar

import viser

from walking_robots.viewer.common.cameras import DIRECTIONS, FIELD, ROBOT, Subject
from walking_robots.viewer.common.content import Content
from walking_robots.viewer.common.driving import HeldVelocities
from walking_robots.viewer.common.heartbeat import CHECK
from walking_robots.viewer.common.interpolation import StateInterpolator
from walking_robots.viewer.common.panel import hide_commands, move_camera
from walking_robots.viewer.common.server import PageServer
from walking_robots.viewer.common.timeline import Timeline, TimelineControls

PERIOD = 0.045
"""Time, s, between two pictures, however long one takes to put together: 22 a second."""
SILENCE = 2.0
"""Time, s, without a state after which the robot counts as silent."""
END = 0.3
"""Time for the drawing, and then for the connections, of a page that is taken down, s; the process
must end within 1 s."""
NETWORK_WARNING = (
    'The page is open to the network, unencrypted: whoever has its address, or can listen on the '
    'network, can drive the robot.'
)

State = TypeVar('State')
Terrain = TypeVar('Terrain')

_log = logging.getLogger(__name__)


class Page(Generic[State, Terrain]):
    """A page on a local port that shows a robot.

    `show` and `show_terrain` only hand over; a thread of the page draws the latest state, at most
    22 times a second and only while somebody looks. Another ends motions that were started on the
    page 0.5 s after it was last visible somewhere. Nothing is loaded from elsewhere.
    """

    def __init__(
        self,
        title: str,
        fill: Callable[[viser.ViserServer], Content[State]],
        subject: Subject,
        *,
        host: str = '127.0.0.1',
        port: int = 8080,
    ) -> None:
        """Serve a page with the content that `fill` puts on the server.

        `subject`: what a visitor first looks at. A taken port makes way for the next
        one, port 0 for any free one; see `url` and `detour`. Raise ValueError for a host that is
        not an address of this machine.
        """
        self._page_server = PageServer(title, host, port)
        self._server = self._page_server.viser
        self._port = port
        self._wake = threading.Condition()
        self._state: State | None = None
        self._heard = 0.0
        self._terrain: Terrain | None = None
        self._closed = False
        gui = self._server.gui
        gui.configure_theme(show_logo=False, show_share_button=False, brand_color=(41, 121, 214))
        gui.set_panel_label(title)
        self._subject = subject
        first = self._server.initial_camera
        first.position, first.look_at = subject.seen(subject.direction, 1.0)
        first.fov = FIELD
        gui.main_panel.dock_right()
        gui.main_panel.set_width(300)
        self._content = fill(self._server)
        with gui.add_folder('Camera'):
            views = gui.add_button_group('Look at', tuple(DIRECTIONS))
        views.on_click(lambda event: self._look(event.client, views.value))
        self._interpolator = StateInterpolator(self._content.between)
        panel = self._content.panel
        self._page_server.axes = panel.axes
        self._page_server.heartbeat.velocities = HeldVelocities(panel.drive, panel.stop)
        self._server.on_client_connect(self._welcome)
        self._thread = threading.Thread(target=self._draw_for_ever, name='viewer', daemon=True)
        self._thread.start()
        watch = threading.Thread(target=self._watch, name='heartbeat of viewer', daemon=True)
        watch.start()

    def set_timeout(self, timeout: float) -> None:
        """Set the time, s, without an answer after which a page counts as gone."""
        self._page_server.heartbeat.limit = timeout

    @property
    def origin(self) -> str:
        """Return the address of the page without its token."""
        return self._page_server.origin

    @property
    def url(self) -> str:
        """Return the address of the page; who knows it can move the robot."""
        return self._page_server.url

    @property
    def warning(self) -> str:
        """Say who can drive the robot where others can reach the page, otherwise nothing."""
        return NETWORK_WARNING if self._page_server.is_open_to_network else ''

    @property
    def detour(self) -> str:
        """Say that the port was taken, and where the page is; empty where it was free."""
        if self._port in (0, self._server.get_port()):
            return ''
        return f'port {self._port} is taken: the page is at {self.url}'

    def is_visited(self) -> bool:
        """Return whether a browser shows the page."""
        return bool(self._server.get_clients())

    def offer_replay(self, replay: Callable[[], None]) -> None:
        """Offer a button that has the demonstration shown again, by a call from another thread."""
        button = self._server.gui.add_button(
            'Replay', hint='Show the demonstration again', order=-1
        )
        button.on_click(lambda _: replay())

    def offer_timeline(self, length: float, controls: TimelineControls) -> Timeline:
        """Offer time, pause and speed of a record of so many s in place of all commands.

        Returns how to show them.
        """
        hide_commands(self._server.gui)
        self._page_server.axes = self._page_server.heartbeat.velocities = None
        return Timeline(self._server.gui, length, controls)

    def show_terrain(self, terrain: Terrain) -> None:
        """Show a terrain in place of the present one."""
        with self._wake:
            self._terrain = terrain
            self._wake.notify()

    def show(self, state: State) -> None:
        """Show a state as soon as there is time to."""
        with self._wake:
            self._state, self._heard = state, time.monotonic()
            self._interpolator.take(state, self._heard)
            self._content.board.note(state)
            self._wake.notify()

    def close(self) -> None:
        """Take the page down; may be called twice."""
        with self._wake:
            if self._closed:
                return
            self._closed = True
            self._wake.notify()
        self._page_server.heartbeat.velocities = None
        self._thread.join(timeout=END)
        # The library waits for seconds for connections that a browser has opened and not used.
        end = threading.Thread(target=self._page_server.stop, name='end of viewer', daemon=True)
        end.start()
        end.join(timeout=END)

    def _watch(self) -> None:
        """End motions of the page while nobody can stop them, until the page is closed."""
        heartbeat = self._page_server.heartbeat
        while not self._closed:
            heartbeat.robot = self._link_fault()
            if heartbeat.is_silent() or not self.is_visited():
                try:
                    self._content.leave()
                except Exception:
                    _log.exception('the viewer could not end a motion')
            time.sleep(CHECK)

    def _welcome(self, client: viser.ClientHandle) -> None:
        """Begin to draw for a visitor, who sees the whole robot in a narrow window too."""
        if client.camera.aspect < 1.0:
            self._look(client, ROBOT)
        self._notify()

    def _look(self, client: viser.ClientHandle | None, name: str) -> None:
        """Move a visitor to a view."""
        if client is not None:
            view = self._content.scene.view(name, self._subject, client.camera.aspect)
            move_camera(client, *view, FIELD)

    def _link_fault(self) -> str:
        """Return what is wrong with the connection of the robot, or nothing."""
        state = self._state
        if state is None or time.monotonic() - self._heard > SILENCE:
            return 'no data'
        return self._content.link_fault(state)

    def _notify(self) -> None:
        """Wake the drawing thread."""
        with self._wake:
            self._wake.notify()

    def _draw_for_ever(self) -> None:
        """Draw the latest terrain and state until the page is closed."""
        drawn: State | None = None
        while True:
            with self._wake:
                while not self._closed and not self._has_work(drawn):
                    self._wake.wait(timeout=0.25)
                if self._closed:
                    return
                terrain, self._terrain = self._terrain, None
                begun = time.monotonic()
                moment = self._interpolator.at(begun)
            try:
                with self._server.atomic():
                    if terrain is not None:
                        self._content.scene.show_terrain(terrain)
                    if moment is not None:
                        state, written = moment
                        if state is not drawn:
                            self._content.draw(state)
                        with self._wake:
                            self._content.write(written, time.monotonic())
            except Exception:
                # One state that cannot be drawn must not end the view of all that follow.
                _log.exception('the viewer could not draw this state')
            drawn = moment and moment[0]
            time.sleep(max(0.0, begun + PERIOD - time.monotonic()))

    def _has_work(self, drawn: State | None) -> bool:
        """Return whether somebody looks and something has changed."""
        state = self._state
        stale = state is not None and (state is not drawn or self._content.is_behind(state))
        return (self._terrain is not None or stale) and self.is_visited()
