"""The viewer's part for the Super Scout: what a person can ask for, and the page."""

from collections.abc import Callable
from functools import partial
from typing import Any, Protocol

from std_srvs.srv import SetBool, Trigger
from walking_robots_interfaces.srv import InjectFault

from walking_robots.geometry.se2 import ORIGIN, Pose2
from walking_robots.nodes.common.page_node import PageNode
from walking_robots.nodes.scout.page_state import ScoutStateCache
from walking_robots.robots.urdf.description import robot_description
from walking_robots.robots.wheeled import WheeledModel
from walking_robots.viewer.scout.state import ScoutControls

REPEAT = 0.1
"""Wall time, s, between two commands of a motion that is held."""

SHOW = 0.05
"""Wall time, s, between two states handed to the page."""


class Programs(Protocol):
    """Programs that may drive the robot, as this page needs them; see nodes/mdle/page.py."""

    @property
    def runs(self) -> bool:
        """Whether a program drives the robot."""

    def view(self) -> object:
        """Return what the programs' part of the page shows."""

    def stop(self) -> None:
        """End all programs."""

    def stop_then(self, act: Callable[[], None]) -> None:
        """Call ``act`` once no program drives the robot."""

    def page_part(self, *arguments: Any) -> Any:
        """Return the programs' part of the page."""


class ScoutPage:
    """Shows a Scout; a motion chosen on the page is commanded until it is stopped."""

    def __init__(self, node: PageNode, model: WheeledModel) -> None:
        """Prepare what a person may ask for."""
        self._node = node
        self._model = model
        self._motion: tuple[float, float] | None = None
        node.offer_commands()
        for name in ('reset_odometry', 'enable_motors', 'disable_motors'):
            node.offer(Trigger, f'scout_driver/{name}')
        node.offer(Trigger, 'scout_emulator/reset')
        node.offer(InjectFault, 'scout_emulator/inject_fault')
        node.offer(SetBool, 'scout_wander/enable')
        self._start = ORIGIN
        self._programs: Programs | None = None

    def attach(self, programs: 'Programs') -> None:
        """Show and steer the programs of a robot, too; call it before the page is opened."""
        self._programs = programs

    def start(self) -> Pose2:
        """Return where odom begins, in map."""
        return self._start

    def yield_robot(self) -> None:
        """End what this page makes the robot do."""
        self._leave_wandering()
        self.halt()

    def controls(self) -> ScoutControls:
        """Return the controls of the page; they may be called from any thread."""
        ask, call = self._node.run_on_node, self._node.call
        return ScoutControls(
            drive=ask(self._drive),
            stop=ask(self._stop),
            wander=ask(self._wander),
            reset_odometry=ask(partial(call, 'scout_driver/reset_odometry', Trigger.Request())),
            motors=ask(self._switch_motors),
            inject=ask(self._inject),
            restart=ask(self._restart),
        )

    def open(self, controls: ScoutControls, host: str, port: int) -> Any:
        """Open the page and begin to listen; raise ImportError where its library is missing."""
        from walking_robots.viewer.scout.page import scout_page

        node, model = self._node, self._model
        page = scout_page(
            robot_description(model.name),
            controls,
            host=host,
            port=port,
            model=model,
            part=None if self._programs is None else self._programs.page_part,
        )
        cache = ScoutStateCache(node, model, page.show_terrain)

        def show() -> None:
            self._start = cache.start
            page.show(cache.view(None if self._programs is None else self._programs.view()))

        node.create_timer(REPEAT, self._repeat, clock=node.steady)
        node.create_timer(SHOW, show, clock=node.steady)
        return page

    def _program_runs(self) -> bool:
        return self._programs is not None and self._programs.runs

    def _without_plan(self, act: Callable[[], None]) -> None:
        """Do something that moves the robot; a program that has it is stopped first."""
        if self._programs is None:
            act()
        else:
            self._programs.stop_then(act)

    def _drive(self, v: float, w: float) -> None:
        self._leave_wandering()
        self._without_plan(partial(self._hold, float(v), float(w)))

    def _hold(self, v: float, w: float) -> None:
        self._motion = (v, w)
        self._repeat()

    def _repeat(self) -> None:
        if self._program_runs():
            # Somebody else has started it, and the robot is its own.
            self._motion = None
        if self._motion is not None:
            v, w = self._motion
            self._node.command(v, 0.0, w)

    def _stop(self) -> None:
        self._leave_wandering()
        self._motion = None
        self._node.command(0.0, 0.0, 0.0)
        if self._programs is not None:
            self._programs.stop()

    def _leave_wandering(self) -> None:
        if self._node.there('scout_wander/enable'):
            self._node.call('scout_wander/enable', SetBool.Request(data=False))

    def _wander(self, wanted: bool) -> None:
        self.halt()
        request = SetBool.Request(data=wanted)
        act = partial(self._node.call, 'scout_wander/enable', request)
        if wanted:
            self._without_plan(act)
        else:
            act()

    def _switch_motors(self, on: bool) -> None:
        self.halt()
        name = 'enable_motors' if on else 'disable_motors'
        self._node.call(f'scout_driver/{name}', Trigger.Request())

    def _inject(self, fault: str, duration: float) -> None:
        request = InjectFault.Request(fault=fault, duration=float(duration))
        self._node.call('scout_emulator/inject_fault', request)

    def _restart(self) -> None:
        self._stop()
        # Carried back, the robot is where odometry begins.
        then = partial(self._node.call, 'scout_driver/reset_odometry', Trigger.Request())
        self._node.call('scout_emulator/reset', Trigger.Request(), then)

    def halt(self) -> None:
        """Stop the robot if it was moved from the page."""
        if self._motion is not None:
            self._motion = None
            if not self._program_runs():
                self._node.command(0.0, 0.0, 0.0)
