"""The walk of a blind biped: joints, pitch and foot switches in; joint commands out."""

from functools import partial
from typing import Any

from sensor_msgs.msg import Imu, JointState
from std_srvs.srv import Trigger
from walking_robots_interfaces.msg import BipedLegs, FootContacts, JointCommand

from walking_robots.gaits.biped.controller import BipedGait
from walking_robots.gaits.biped.memory import GaitTick, WalkMemory
from walking_robots.gaits.biped.parameter_files import GROUNDS, load_sets, shipped_sets
from walking_robots.gaits.biped.record import mobility, record, refusal
from walking_robots.gaits.biped.spatial.controller import SpatialGait, SpatialMemory
from walking_robots.gaits.biped.spatial.parameters import SpatialParameters
from walking_robots.gaits.biped.states import FALLEN
from walking_robots.gaits.commands.steering import Mobility
from walking_robots.gaits.commands.walk import WalkGoal
from walking_robots.geometry.pose import Pose
from walking_robots.nodes.biped.conversions import (
    joint_orders_to_msg,
    legs_to_msg,
    senses_from_msgs,
    spatial_senses_from_msgs,
)
from walking_robots.nodes.common.conversions import contacts_from_msg, stamp_from_msg
from walking_robots.nodes.common.gait_conversions import gait_step_to_msg
from walking_robots.nodes.common.gait_node import GaitNode
from walking_robots.nodes.common.health import OK, WARN, Health, waiting
from walking_robots.nodes.common.node import ConfigurationError, one_of
from walking_robots.nodes.common.qos import LOOP
from walking_robots.nodes.common.running import run_node
from walking_robots.nodes.common.synchronizer import TimeSynchronizer
from walking_robots.nodes.common.throttle import ObserverThrottle
from walking_robots.robots.impedance import JointOrder
from walking_robots.robots.kwalk import KWALKS
from walking_robots.robots.kwalk_spatial import SPATIAL_KWALKS

SOURCES = {name: 'biped_sim' for name in ('joint_states', 'imu', 'foot_contacts')}

MISSED = 5
"""Most ticks, lost on their way, that the controller makes up for at once."""

CHANGING = 1.0
"""Wall time, s, in which the nodes of a robot that is changed may differ."""

FOOT_SIZE = 0.03
"""How large a foothold would be marked in RViz, m."""


