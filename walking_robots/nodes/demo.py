# mypy: disable-error-code="import-untyped"
"""The demonstration: a system in one process, a page to watch it, and lines for the terminal."""

import os
import sys
import time
from collections.abc import Callable
from typing import Any

from rclpy.node import Node
from walking_robots_interfaces.msg import GaitState

from walking_robots.nodes.base import RefusedError
from walking_robots.nodes.compose import Composition
from walking_robots.nodes.convert_gait import gait_step
from walking_robots.nodes.qos import LOOP
from walking_robots.nodes.running import Stop
from walking_robots.nodes.start import Start
from walking_robots.robots.asv import ASV, ft
from walking_robots.trials.asv import AsvTrial
from walking_robots.trials.referee import Referee
from walking_robots.viewer.words import mode_words

__all__ = ['run_demo']

PERIOD = 4.0
"""Wall time, s, between two lines."""

FAST = 10.0
"""Speed of time where nobody stays to watch."""

TRIAL = AsvTrial(speed=ft(0.4), ditch=ft(7.0), forbidden=0.2, seed=77, rules='repaired')


class Presenter(Node):  # type: ignore[misc,unused-ignore]
    """Sends the robot across the ditch and tells what it does."""

    def __init__(self, say: Callable[[str], None], **options: Any) -> None:
        """Wait until the robot can walk."""
        super().__init__('presenter', **options)
        self._say = say
        self._start = Start(self, TRIAL.command)
        self._begin_again()
        self._step = 0
        self._told, self._reason = 0.0, ''
        self.create_subscription(GaitState, 'gait/state', self._see, LOOP)

    def _begin_again(self) -> None:
        self.referee: Referee = TRIAL.referee(ASV.start_position, ASV.timing.dt)
        self.ended = False

    def destroy_node(self) -> None:
        """Leave nothing behind."""
        self._start.close()
        super().destroy_node()

    def _see(self, message: Any) -> None:
        step = gait_step(message)
        if message.step < self._step:
            self._begin_again()
        self._step = message.step
        walking = message.command.linear.x > 0.0
        if not self.ended and walking:
            self.ended = self.referee.add(step)
            if self.ended:
                self._start.cancel()
                self._say(summary(self.referee))
        self._reason = step.fired[-1].sentence if step.fired else self._reason
        now = time.monotonic()
        if now - self._told >= PERIOD and (walking or not step.motion.rates.at_rest):
            self._told = now
            at = message.header.stamp.sec + message.header.stamp.nanosec * 1e-9
            mode = mode_words(step.mode, step.cycle)
            why = step.stop_reason or self._reason or 'looks for footholds'
            x = step.motion.pose.position[0]
            self._say(f'{at:6.1f} s  x {x:5.2f} m  margin {step.margin:.2f} m  {mode}: {why}')


def summary(referee: Referee) -> str:
    """Give one line on how the crossing went."""
    result = referee.result()
    failed = f'Did not cross the ditch ({result.reason})'
    words = 'Crossed the ditch' if result.completed else failed
    return (
        f'{words}: {result.distance_m:.2f} m in {result.sim_time_s:.1f} s, '
        f'least stability margin {result.min_stability_margin_m:.3f} m, '
        f'last state in the ditch {result.ditch_state or "none"}.'
    )


def run_demo(
    system: str = 'asv',
    *,
    once: bool = False,
    port: int | None = None,
    speed: float | None = None,
) -> int:
    """Show a system in the browser until Ctrl-C, and give the exit code.

    With ``once``, or without a terminal on standard output, it ends after the crossing: 0 when
    the robot has crossed, 1 when it has not. ``speed`` is simulated time per wall time.
    """
    os.environ.setdefault('ROS_AUTOMATIC_DISCOVERY_RANGE', 'LOCALHOST')
    once = once or not sys.stdout.isatty()
    speed = speed if speed is not None else FAST if once else 1.0

    def say(line: str) -> None:
        print(line, flush=True)

    stop = Stop()
    graph: Composition | None = None
    try:
        graph = Composition(
            system,
            {
                'viewer': {} if port is None else {'port': port},
                'hexapod_sim': {
                    'publish_description': True,
                    'real_time_factor': float(speed),
                    'start_paused': True,
                },
            },
        )
        viewer: Any = graph.nodes['viewer']
        say(f'Open {viewer.page.url} in a browser; Ctrl-C ends.')
        presenter: Presenter = graph.add('presenter', lambda **options: Presenter(say, **options))
        graph.spin(lambda: stop.requested or (once and presenter.ended))
        return 0 if stop.requested or presenter.referee.result().completed else 1
    except RefusedError as error:
        print(error, file=sys.stderr)
        return 2
    finally:
        if graph is not None:
            graph.close()
        stop.release()
