"""A biped in space in MuJoCo that takes joint orders and runs their servos."""

import math
from collections.abc import Callable, Sequence

from walking_robots.geometry.pose import Vector
from walking_robots.robots.impedance import LIMP, JointOrder
from walking_robots.robots.kwalk_spatial import SpatialKwalk
from walking_robots.simulation.biped.simulation import SWITCH_FORCE
from walking_robots.simulation.biped.spatial_build import SpatialGround, build_spatial_model
from walking_robots.simulation.biped.spatial_state import Eight, SpatialFootState, SpatialState
from walking_robots.simulation.biped.state import SimulationSettings
from walking_robots.simulation.engine import mujoco_engine
from walking_robots.terrain.step_field import StepField

FEET = ('rfoot', 'lfoot')
AT_REST: Vector = (0.0, 0.0, 0.0)


def height_of(ground: SpatialGround) -> Callable[[float, float], float]:
    """Return the function from x and y, m, to the height of a ground, m."""
    if isinstance(ground, StepField):
        return ground.height
    profile = ground.height
    return lambda x, y: profile(x)


class SpatialSimulation:
    """One robot on one ground. All that it is stands in `state`, and `restore` takes it back."""

    def __init__(
        self,
        robot: SpatialKwalk,
        ground: SpatialGround,
        settings: SimulationSettings,
        state: SpatialState,
    ) -> None:
        """Build the model and put the robot into a state.

        Raises ValueError for settings that only the planar robots have.
        """
        if settings.contact != 'native' or settings.delay or settings.servo_step:
            raise ValueError(
                f"{robot.name} has MuJoCo's contacts and servos without delay; "
                'leave out contact, delay and servo step'
            )
        self.robot, self.ground, self.settings = robot, ground, settings
        mj = mujoco_engine()
        self._step, self._kinematics = mj.mj_step, mj.mj_kinematics
        self._model = build_spatial_model(robot, ground, settings)
        self._data = mj.MjData(self._model)
        places = self._data.geom_xpos
        self._places = [
            places[mj.mj_name2id(self._model, mj.mjtObj.mjOBJ_GEOM, name)] for name in FEET
        ]
        self._state: SpatialState | None = None
        self.restore(state)

    @classmethod
    def standing(
        cls, robot: SpatialKwalk, ground: SpatialGround, settings: SimulationSettings,
        joints: Eight, *, heading: float = 0.0, velocity: Sequence[float] = (0.0,) * 14,
    ) -> 'SpatialSimulation':  # fmt: skip
        """Set a robot up at the origin, level, its lower foot on the ground.

        heading: rad, ccw from x; velocity: its 14 rates, zero for one at rest.
        """
        attitude = (math.cos(heading / 2.0), 0.0, 0.0, math.sin(heading / 2.0))
        state = SpatialState(0.0, (0.0, 0.0, 1.0), attitude, joints, tuple(velocity))
        found = cls(robot, ground, settings, state)
        height = height_of(ground)
        feet = found._places_of(state)
        above = min(z - robot.foot_radius - height(x, y) for x, y, z in feet)
        standing = state._replace(place=(0.0, 0.0, 1.0 - above))
        right, left = found._places_of(standing)
        found.restore(
            standing._replace(feet=(SpatialFootState(place=right), SpatialFootState(place=left)))
        )
        return found

    def _places_of(self, state: SpatialState) -> tuple[Vector, Vector]:
        """Return where the feet of a robot in a state are, m."""
        self._data.qpos[:] = (*state.place, *state.attitude, *state.joints)
        self._kinematics(self._model, self._data)
        right, left = (tuple(place.tolist()) for place in self._places)
        return (right, left)

    @property
    def state(self) -> SpatialState:
        """Return all of the robot."""
        if self._state is None:
            data = self._data
            qpos, qvel = data.qpos.tolist(), data.qvel.tolist()
            forces = data.sensordata.tolist()
            feet = []
            for place, first in zip(self._places, (0, 3), strict=True):
                x, y, z = forces[first : first + 3]
                feet.append(
                    SpatialFootState(
                        x * x + y * y + z * z > SWITCH_FORCE**2,
                        (-x, -y, -z),
                        tuple(place.tolist()),
                    )
                )
            self._state = SpatialState(
                self._time,
                tuple(qpos[:3]),
                tuple(qpos[3:7]),
                tuple(qpos[7:]),
                tuple(qvel),
                (feet[0], feet[1]),
                tuple(data.actuator_force.tolist()),
                tuple(data.qacc_warmstart.tolist()),
            )
        return self._state

    def restore(self, state: SpatialState) -> None:
        """Put the robot into a state; given the same orders it goes on as it did from there."""
        data = self._data
        data.time = state.time
        data.qpos[:] = (*state.place, *state.attitude, *state.joints)
        data.qvel[:] = state.velocity
        data.qacc_warmstart[:] = state.warm or 0.0
        data.qfrc_applied[:] = 0.0
        data.actuator_force[:] = state.efforts
        data.sensordata[:] = [-force for foot in state.feet for force in foot.force]
        for place, foot in zip(self._places, state.feet, strict=True):
            place[:] = foot.place
        self._steps = 0
        self._start = self._time = state.time
        self._state = None

    def advance(
        self,
        orders: Sequence[JointOrder] = (LIMP,) * 8,
        steps: int = 1,
        push: Vector = AT_REST,
    ) -> None:
        """Advance some steps of the physics; push: between the hips, N along world axes."""
        data, bias = self._data, self._model.actuator_biasprm
        data.ctrl[:] = [
            ahead + stiffness * position + damping * velocity
            for position, velocity, stiffness, damping, ahead in orders
        ]
        bias[:, 1] = [-order[2] for order in orders]
        bias[:, 2] = [-order[3] for order in orders]
        data.qfrc_applied[:3] = push
        self._step(self._model, data, steps)
        self._steps += steps
        self._time = self._start + self._steps * self.settings.step
        self._state = None
