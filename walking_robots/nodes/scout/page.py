"""The viewer's part for the Super Scout: what a person can ask for, and the page."""

from collections.abc import Callable
from functools import partial
from typing import Any

from std_srvs.srv import SetBool, Trigger
from walking_robots_interfaces.srv import InjectFault

from walking_robots.geometry.se2 import ORIGIN
from walking_robots.nodes.common.page_node import Desk
from walking_robots.nodes.mdle.page import PlanDesk
from walking_robots.nodes.scout.page_state import ScoutNews
from walking_robots.robots.urdf.description import robot_description
from walking_robots.robots.wheeled import WheeledModel
from walking_robots.viewer.scout.state import ScoutControls

__all__ = ['SuperScoutView']

REPEAT = 0.1
"""Wall time, s, between two commands of a motion that is held."""

SHOW = 0.05
"""Wall time, s, between two states handed to the page."""


class SuperScoutView:
    """Shows a Scout; a motion that a person has chosen is asked for until it is stopped."""

    def __init__(self, desk: Desk, model: WheeledModel) -> None:
        """Prepare what a person may ask for."""
        self._desk = desk
        self._model = model
        self._motion: tuple[float, float] | None = None
        for name in ('reset_odometry', 'enable_motors', 'disable_motors'):
            desk.offer(Trigger, f'scout_driver/{name}')
        desk.offer(Trigger, 'scout_emulator/reset')
        desk.offer(InjectFault, 'scout_emulator/inject_fault')
        desk.offer(SetBool, 'scout_wander/enable')
        with_plans = desk.parameter(
            'plans', False, 'show and steer the programs of mdle_executor', fixed=True
        )
        self._start = ORIGIN
        self._plan: PlanDesk | None = None
        if with_plans:
            self._plan = PlanDesk(desk, lambda: self._start, self._make_way)

    def controls(self) -> ScoutControls:
        """Give the controls of the page; they may be called from any thread."""
        wish, call = self._desk.wish, self._desk.call
        return ScoutControls(
            drive=wish(self._drive),
            stop=wish(self._stop),
            wander=wish(self._wander),
            reset_odometry=wish(partial(call, 'scout_driver/reset_odometry', Trigger.Request())),
            motors=wish(self._switch_motors),
            inject=wish(self._inject),
            restart=wish(self._restart),
        )

    def open(self, controls: ScoutControls, host: str, port: int) -> Any:
        """Open the page and begin to listen; raise ImportError where its library is missing."""
        from walking_robots.viewer.scout.page import scout_page

        desk, model = self._desk, self._model
        page = scout_page(
            robot_description(model.name),
            controls,
            host=host,
            port=port,
            model=model,
            plans=None if self._plan is None else self._plan.controls(),
        )
        news = ScoutNews(desk, model, page.show_terrain)

        def show() -> None:
            self._start = news.start
            page.show(news.view(None if self._plan is None else self._plan.view()))

        desk.create_timer(REPEAT, self._repeat, clock=desk.steady)
        desk.create_timer(SHOW, show, clock=desk.steady)
        return page

    def _make_way(self) -> None:
        self._leave_wandering()
        self.halt()

    def _plan_runs(self) -> bool:
        return self._plan is not None and self._plan.runs

    def _without_plan(self, act: Callable[[], None]) -> None:
        """Do something that moves the robot; a program that has it is stopped first."""
        if self._plan is None:
            act()
        else:
            self._plan.stop_then(act)

    def _drive(self, v: float, w: float) -> None:
        self._leave_wandering()
        self._without_plan(partial(self._hold, float(v), float(w)))

    def _hold(self, v: float, w: float) -> None:
        self._motion = (v, w)
        self._repeat()

    def _repeat(self) -> None:
        if self._plan_runs():
            # Somebody else has started it, and the robot is its own.
            self._motion = None
        if self._motion is not None:
            v, w = self._motion
            self._desk.command(v, 0.0, w)

    def _stop(self) -> None:
        self._leave_wandering()
        self._motion = None
        self._without_plan(partial(self._desk.command, 0.0, 0.0, 0.0))

    def _leave_wandering(self) -> None:
        if self._desk.there('scout_wander/enable'):
            self._desk.call('scout_wander/enable', SetBool.Request(data=False))

    def _wander(self, wanted: bool) -> None:
        self.halt()
        request = SetBool.Request(data=wanted)
        act = partial(self._desk.call, 'scout_wander/enable', request)
        if wanted:
            self._without_plan(act)
        else:
            act()

    def _switch_motors(self, on: bool) -> None:
        self.halt()
        name = 'enable_motors' if on else 'disable_motors'
        self._desk.call(f'scout_driver/{name}', Trigger.Request())

    def _inject(self, fault: str, duration: float) -> None:
        request = InjectFault.Request(fault=fault, duration=float(duration))
        self._desk.call('scout_emulator/inject_fault', request)

    def _restart(self) -> None:
        self._stop()
        # Carried back, the robot is where odometry begins.
        then = partial(self._desk.call, 'scout_driver/reset_odometry', Trigger.Request())
        self._desk.call('scout_emulator/reset', Trigger.Request(), then)

    def halt(self) -> None:
        """Ask for rest where a person has asked for motion."""
        if self._motion is not None:
            self._motion = None
            if not self._plan_runs():
                self._desk.command(0.0, 0.0, 0.0)
