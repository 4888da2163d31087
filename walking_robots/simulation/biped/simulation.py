"""A planar biped in MuJoCo that takes joint orders and runs their servos (biped.md §13)."""

from collections import deque
from collections.abc import Sequence

from walking_robots.robots.impedance import LIMP, JointOrder
from walking_robots.robots.kwalk import Kwalk
from walking_robots.simulation.biped.build import build_model
from walking_robots.simulation.biped.feet import drop, foot_kinematics, foot_place
from walking_robots.simulation.biped.springs import SpringGround
from walking_robots.simulation.biped.state import (
    BipedFootState,
    BipedState,
    SimulationSettings,
    resting,
)
from walking_robots.simulation.engine import mujoco_engine
from walking_robots.terrain.profile import HeightProfile

Orders = tuple[JointOrder, JointOrder, JointOrder, JointOrder]
Four = tuple[float, float, float, float]

SWITCH_FORCE = 0.5
"""N; from which on a foot switch closes on MuJoCo's contacts (§13)."""


class BipedSimulation:
    """One robot on one ground. All that it is stands in `state`, and `restore` takes it back."""

    def __init__(
        self,
        robot: Kwalk,
        ground: HeightProfile,
        settings: SimulationSettings,
        state: BipedState,
    ) -> None:
        """Build the model and put the robot into a state."""
        self.robot, self.ground, self.settings = robot, ground, settings
        mj = mujoco_engine()
        self._step = mj.mj_step
        self._model = build_model(robot, ground, settings)
        self._data = mj.MjData(self._model)
        self._qpos, self._qvel = self._data.qpos, self._data.qvel
        self._joints, self._rates = self._qpos[3:], self._qvel[3:]
        self._foot, self._place = foot_kinematics(robot), foot_place(robot)
        self._springs = SpringGround(ground.height, settings.penetration)
        self._native = settings.contact == 'native'
        self._dt = settings.step
        self._every = max(1, round(settings.servo_step / settings.step))
        self._late = round(settings.delay / (self._every * settings.step))
        self._state: BipedState | None = None
        self.restore(state)

    @classmethod
    def standing(
        cls, robot: Kwalk, ground: HeightProfile, settings: SimulationSettings, joints: Four,
        x: float = 0.0,
    ) -> 'BipedSimulation':  # fmt: skip
        """Set a robot up at x, m, level and at rest, its lower foot on the ground."""
        z = ground.height(x) + drop(robot, joints)
        return cls(robot, ground, settings, resting(joints, z, x=x))

    @property
    def state(self) -> BipedState:
        """Return all of the robot."""
        if self._state is None:
            self._state = self._measured()
        return self._state

    def _measured(self) -> BipedState:
        """Return all of the robot, from MuJoCo's data."""
        qpos, qvel = self._data.qpos.tolist(), self._data.qvel.tolist()
        return BipedState(
            self._time,
            qpos[0],
            qpos[1],
            qpos[2],
            (qpos[3], qpos[4], qpos[5], qpos[6]),
            tuple(qvel),
            self._feet_now(qpos),
            tuple(self._data.actuator_force.tolist()),
            tuple(self._waiting),
            tuple(self._data.qacc_warmstart.tolist()) if self._native else (),
        )

    def restore(self, state: BipedState) -> None:
        """Put the robot into a state; given the same orders it goes on as it did from there."""
        data = self._data
        data.time = state.time
        data.qpos[:] = (state.x, state.z, state.pitch, *state.joints)
        data.qvel[:] = state.velocity
        data.qacc_warmstart[:] = state.warm or 0.0
        data.qfrc_applied[:] = 0.0
        data.ctrl[:] = data.actuator_force[:] = state.efforts
        self._steps = 0
        self._start = self._time = state.time
        self._feet = state.feet
        self._waiting: deque[Four] = deque(state.waiting)
        self._state = None

    def advance(
        self, orders: Sequence[JointOrder] = (LIMP,) * 4, steps: int = 1, push: float = 0.0
    ) -> None:
        """Advance some steps of the physics; push: at the hips, N forward."""
        data, model, step = self._data, self._model, self._step
        native, late, waiting = self._native, self._late, self._waiting
        joints, rates, ctrl, applied = self._joints, self._rates, data.ctrl, data.qfrc_applied
        # The law of `walking_robots.robots.impedance`, without a call for each joint and step.
        (q1, r1, k1, d1, e1), (q2, r2, k2, d2, e2) = orders[:2]
        (q3, r3, k3, d3, e3), (q4, r4, k4, d4, e4) = orders[2:]
        if native:
            applied[0] = push
        for _ in range(steps):
            if not self._steps % self._every:
                a, b, c, d = joints.tolist()
                u, v, w, x = rates.tolist()
                waiting.append((
                    e1 + k1 * (q1 - a) + d1 * (r1 - u),
                    e2 + k2 * (q2 - b) + d2 * (r2 - v),
                    e3 + k3 * (q3 - c) + d3 * (r3 - w),
                    e4 + k4 * (q4 - d) + d4 * (r4 - x),
                ))  # fmt: skip
                if len(waiting) > late:
                    ctrl[0], ctrl[1], ctrl[2], ctrl[3] = waiting.popleft()
            if not native:
                applied[:] = self._ground_forces(push)
            step(model, data)
            self._steps += 1
        self._time = self._start + self._steps * self._dt
        self._state = None

    def _ground_forces(self, push: float) -> list[float]:
        """Touch the ground with both feet and give its forces on the seven coordinates."""
        qpos, qvel = self._qpos.tolist(), self._qvel.tolist()
        x, z, pitch = qpos[:3]
        x_rate, z_rate, pitch_rate = qvel[:3]
        found = [push, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0]
        feet = []
        for foot, hip in zip(self._feet, (3, 5), strict=True):
            at = self._foot(pitch + qpos[hip], qpos[hip + 1])
            turning, knee_rate = pitch_rate + qvel[hip], qvel[hip + 1]
            touched = self._springs.touch(
                foot,
                x + at.x,
                z + at.z,
                x_rate + at.x_hip * turning + at.x_knee * knee_rate,
                z_rate + at.z_hip * turning + at.z_knee * knee_rate,
            )
            feet.append(touched)
            if touched.contact:
                force_x, force_z = touched.force_x, touched.force_z
                about_hip = at.x_hip * force_x + at.z_hip * force_z
                found[0] += force_x
                found[1] += force_z
                found[2] += about_hip
                found[hip] = about_hip
                found[hip + 1] = at.x_knee * force_x + at.z_knee * force_z
        self._feet = (feet[0], feet[1])
        return found

    def _feet_now(self, qpos: list[float]) -> tuple[BipedFootState, BipedFootState]:
        """Return both feet with the forces of the last step."""
        if not self._native:
            return self._feet
        x, z, pitch, right_hip, right_knee, left_hip, left_knee = qpos
        right_x, _, right_z, left_x, _, left_z = self._data.sensordata.tolist()
        right = self._place(pitch + right_hip, right_knee)
        left = self._place(pitch + left_hip, left_knee)
        return (
            BipedFootState(
                right_x * right_x + right_z * right_z > SWITCH_FORCE**2,
                -right_x, -right_z, x + right[0], z + right[1],
            ),
            BipedFootState(
                left_x * left_x + left_z * left_z > SWITCH_FORCE**2,
                -left_x, -left_z, x + left[0], z + left[1],
            ),
        )  # fmt: skip
