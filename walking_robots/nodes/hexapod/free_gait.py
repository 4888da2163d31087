"""The free gait and the ditch crossing: leg states in; decisions and body motion out."""

from array import array
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import Any

from nav_msgs.msg import Odometry, Path
from walking_robots_interfaces.msg import (
    BodyCommand,
    GaitDecisions,
    LegStates,
    SwingPlan,
    TerrainPatch,
)

from walking_robots.body.reference import BodyReference
from walking_robots.gaits.commands.charge import explained
from walking_robots.gaits.commands.sight import explained_sight, within_sight
from walking_robots.gaits.commands.steering import Mobility
from walking_robots.gaits.coordinators import GAITS, Coordinator, make_coordinator
from walking_robots.gaits.free.repairs import RULE_SETS
from walking_robots.gaits.gait_step import PlanAhead
from walking_robots.gaits.planned.coordinator import Workers
from walking_robots.geometry.compiled import load
from walking_robots.geometry.pose import Pose, Vector, to_quaternion
from walking_robots.legs.states import LegReport
from walking_robots.nodes.common.conversions import (
    decision_to_msg,
    fill_header,
    fill_pose,
    fill_twist,
    leg_reports_from_msg,
    pose_from_msg,
    stamp_from_msg,
    vector_from_msg,
)
from walking_robots.nodes.common.gait_conversions import (
    gait_step_to_msg,
    path_to_msg,
    swing_plan_to_msg,
)
from walking_robots.nodes.common.gait_node import GaitNode
from walking_robots.nodes.common.health import WARN, Health, waiting
from walking_robots.nodes.common.node import ConfigurationError, one_of
from walking_robots.nodes.common.qos import LATCHED, LOOP
from walking_robots.nodes.common.running import run_node
from walking_robots.nodes.common.synchronizer import TimeSynchronizer
from walking_robots.nodes.hexapod.conversions import Patches
from walking_robots.nodes.hexapod.robot import declare_hexapod
from walking_robots.terrain.cells import TernaryTerrain

SOURCES = {'legs/state': 'leg_servo', 'odom': 'hexapod_sim', 'terrain/local': 'terrain'}
BLIND = 0.5
"""Wall time, s, without terrain after which a free-running body rests."""


