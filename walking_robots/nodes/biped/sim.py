"""The simulated biped: joint commands in; joints, pitch, foot switches, forces and time out."""

import math
from typing import Any

from walking_robots_interfaces.msg import JointCommand
from walking_robots_interfaces.srv import Push

from walking_robots.gaits.biped.controller import BipedGait
from walking_robots.gaits.biped.parameter_files import load_sets, shipped_sets, spatial_set
from walking_robots.gaits.biped.spatial.controller import SpatialGait
from walking_robots.gaits.biped.spatial.senses import posture
from walking_robots.nodes.biped.conversions import NAMES, joint_orders_from_msg
from walking_robots.nodes.biped.sim_publisher import BipedPublisher
from walking_robots.nodes.common.conversions import stamp_from_msg
from walking_robots.nodes.common.health import WARN, Health
from walking_robots.nodes.common.node import ConfigurationError, one_of
from walking_robots.nodes.common.running import run_node
from walking_robots.nodes.common.stepped_sim import SteppedSim
from walking_robots.robots.impedance import LIMP, JointOrder
from walking_robots.robots.kwalk import KWALKS
from walking_robots.robots.kwalk_spatial import SPATIAL_KWALKS, has_tumbled
from walking_robots.simulation.biped.disturbances import SmallDisturbances
from walking_robots.simulation.biped.simulation import BipedSimulation
from walking_robots.simulation.biped.spatial_simulation import SpatialSimulation, height_of
from walking_robots.simulation.biped.state import SimulationSettings
from walking_robots.trials.biped.ground import find_ground, ground_class
from walking_robots.trials.biped.spatial_ground import FoundGround, find_spatial_ground

INSIDE, TOPIC = SERVOS = ('inside', 'topic')
LIMP_AFTER = 0.1
"""Simulated time, s, without a command after which a free-running robot goes limp."""

LOST = 1e5
"""Way from the origin, m, beyond which a robot is lost."""

STRONGEST, LONGEST = 1000.0, 10.0
"""Bounds of a push: N and s."""


