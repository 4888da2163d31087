"""What the demonstration of the ASV shows: it crosses a ditch, and says why it does what."""

import time
from collections.abc import Callable
from functools import partial
from typing import Any

from walking_robots_interfaces.msg import GaitState

from walking_robots.nodes.common.composition import Overrides, merged
from walking_robots.nodes.common.demo import Presenter, Show
from walking_robots.nodes.common.gait_conversions import gait_step_from_msg
from walking_robots.nodes.common.qos import LOOP
from walking_robots.nodes.common.walk_starter import WalkStarter
from walking_robots.nodes.hexapod.eyes import EYES, eyes_overrides
from walking_robots.nodes.hexapod.robot import MUJOCO, lift_margin
from walking_robots.robots.asv import ASV, ft
from walking_robots.simulation.hexapod.odometry import EXACT
from walking_robots.trials.hexapod.asv import AsvTrial
from walking_robots.trials.hexapod.eyes_settings import EyesSettings
from walking_robots.trials.hexapod.referee import Referee
from walking_robots.viewer.hexapod.words import mode_words

PERIOD = 4.0
"""Wall time, s, between two lines."""

TRIAL = AsvTrial(speed=ft(0.4), ditch=ft(7.0), forbidden=0.2, seed=77, rules='repaired')


class AsvDemo(Presenter):
    """Sends the robot across the ditch and prints what it does."""

    simulation = 'hexapod_sim'

    @staticmethod
    def overrides(
        gait: str, physics: str, odometry: str, speed: float, seeing: Overrides | None = None
    ) -> Overrides:
        """Return the parameters of the demonstration; ``speed`` is that of time.

        ``seeing`` are those of a robot with eyes.
        """
        known: Overrides = {
            'free_gait': {
                'coordinator': gait,
                'lift_margin': lift_margin(forces=physics == MUJOCO),
            },
            'hexapod_sim': {
                'physics': physics,
                'odometry': odometry,
                'publish_description': True,
                'real_time_factor': speed,
                'start_paused': True,
            },
        }
        return merged(known, seeing or {})

    def __init__(self, say: Callable[[str], None], **options: Any) -> None:
        """Wait until the robot can walk."""
        super().__init__(say, **options)
        self._start = WalkStarter(self, TRIAL.command)
        self._begin_again()
        self._step = 0
        self._printed, self._reason = 0.0, ''
        self.create_subscription(GaitState, 'gait/state', self._see, LOOP)

    def _begin_again(self) -> None:
        self.referee: Referee = TRIAL.referee(ASV.start_position, ASV.timing.dt)
        self.ended = self.succeeded = False

    def destroy_node(self) -> None:
        """Leave nothing behind."""
        self._start.close()
        super().destroy_node()

    def _see(self, message: Any) -> None:
        step = gait_step_from_msg(message)
        if message.step < self._step:
            self._begin_again()
        self._step = message.step
        walking = message.command.linear.x > 0.0
        if not self.ended and walking:
            self.ended = self.referee.add(step)
            if self.ended:
                self.succeeded = self.referee.result().completed
                self._start.cancel()
                self._say(summary(self.referee))
        self._reason = step.fired[-1].sentence if step.fired else self._reason
        now = time.monotonic()
        if now - self._printed >= PERIOD and (walking or not step.motion.rates.at_rest):
            self._printed = now
            at = message.header.stamp.sec + message.header.stamp.nanosec * 1e-9
            mode = mode_words(step.mode, step.cycle)
            why = step.stop_reason or self._reason or 'looks for footholds'
            x = step.motion.pose.position[0]
            self._say(f'{at:6.1f} s  x {x:5.2f} m  margin {step.margin:.2f} m  {mode}: {why}')


def summary(referee: Referee) -> str:
    """Return one line on how the crossing went."""
    result = referee.result()
    failed = f'Did not cross the ditch ({result.reason})'
    words = 'Crossed the ditch' if result.completed else failed
    return (
        f'{words}: {result.distance_m:.2f} m in {result.sim_time_s:.1f} s, '
        f'least stability margin {result.min_stability_margin_m:.3f} m'
        f'{f", last state in the ditch {result.ditch_state}" if result.ditch_state else ""}.'
    )


def show(gait: str, physics: str, eyes: EyesSettings | None = None, odometry: str = EXACT) -> Show:
    """Return how the system is demonstrated."""
    seeing = eyes_overrides(ASV.name, eyes) if eyes else {}
    overrides = partial(AsvDemo.overrides, gait, physics, odometry, seeing=seeing)
    return Show(AsvDemo, overrides, also=EYES if eyes else ())
