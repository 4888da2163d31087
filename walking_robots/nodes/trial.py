"""A trial in the real graph, composed or distributed: the same walk to the last bit."""

import os
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from itertools import count
from pathlib import Path
from typing import Any, Literal

import rclpy
from rclpy.context import Context
from rclpy.node import Node
from rclpy.signals import SignalHandlerOptions
from walking_robots_interfaces.msg import GaitState

from walking_robots.gaits.coordinator import GaitStep
from walking_robots.nodes.compose import Composition, Overrides
from walking_robots.nodes.convert_gait import gait_step
from walking_robots.nodes.processes import Processes
from walking_robots.nodes.qos import RECORD
from walking_robots.nodes.running import make_executor, spin
from walking_robots.nodes.start import Start
from walking_robots.robots.asv import ASV
from walking_robots.simulation.kinematic_hexapod import KinematicHexapod
from walking_robots.terrain.cells import TernaryTerrain
from walking_robots.terrain.files import dump
from walking_robots.trials.asv import AsvTrial
from walking_robots.trials.referee import Referee, WalkResult

__all__ = ['GraphWalk', 'TrialError', 'run_in_graph', 'walk_in_graph']

PATIENCE = 60.0
"""Wall time, s, without any step after which a trial is given up."""

UNUSED = ('viewer',)

_numbers = count(1)


class TrialError(RuntimeError):
    """Says in one sentence why a trial in the graph came to nothing."""


class Witness(Node):  # type: ignore[misc,unused-ignore]
    """Starts a walk once everybody is there, and brings every step before the referee."""

    def __init__(
        self,
        referee: Referee,
        command: tuple[float, float, float],
        watch: Callable[[GaitStep], None] | None,
        **options: Any,
    ) -> None:
        """Wait for the others."""
        super().__init__('trial', **options)
        self._referee, self._watch = referee, watch
        self.start = Start(self, command)
        self.ended = False
        self.heard = time.monotonic()
        self._states = self.create_subscription(GaitState, 'gait/state', self._judge, RECORD)

    def destroy_node(self) -> None:
        """Leave nothing behind."""
        self.start.close()
        super().destroy_node()

    def _judge(self, message: Any) -> None:
        expected = self._referee.trace.steps + 1
        if self.ended or message.step < expected:
            return
        if message.step != expected:
            raise TrialError(f'step {expected} was lost on its way')
        self.heard = time.monotonic()
        step = gait_step(message)
        self.ended = self._referee.add(step)
        if self._watch is not None:
            self._watch(step)


@dataclass(frozen=True)
class GraphWalk:
    """A walk for the graph of a system.

    ``without`` are the nodes that it does without, ``overrides`` their parameters, apart from
    those of every trial; ``command`` (vx, vy, wz), m/s and rad/s, is what the referee judges.
    """

    system: str
    terrain: TernaryTerrain
    command: tuple[float, float, float]
    referee: Referee
    overrides: Overrides
    without: tuple[str, ...] = ()


def run_in_graph(
    trial: AsvTrial,
    how: Literal['composed', 'distributed'],
    *,
    domain: int | None = None,
    watch: Callable[[GaitStep], None] | None = None,
) -> WalkResult:
    """Run a trial in the graph and give the same result as :func:`walking_robots.trials.asv.run`.

    The rest as in `walk_in_graph`.
    """
    terrain = trial.build_terrain()
    start = KinematicHexapod(ASV, terrain).state.position
    trial.repairs()
    overrides: Overrides = {
        'free_gait': {'rules': trial.rules, 'cross_ditches': trial.cross_ditches},
        'leg_servo': {'rules': trial.rules},
    }
    referee = trial.referee(start, ASV.timing.dt)
    walk = GraphWalk('asv', terrain, trial.command, referee, overrides)
    return walk_in_graph(walk, how, domain=domain, watch=watch)


def walk_in_graph(
    walk: GraphWalk,
    how: Literal['composed', 'distributed'],
    *,
    domain: int | None = None,
    watch: Callable[[GaitStep], None] | None = None,
) -> WalkResult:
    """Walk in the graph and give what the referee says.

    ``watch`` is called with every step.
    The nodes live in a ROS domain, ``domain`` or one taken from the process id, and a
    namespace of their own. Raise TrialError when the graph does not get to the end.
    """
    os.environ.setdefault('ROS_AUTOMATIC_DISCOVERY_RANGE', 'LOCALHOST')
    domain = 1 + os.getpid() % 100 if domain is None else domain
    with tempfile.TemporaryDirectory(prefix='walking_robots_') as folder:
        file = Path(folder) / 'terrain.yaml'
        file.write_text(dump(walk.terrain))
        everywhere: Overrides = {
            'terrain': {'terrain_file': str(file), 'vision_range': 0.0},
            'hexapod_sim': {'lock_step': True, 'real_time_factor': 0.0, 'start_paused': True},
        }
        values = {
            name: {**everywhere.get(name, {}), **walk.overrides.get(name, {})}
            for name in {*everywhere, *walk.overrides}
        }
        run = _composed if how == 'composed' else _distributed
        # A name of its own keeps a walk to itself where two domains happen to be the same.
        namespace = f'/trial_{os.getpid()}_{next(_numbers)}'
        options = {'without': (*UNUSED, *walk.without), 'domain': domain, 'namespace': namespace}
        run(walk.system, values, options, partial(Witness, walk.referee, walk.command, watch))
    return walk.referee.result()


def _composed(
    system: str, overrides: Overrides, options: dict[str, Any], make: Callable[..., Witness]
) -> None:
    graph = Composition(system, overrides, **options)
    try:
        witness = graph.add('trial', make)
        graph.spin(lambda: _ended(witness, ''))
    finally:
        graph.close()


def _distributed(
    system: str, overrides: Overrides, options: dict[str, Any], make: Callable[..., Witness]
) -> None:
    context = Context()
    rclpy.init(
        args=[],
        context=context,
        domain_id=options['domain'],
        signal_handler_options=SignalHandlerOptions.NO,
    )
    try:
        with Processes(system, overrides, **options) as processes:
            witness = make(context=context, namespace=options['namespace'])
            executor = make_executor(context)
            executor.add_node(witness)
            spin(executor, lambda: _ended(witness, processes.fallen()))
            executor.remove_node(witness)
            witness.destroy_node()
    finally:
        context.try_shutdown()


def _ended(witness: Witness, fallen: str) -> bool:
    if fallen:
        raise TrialError(fallen)
    if witness.start.refused:
        raise TrialError('the gait refuses to walk with this velocity')
    if time.monotonic() - witness.heard > PATIENCE:
        raise TrialError(f'the graph made no step for {PATIENCE:.0f} s')
    return witness.ended
