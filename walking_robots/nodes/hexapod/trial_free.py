"""A trial in the real graph, composed or distributed: the same walk to the last bit."""

import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from walking_robots_interfaces.msg import GaitState

from walking_robots.gaits.free.articulated_model import find_free_gait_model
from walking_robots.gaits.gait_step import GaitStep
from walking_robots.nodes.common.composition import Overrides, merged
from walking_robots.nodes.common.gait_conversions import gait_step_from_msg
from walking_robots.nodes.common.intra_process import IntraProcessNode
from walking_robots.nodes.common.trial import How, TrialError, run_graph
from walking_robots.nodes.common.unnamed_file import path_of, unnamed_file
from walking_robots.nodes.common.walk_starter import WalkStarter
from walking_robots.nodes.hexapod.eyes import EYES, eyes_overrides
from walking_robots.nodes.hexapod.robot import lift_margin, simulation_parameters
from walking_robots.robots.asv import ASV
from walking_robots.simulation.hexapod.kinematic import KinematicHexapod
from walking_robots.terrain.cells import TernaryTerrain
from walking_robots.terrain.files import dump
from walking_robots.trials.hexapod.asv import AsvTrial
from walking_robots.trials.hexapod.eyes_settings import EyesSettings
from walking_robots.trials.hexapod.referee import Referee, WalkResult


class HexapodTrialNode(IntraProcessNode):
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
        self.start = WalkStarter(self, command)
        self.ended = False
        self.heard = time.monotonic()
        self._states = self.create_subscription(
            GaitState, 'gait/state', self._judge, self.record_qos()
        )

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
        step = gait_step_from_msg(message)
        self.ended = self._referee.add(step)
        if self._watch is not None:
            self._watch(step)


@dataclass(frozen=True)
class GraphWalk:
    """A walk for the graph of a system.

    ``without`` are the nodes that it does without, ``eyes`` those that it sees with; ``overrides``
    are parameters, apart from those of every trial; ``command`` (vx, vy, wz), m/s and rad/s, is
    what the referee checks.
    """

    system: str
    terrain: TernaryTerrain
    command: tuple[float, float, float]
    referee: Referee
    overrides: Overrides
    without: tuple[str, ...] = ()
    eyes: EyesSettings | None = None


def run_in_graph(
    trial: AsvTrial,
    how: How,
    *,
    domain: int | None = None,
    record: Path | None = None,
    watch: Callable[[GaitStep], None] | None = None,
) -> WalkResult:
    """Run a trial in the graph and return the same result as the plain trial.

    The rest as in `walk_in_graph`.
    """
    terrain = trial.build_terrain()
    start = KinematicHexapod(ASV, terrain).state.position
    trial.repairs()
    overrides: Overrides = {
        'free_gait': {
            'coordinator': trial.gait,
            'rules': trial.rules,
            'cross_ditches': trial.cross_ditches,
            'lift_margin': lift_margin(forces=trial.physics is not None),
        },
        'leg_servo': {'rules': trial.rules},
        'hexapod_sim': simulation_parameters(trial.physics, trial.odometry, trial.seed),
    }
    referee = trial.referee(start, ASV.timing.dt)
    walk = GraphWalk('asv', terrain, trial.command, referee, overrides, eyes=trial.eyes)
    return walk_in_graph(walk, how, domain=domain, record=record, watch=watch)


def walk_in_graph(
    walk: GraphWalk,
    how: How,
    *,
    domain: int | None = None,
    record: Path | None = None,
    watch: Callable[[GaitStep], None] | None = None,
) -> WalkResult:
    """Walk in the graph and give what the referee says.

    ``watch`` is called with every step.
    The rest as in `run_graph`.
    """
    with unnamed_file(dump(walk.terrain)) as file:
        everywhere: Overrides = {
            'terrain': {'terrain_file': str(path_of(file)), 'vision_range': 0.0},
            'hexapod_sim': {'lock_step': True, 'real_time_factor': 0.0, 'start_paused': True},
        }
        values = merged(everywhere, walk.overrides, _seeing(walk))
        make = partial(HexapodTrialNode, walk.referee, walk.command, watch)
        run_graph(
            walk.system,
            values,
            make,
            how,
            without=walk.without,
            also=EYES if walk.eyes else (),
            domain=domain,
            record=record,
        )
    return walk.referee.result()


def _seeing(walk: GraphWalk) -> Overrides:
    """Return the parameters with which a robot sees, by node."""
    if walk.eyes is None:
        return {}
    robot = {
        key: value
        for key, value in walk.overrides.get('free_gait', {}).items()
        if key in ('robot', 'gait')
    }
    name = find_free_gait_model(robot['robot']).name if robot else ASV.name
    return eyes_overrides(name, walk.eyes, robot)