class BipedSim(SteppedSim):
    """Steps a biped; the foot switches are what the controller acts on.

    The servos run in the physics, between two commands, or outside of it, on a topic.
    """

    answers_from = 'biped_gait'

    def __init__(self, **options: Any) -> None:
        """Set the robot up on its ground."""
        super().__init__('biped_sim', **options)
        declare = self.parameter
        self._values: dict[str, Any] = {
            'robot': declare(
                'robot', 'b', 'the robot: a with prismatic, b with revolute knees, b3d in space',
                check=one_of('robot', (*KWALKS, *SPATIAL_KWALKS)),
            ),
            'terrain': declare('terrain', 'level', 'level, rough, slope:20deg ..., or a file'),
            'seed': declare('seed', 0, 'of rough ground, 0: thesis; in space of all that disturbs',
                low=0, high=2**31 - 1),
            'params': declare('params', 'tuned', 'parameters whose first posture it takes'),
            'slope_heading': declare(
                'slope_heading', 0.0, 'in space: where slopes lead up, to the left of ahead',
                'rad', low=-6.3, high=6.3,
            ),
            'friction': declare('friction', 1.0, 'friction of the contacts', low=0.05, high=10.0),
        }  # fmt: skip
        sets = declare('sets', '', 'file of parameters; empty: those shipped', fixed=True)
        contact = declare(
            'contact', 'native', 'springs of the thesis or contacts of MuJoCo',
            check=one_of('contact', ('thesis', 'native')), fixed=True,
        )  # fmt: skip
        physics = declare(
            'time_step', 0.0, 'of the physics; 0: as suits the contact', 's',
            low=0.0, high=0.01, fixed=True,
        )  # fmt: skip
        delay = declare('delay', 0.0, 'from sensors to effort', 's', low=0.0, high=0.1, fixed=True)
        control = declare(
            'control_step', 0.004, 'between two commands', 's', low=1e-4, high=0.1, fixed=True
        )
        servo = declare(
            'servo', INSIDE, 'where servos run: inside the physics, or on a topic in joint_servo',
            check=one_of('servo', SERVOS), fixed=True,
        )  # fmt: skip
        self._x: float = declare(
            'start_x', 0.0, 'x at which the robot is set up', 'm', low=-1e3, high=1e3, fixed=True
        )
        try:
            self._sets = load_sets(sets) if sets else shipped_sets()
            self._settings: dict[str, Any] = {
                'contact': contact, 'time_step': physics or None, 'delay': delay,
            }  # fmt: skip
            self._ground, self._simulation = self._made(self._values)
        except ValueError as error:
            raise ConfigurationError(f'biped_sim: {str(error).rstrip(".")}.') from error
        self._candidate = (self._ground, self._simulation)
        self._controlled = (self._simulation.state, 0)
        step = self._simulation.settings.step
        self._steps = max(1, round(control / step))
        if abs(self._steps * step - control) > 1e-9:
            raise ConfigurationError(
                f'biped_sim: control_step must be a multiple of the time step of {step:g} s.'
            )
        self._outside = servo == TOPIC
        self._stale = 0
        self._forget()
        self._messages = BipedPublisher(self)
        topic = 'joint_effort' if self._outside else 'joint_command'
        self.listen(JointCommand, topic, self._command)
        self.provide(Push, '~/push', self._pushed)
        if self._outside:
            self.answers_from = 'biped_gait and joint_servo'
            self._steps_now = 1
        else:
            self._steps_now = self._steps
        self.serve(step * self._steps_now)
        self._messages.ground(self._ground.ground, self._simulation.state.place)
        self.begin()

    def _made(
        self, values: dict[str, Any]
    ) -> tuple[FoundGround, BipedSimulation | SpatialSimulation]:
        """Set a robot up; raise ValueError for values that make none."""
        letter, terrain, seed = values['robot'], values['terrain'], values['seed']
        settings = SimulationSettings(friction=values['friction'], **self._settings)
        if letter in SPATIAL_KWALKS:
            found = find_spatial_ground(terrain, seed)
            robot = SPATIAL_KWALKS[letter]
            kind = ground_class(found.kind, settings.friction)
            parameters = spatial_set(self._sets, letter, values['params'], kind)
            self._disturbances = SmallDisturbances(seed)
            return found, SpatialSimulation.standing(
                robot, found.ground, settings, SpatialGait(robot, parameters).start_joints,
                heading=-values['slope_heading'],
                velocity=self._disturbances.start_velocity(),
            )  # fmt: skip
        ground = find_ground(terrain, seed)
        planar = KWALKS[letter]
        kind = ground_class(ground.kind, settings.friction)
        _, numbers = self._sets.find(letter, values['params'], kind)
        joints = BipedGait(planar, numbers).start_joints
        return FoundGround(*ground), BipedSimulation.standing(
            planar, ground.profile, settings, joints, self._x
        )

    # What comes in

    def _command(self, message: Any) -> None:
        if self.expects(stamp_from_msg(message)):
            self.take(joint_orders_from_msg(message, self._names))

    def _pushed(self, request: Any, _: Any) -> str:
        force, duration = request.force, request.duration
        if not (abs(force) <= STRONGEST and 0.0 < duration <= LONGEST):
            raise ValueError(f'push by at most {STRONGEST:g} N for at most {LONGEST:g} s')
        if request.direction and isinstance(self._simulation, BipedSimulation):
            raise ValueError('a planar robot is pushed forward or, by less than 0 N, backward')
        self._push = (force, request.direction, self._simulation.state.time + duration)
        return f'pushed by {force:g} N for {duration:g} s'

    def changing(self, values: Any) -> None:
        """Set up the robot that new values ask for; raise ValueError to refuse them."""
        super().changing(values)
        wanted = self._values | {key: values[key] for key in values if key in self._values}
        if wanted != self._values:
            self._candidate = self._made(wanted)
            self._values = wanted

    def changed(self) -> None:
        """Go on with the robot that has been set up."""
        super().changed()
        if self._candidate[1] is not self._simulation:
            self._ground, self._simulation = self._candidate
            self._forget()
            self._messages.ground(self._ground.ground, self._simulation.state.place)
            self.begin()

    def _forget(self) -> None:
        self._names = NAMES[len(self._simulation.state.joints)]
        self._orders: tuple[JointOrder, ...] = (LIMP,) * len(self._names)
        self._stale = 0
        self._push = (0.0, 0.0, 0.0)

    # What a simulation does

    def stands(self) -> bool:
        """Return that there is a robot."""
        return True

    def restart(self) -> None:
        """Set the robot up again."""
        self._ground, self._simulation = self._made(self._values)
        self._candidate = (self._ground, self._simulation)
        self._forget()

    def advance(self, answer: Any) -> None:
        """Step the robot; without a new command the last one stays valid for a while."""
        if answer is not None:
            self._orders, self._stale = answer, 0
        else:
            self._stale += 1
            if self._stale * self._steps_now * self._simulation.settings.step > LIMP_AFTER:
                self._orders = (LIMP,) * len(self._names)
        self._step_robot()
        if not all(abs(value) < LOST for value in self._simulation.state.place):
            self.warn_throttled(
                f'sets the robot up again, which left the {LOST:g} m that are simulated'
            )
            self.restart()

    def _step_robot(self) -> None:
        """Step the robot with the force that pushes it."""
        simulation, (force, direction, end) = self._simulation, self._push
        time = simulation.state.time
        pushed = force if time < end else 0.0
        if isinstance(simulation, BipedSimulation):
            simulation.advance(self._orders, self._steps_now, pushed)
            return
        x, y, z = self._disturbances.force(time)
        if pushed:
            _, _, heading = posture(simulation.state.attitude)
            x += pushed * math.cos(heading + direction)
            y += pushed * math.sin(heading + direction)
        simulation.advance(self._orders, self._steps_now, (x, y, z))

    @property
    def _control_is_due(self) -> bool:
        control = round(self._steps * self._simulation.settings.step * 1e9)
        return bool(self.stamp % control == 0)

    def show(self, stamp: int) -> None:
        """Publish joints, pitch, body and forces, where the controller is due."""
        state = self._simulation.state
        if self._control_is_due:
            self._controlled = (state, stamp)
            self._messages.sense(state, stamp, self._simulation.robot.name)
            self._messages.show(state, stamp)
            self._messages.near(self._ground.ground, state.place)

    def invite(self, stamp: int) -> None:
        """Publish what servos and controller act on."""
        state = self._simulation.state
        if self._outside:
            self._messages.invite_servo(state, stamp, self._simulation.robot.name)
        if self._control_is_due:
            self._messages.invite(state, stamp)

    def repeat(self) -> None:
        """Publish the present state again, and what the orders of servos on a topic answer."""
        state, stamp = self._controlled
        if self.goes and stamp != self.stamp:
            self._messages.sense(state, stamp, self._simulation.robot.name)
            self._messages.invite(state, stamp)
        super().repeat()

    def health(self) -> Health:
        """Return whether the robot lies, or what the simulation waits for."""
        state = self._simulation.state
        x, y, z = state.place
        roll, pitch, _ = posture(state.attitude)
        if has_tumbled(z - height_of(self._ground.ground)(x, y), roll, pitch):
            return WARN, f'the robot lies at x = {x:.2f} m: ~/reset sets it up again'
        return super().health()


def main() -> int:
    """Run the node as a process."""
    return run_node(BipedSim)