class FreeGait(GaitNode):
    """Answers every state of the legs with decisions, and follows one operator at a time."""

    def __init__(self, **options: Any) -> None:
        """Wait for the first state."""
        super().__init__('free_gait', **options)
        hexapod = declare_hexapod(self)
        if not hexapod.free:
            raise ConfigurationError(
                f'free_gait: the gait {hexapod.gait} is that of the node periodic_gait.'
            )
        self._model = hexapod.model
        rules = self.parameter(
            'rules', 'repaired', f'rule set: {" or ".join(RULE_SETS)}',
            check=one_of('rules', RULE_SETS), fixed=True,
        )  # fmt: skip
        self._repairs = RULE_SETS[rules]
        self._gait = self.parameter(
            'coordinator', 'rules', f'what decides on legs and body: {", ".join(GAITS)}',
            check=one_of('coordinator', GAITS), fixed=True,
        )  # fmt: skip
        self._cross_ditches = self.parameter(
            'cross_ditches', True, 'hand over to the ditch crossing at a ditch', fixed=True
        )
        self._lock_step = self.parameter(
            'lock_step', True, 'wait for terrain/local as long as it takes', fixed=True
        )
        self._horizon = self.parameter(
            'horizon', 0.0, 'how far ahead footholds are planned, 0: 3.2 reaches of a leg', 'm',
            low=0.0, high=100.0,
        )  # fmt: skip
        self._lift_margin = self.parameter(
            'lift_margin', 1.0,
            'least stability margin of planned footholds, in those at which a leg is lifted',
            low=1.0, high=5.0, fixed=True,
        )  # fmt: skip
        self._ahead = PlanAhead()
        self._coordinator: Coordinator | None = None
        self._reference = BodyReference(self._model.timing.lift_height)
        pool = ThreadPoolExecutor(1, 'footholds', initializer=load)
        self._workers = Workers(pool, pool)
        self.closing += [
            self._forget_coordinator,
            partial(pool.shutdown, wait=False, cancel_futures=True),
        ]
        self._inputs = TimeSynchronizer(*SOURCES)
        self._patches = Patches(None if hexapod.articulated is None else self._model.cell)
        self._terrain: TernaryTerrain | None = None
        self._seen = 0.0
        self._blind = False
        self._newest = self._answered = -1
        self._question: tuple[LegReport, ...] = ()
        self._answer: tuple[Any, Any, Any] | None = None
        self._decisions = self.create_publisher(GaitDecisions, 'gait/decisions', LOOP)
        self._body = self.create_publisher(BodyCommand, 'body/command', LOOP)
        self._plan = self.create_publisher(SwingPlan, 'gait/plan', LATCHED)
        self._path = self.create_publisher(Path, 'gait/path', LATCHED)
        self.follow_battery()
        for kind, topic in zip((LegStates, Odometry, TerrainPatch), SOURCES, strict=True):
            self.listen(kind, topic, partial(self._see, topic))
        self.serve(Mobility.of(self._model), hexapod.foot_size)
        self.create_timer(0.1, self._check_vision, clock=self.steady)

    # What comes in

    def _see(self, topic: str, message: Any) -> None:
        stamp = stamp_from_msg(message)
        if topic == 'odom':
            pose_from_msg(message.pose.pose)
            if stamp < self._newest:
                self.begin_afresh('the time began afresh')
            self._newest = stamp
        elif topic == 'terrain/local':
            self._terrain, self._seen, self._blind = self._patches.read(message), self.now(), False
        found = self._inputs.add(topic, stamp, message)
        if found is None or stamp < self._answered or self.waits_for_battery(stamp):
            return
        legs, odom, local = found
        self._act(stamp, legs, odom, self._patches.read(local))

    def _check_vision(self) -> None:
        """Rest where the terrain is no longer seen, so that nobody walks blind (free-running)."""
        if self._lock_step or self._terrain is None or self.now() - self._seen < BLIND:
            return
        found = self._inputs.newest('legs/state', 'odom')
        if found is not None and found[0] > self._answered:
            if not self._blind:
                self.begin_afresh('terrain/local stopped')
            self._blind = True
            stamp, (legs, odom) = found
            self._act(stamp, legs, odom, self._terrain)

    # What goes out

    def _act(self, stamp: int, legs: Any, odom: Any, terrain: TernaryTerrain) -> None:
        question = leg_reports_from_msg(legs, len(self._model.legs))
        if stamp != self._answered or self._answer is None or question != self._question:
            drift = vector_from_msg(legs.drift, 'the drift')
            self._decide(stamp, question, pose_from_msg(odom.pose.pose), drift, terrain)
        assert self._answer is not None
        decisions, body, state = self._answer
        self._decisions.publish(decisions)
        self._body.publish(body)
        self.publish_state(state)

    def _decide(
        self,
        stamp: int,
        reports: tuple[LegReport, ...],
        measured: Pose,
        drift: Vector,
        terrain: TernaryTerrain,
    ) -> None:
        self.note_state(stamp)
        if self._answered >= 0:
            # A servo never forgets a foothold, and reports the same instant only once.
            forgotten = any(
                old.foothold is not None and new.foothold is None
                for old, new in zip(self._question, reports, strict=True)
            )
            if forgotten or stamp == self._answered:
                self.begin_afresh('a new servo has taken over the legs')
        pose = self._reference.pose(measured, drift)
        if self._coordinator is None:
            self._coordinator = make_coordinator(
                self._gait, self._model, self._repairs, pose,
                cross_ditches=self._cross_ditches,
                workers=self._workers, patient=self._lock_step,
                horizon=lambda: self._horizon, lift_margin=self._lift_margin,
            )  # fmt: skip
        if self._blind:
            self.operator.drop('terrain/local stopped')
        asked = self.operator.command(self._coordinator.reference(pose), self.now())
        command = within_sight(asked, pose, terrain, self._model)
        self._coordinator.goal = self.operator.goal
        step = self._coordinator.step(reports, pose, command, terrain)
        step = explained(explained_sight(step, asked, command), self.operator.charge)
        memory, (moved, rates) = self._coordinator.memory, step.motion
        self._reference.send(moved)
        decisions, body = GaitDecisions(), BodyCommand()
        fill_header(decisions, stamp, 'odom')
        decisions.decisions = [decision_to_msg(made) for made in step.decisions]
        decisions.clear_heights = array('d', step.clear_heights)
        fill_header(body, stamp, 'odom')
        fill_pose(body.pose, moved.position, to_quaternion(moved))
        fill_twist(body.twist, rates)
        state = gait_step_to_msg(stamp, step, memory.steps, memory.lines(), command)
        self._publish_plan(stamp, self._coordinator.ahead(pose, terrain), pose)
        self._answer = (decisions, body, state)
        self._answered, self._question = stamp, reports
        self.count(step, stamp)

    def _publish_plan(self, stamp: int, ahead: PlanAhead, pose: Pose) -> None:
        if ahead != self._ahead:
            self._ahead = ahead
            self._plan.publish(swing_plan_to_msg(stamp, ahead))
            places = [swing.body for swing in ahead.swings]
            self._path.publish(path_to_msg(stamp, places, to_quaternion(pose)))

    def changed(self) -> None:
        """Plan as far ahead as is asked."""
        self._horizon = self.get_parameter('horizon').value

    def begin_afresh(self, why: str) -> None:
        """Forget the gait and every command: an old motion is never resumed."""
        self._forget_coordinator()
        self._answer = None
        self._answered = -1
        self.rest(f'superseded: {why}')

    def _forget_coordinator(self) -> None:
        if self._coordinator is not None:
            self._coordinator.close()
        self._coordinator = None
        self._reference = BodyReference(self._model.timing.lift_height)

    def health(self) -> Health:
        """Return what the gait waits for."""
        if self._blind:
            age = self.now() - self._seen
            return WARN, f'terrain/local stopped {age:.1f} s ago, the body rests: ' + (
                'is the terrain node running?'
            )
        found = waiting(self._inputs, self._model.timing.dt, SOURCES)
        if found is not None:
            return found
        steps = 0 if self._coordinator is None else self._coordinator.memory.steps
        return self.walking(steps)


def main() -> int:
    """Run the node as a process."""
    return run_node(FreeGait)