class BipedGaitNode(GaitNode):
    """Answers what the robot feels with orders for its joints; it knows no ground."""

    def __init__(self, **options: Any) -> None:
        """Wait for the first senses."""
        super().__init__('biped_gait', **options)
        self._values: dict[str, Any] = {
            'robot': self.parameter(
                'robot', 'b', 'the robot: a with prismatic, b with revolute knees, b3d in space',
                check=one_of('robot', (*KWALKS, *SPATIAL_KWALKS)),
            ),
            'params': self.parameter('params', 'tuned', 'literal, tuned, or the name of a set'),
            'ground': self.parameter(
                'ground', 'level', 'class of ground for which a set is chosen',
                check=one_of('ground', GROUNDS),
            ),
        }  # fmt: skip
        sets = self.parameter('sets', '', 'file of parameters; empty: those shipped', fixed=True)
        self._dt: float = self.parameter(
            'control_step', 0.004, 'between two commands', 's', low=1e-4, high=0.1, fixed=True
        )
        try:
            self._sets = load_sets(sets) if sets else shipped_sets()
            self._gait = self._candidate = self._made(self._values)
        except ValueError as error:
            raise ConfigurationError(f'biped_gait: {str(error).rstrip(".")}.') from error
        self._memory: WalkMemory | SpatialMemory | None = None
        self._inputs = TimeSynchronizer(*SOURCES)
        self._answered = -1
        self._changed = self.now()
        self._steps = 0
        self._way = 0.0
        self._answer: tuple[Any, ...] | None = None
        self._observers = ObserverThrottle(self)
        self._fell = ''
        self._commands = self.create_publisher(JointCommand, 'joint_command', LOOP)
        self._legs = self.create_publisher(BipedLegs, 'gait/legs', self.record_qos())
        for kind, topic in zip((JointState, Imu, FootContacts), SOURCES, strict=True):
            self.listen(kind, topic, partial(self._see, topic))
        self.provide(Trigger, '~/reset', self._reset)
        self.serve(self._mobility, FOOT_SIZE)

    def _made(self, values: dict[str, Any]) -> BipedGait | SpatialGait:
        """Return the controller of a robot; raise ValueError for values that make none."""
        letter = values['robot']
        _, parameters = self._sets.find(letter, values['params'], values['ground'])
        if isinstance(parameters, SpatialParameters):
            return SpatialGait(SPATIAL_KWALKS[letter], parameters)
        return BipedGait(KWALKS[letter], parameters)

    @property
    def _mobility(self) -> Mobility:
        """Return how the robot moves."""
        return mobility(self._dt, turns=isinstance(self._gait, SpatialGait))

    # Commands

    def changing(self, values: Any) -> None:
        """Make the controller of new parameters; raise ValueError to refuse them."""
        wanted = self._values | {key: values[key] for key in values if key in self._values}
        if wanted != self._values:
            self._candidate = self._made(wanted)
            self._values = wanted

    def changed(self) -> None:
        """Go on by new parameters; another robot begins afresh."""
        if self._candidate is not self._gait:
            if self._candidate.robot is not self._gait.robot:
                self.begin_afresh('another robot')
            self._gait = self._candidate
            self.operator.mobility = self._mobility
            self._changed = self.now()

    # What comes in

    def _see(self, topic: str, message: Any) -> None:
        if topic == 'joint_states' and not self._is_ours(message):
            return
        stamp = stamp_from_msg(message)
        found = self._inputs.add(topic, stamp, message)
        if found is None:
            return
        if stamp < self._answered:
            self.begin_afresh('the time began afresh')
        if stamp != self._answered or self._answer is None:
            self._decide(stamp, *found)
        assert self._answer is not None
        command, *observed = self._answer
        self._commands.publish(command)
        if observed:
            legs, state = observed
            self._legs.publish(legs)
            self.publish_state(state)

    def _is_ours(self, message: Any) -> bool:
        """Return whether joints are those of the robot; raise ValueError if they are another's."""
        theirs, ours = message.header.frame_id, self._gait.robot.name
        if theirs in ('', ours):
            return True
        # While a person changes the robot one node is ahead of the other.
        if self.now() - self._changed < CHANGING:
            return False
        raise ValueError(f'the joints are those of {theirs}, but the parameter robot says {ours}')

    def _reset(self, *_: Any) -> str:
        self.begin_afresh('reset')
        return 'begins afresh'

    def refusal(self, goal: WalkGoal) -> str:
        """Refuse what a biped cannot do, and to walk a robot that lies."""
        if self._fell:
            return f'the robot {self._fell}; set it up again first'
        return refusal(goal, turns=isinstance(self._gait, SpatialGait))

    def _time_of(self, stamp: int) -> float:
        """Return the time, s, since the last tick; a whole number of control steps is exact."""
        if self._answered < 0:
            return self._dt
        gap = (stamp - self._answered) * 1e-9
        ticks = min(MISSED, round(gap / self._dt))
        if ticks >= 1 and abs(gap - round(gap / self._dt) * self._dt) < 0.01 * self._dt:
            return ticks * self._dt
        self.warn_throttled(f'the senses come every {gap:g} s, but control_step is {self._dt:g} s')
        return min(gap, MISSED * self._dt)

    def _decide(self, stamp: int, joints: Any, body: Any, contacts: Any) -> None:
        self.note_state(stamp)
        dt = self._time_of(stamp)
        pose = Pose((self._way, 0.0, self._gait.parameters.height))
        command = self.operator.command(pose, self.now())
        own = self._gait.parameters.speed
        turns = isinstance(self._gait, SpatialGait)
        desired = command[0] if turns else max(0.0, command[0])
        # What the parameters are made for is left to them, to the last bit.
        speed = None if desired == own else desired
        before, tick, orders = self._walked(stamp, joints, body, contacts, dt, speed, command[2])
        lies = tick.memory.state == FALLEN
        self._answered, self._steps = stamp, self._steps + 1
        self._way += 0.0 if lies else tick.speed * dt
        if lies and not self._fell:
            walk = self.operator.walk
            way = self._way if walk is None else walk.distance
            self._fell = f'fell after {way:.2f} m in state {before.state}'
        right, left = contacts_from_msg(contacts, 2)
        step = record(tick, before, (right, left), self._way, self._fell)
        self._answer = (joint_orders_to_msg(stamp, orders),)
        # No observer misses how a state was left, nor a slip, which is short.
        slip = tick.memory.slip
        if self._observers.passes(stamp, at_once=bool(step.fired or slip.slip)):
            facts = [
                f'parameters for {self._values["ground"]} ground',
                f'speed of its own {own:g} m/s',
                str(slip),
            ]
            self._answer += (
                legs_to_msg(stamp, tick, desired),
                gait_step_to_msg(stamp, step, self._steps, facts, command),
            )
        if lies:
            self.rest(self._fell)
        self.count(step, stamp)

    def _walked(
        self, stamp: int, joints: Any, body: Any, contacts: Any, dt: float, speed: float | None,
        turn: float,
    ) -> tuple[WalkMemory, GaitTick, tuple[JointOrder, ...]]:  # fmt: skip
        """Decide once; return the memory before, the tick in the plane, and the orders.

        A robot that has walked already is not where a walk begins.
        """
        gait, memory = self._gait, self._memory
        if isinstance(gait, SpatialGait):
            senses = spatial_senses_from_msgs(joints, body, contacts, dt)
            if not isinstance(memory, SpatialMemory):
                memory = gait.recovered(senses) if stamp else gait.beginning()
            found = gait.tick(memory, senses, speed, turn)
            self._memory = found.memory
            return memory.walk, found.planar, found.orders
        felt = senses_from_msgs(joints, body, contacts, dt)
        if not isinstance(memory, WalkMemory):
            memory = gait.recovered(felt) if stamp else gait.beginning()
        tick = gait.tick(memory, felt, speed)
        self._memory = tick.memory
        return memory, tick, tick.orders

    def begin_afresh(self, why: str) -> None:
        """Forget the walk and every command: an old motion is never resumed."""
        self._memory = self._answer = None
        self._answered, self._steps, self._way, self._fell = -1, 0, 0.0, ''
        self.rest(f'superseded: {why}')

    def health(self) -> Health:
        """Return whether the robot lies, or what the walk waits for."""
        if self._fell:
            return WARN, f'the robot {self._fell}: biped_sim/reset sets it up again'
        return waiting(self._inputs, self._dt, SOURCES) or (OK, f'{self._steps} ticks')


def main() -> int:
    """Run the node as a process."""
    return run_node(BipedGaitNode)
