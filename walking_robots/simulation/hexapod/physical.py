"""A hexapod with masses, servos and contact forces, in MuJoCo.

It takes the place of the kinematic one: joint commands in; joints, body and foot switches out.
"""

import math
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from walking_robots.legs.driven import DrivenLegs
from walking_robots.legs.kinematics import leg_kinematics
from walking_robots.robots.articulated import LEGS, ArticulatedHexapod, Battery, Servo
from walking_robots.robots.model import HexapodModel
from walking_robots.simulation.engine import mujoco_engine
from walking_robots.simulation.hexapod.articulated import neutral_stand
from walking_robots.simulation.hexapod.battery import SimulatedBattery, check_charge
from walking_robots.simulation.hexapod.ground_contact import GroundContact
from walking_robots.simulation.hexapod.kinematic import KinematicHexapod
from walking_robots.simulation.hexapod.physical_model import (
    build_model,
    build_pantograph_model,
    pantograph_gains,
)
from walking_robots.simulation.hexapod.physical_parts import (
    GRAVITY,
    PUSH_TIME,
    Ground,
    PhysicsSettings,
)
from walking_robots.simulation.hexapod.servo_failures import (
    STUCK,
    WEAK,
    WEAK_SHARE,
    ServoFailure,
    parse_failure,
)
from walking_robots.simulation.hexapod.simulated import (
    Array,
    HexapodState,
    Legs,
    SimulatedHexapod,
    Stand,
)
from walking_robots.terrain.cells import TernaryTerrain
from walking_robots.terrain.forbidden_ground import sunk_ground
from walking_robots.terrain.level import LevelGround

SWITCH, OPEN = 0.02, 0.002
"""Forces, in weights of the robot, at which a foot switch closes, and opens again."""

FIRM = 0.05
"""Force of a foot onto the ground, in weights of the robot, from which on its friction counts."""

SETTLING = 0.5
"""Time, s, in which a robot comes to rest at the start."""

HOLE = 0.2
"""Depth of holes below a robot that walks by a periodic gait, in heights of its body."""

FALLEN = math.cos(math.radians(60.0))
"""Tilt of a body that has fallen, as the z part of its own upward direction."""


class LegLoads(NamedTuple):
    """What a robot bears.

    ``efforts`` (6, 3) are those of its joints, N m and N; ``forces`` (6, 3) those of the ground on
    its feet, N, odometry frame.
    """

    efforts: Array
    forces: Array


class PhysicalHexapod(SimulatedHexapod):
    """Steps a robot by forces.

    ``energy``, J, is the mechanical work of the servos so far, of which nothing is recovered;
    ``peak_torque``, N m, is the greatest of any that turns a joint; ``overload``, s, the longest
    time for which one was at its limit; ``friction`` lists, of each foot that stood firmly at the
    end of a step, the share of the force across the ground in that onto the ground; ``battery``
    feeds the servos, None where the robot's file says nothing of one.
    """

    def __init__(
        self,
        legs: Legs,
        stand: Stand,
        ground: Ground,
        model: Any,
        dt: float,
        settings: PhysicsSettings,
        servo: Servo,
        gains: ArrayLike = 1.0,
        battery: Battery | None = None,
        *,
        seed: int,
        depth: float = 0.0,
    ) -> None:
        """Stand the robot on the ground, at rest.

        model: of MuJoCo, its joints leg by leg after that of the body; dt: time of a step, s;
        servo: its delay and backlash; gains: what joint values are multiplied by for its
        coordinates, (6, 3) or one for all; seed: of the noise of its foot switches; depth: of
        holes, m, where the ground was compiled with soft or slippery cells.
        """
        check_charge(settings.battery, battery)
        self._mj = mujoco_engine()
        self._model = model
        self._data: Any = self._mj.MjData(model)
        self._gains = np.broadcast_to(gains, (LEGS, 3)).ravel()
        self._substeps = math.ceil(dt / model.opt.timestep - 1e-9)
        self._shares = (np.arange(self._substeps)[:, None] + 1.0) / self._substeps
        self._step_time = model.opt.timestep = dt / self._substeps
        self._turns = model.jnt_type[1:] == self._mj.mjtJoint.mjJNT_HINGE
        self.weight = float(model.body_mass.sum()) * GRAVITY
        self._contact = (
            GroundContact(model, ground, depth, self.weight)
            if isinstance(ground, TernaryTerrain) and ground.kinds is not None
            else None
        )
        self._settings, self._seed = settings, seed
        names = [model.joint(number).name for number in range(1, model.njnt)]
        self._failure = parse_failure(settings.fail, names) if settings.fail else None
        self._stuck: Array | None = None
        self._sent: Array = np.empty((0, 3 * LEGS))
        self._noise = np.random.default_rng(seed)
        self._strongest = model.actuator_forcerange[:, 1].copy()
        self._damping = model.dof_damping[6:]
        # An electric motor whose torque falls by d with each rad/s loses torque^2 / d in its
        # windings, standing still too; one without losses would give any torque at any speed.
        with np.errstate(divide='ignore'):
            self._loss = np.where(self._damping > 0.0, 1.0 / self._damping, 0.0)
        self._label, self._dt = battery, dt
        self._play = 0.5 * servo.backlash
        self._delay = round(servo.delay / self._step_time)
        self._forget()
        super().__init__(legs, stand, ground, touch=0.0)
        self._settle()

    def reset(self) -> HexapodState:
        """Put the robot back to its initial posture, at rest."""
        super().reset()
        self._settle()
        return self.state

    def inertial(self) -> tuple[Array, Array]:
        """Return the angular velocity, rad/s, and acceleration, m/s2, of the body, in its axes.

        The acceleration of a body at rest is that of gravity, upwards; (3,) each.
        """
        data = self._data
        upwards = data.qacc[:3] + np.array([0.0, 0.0, GRAVITY])
        return data.qvel[3:6].copy(), data.xmat[1].reshape(3, 3).T @ upwards

    @property
    def charge(self) -> float:
        """Return the charge of the battery as last reported, 0 ... 1, NaN where there is none."""
        return math.nan if self.battery is None else self.battery.reported

    @property
    def fell(self) -> bool:
        """Return whether the body lies on the ground or has turned over."""
        return float(self._data.xmat[1, 8]) < FALLEN or self._lies()

    @property
    def loads(self) -> LegLoads:
        """Return what joints and feet bear at the end of the last step."""
        # The sensor measures the force of the foot on the ground.
        efforts = self._data.actuator_force * self._gains
        return LegLoads(efforts.reshape(LEGS, 3), -self._data.sensordata.reshape(LEGS, 3))

    def hold(self) -> HexapodState:
        """Keep the set points of the joints for a step."""
        return self.step((self._sent[-1] / self._gains).reshape(LEGS, 3))

    def step(self, joints: Array) -> HexapodState:
        """Drive the joints, shape (6, 3), towards new set points for the time of a step."""
        data, before = self._data, self._sent[-1]
        wanted = joints.ravel() * self._gains
        points = before + (wanted - before) * self._shares
        # Of what was sent, the servos have not yet seen the newest.
        sent = np.concatenate((self._sent, points))
        points, self._sent = sent[1 : self._substeps + 1], sent[self._substeps :]
        if self._failure is not None:
            self._fail(self._failure, points)
        forces, speeds = np.empty_like(points), np.empty_like(points)
        for count, point in enumerate(points):
            data.ctrl[:] = point
            if self._play:
                # Within its play a joint is free.
                data.ctrl -= np.clip(point - data.qpos[7:], -self._play, self._play)
            if self._settings.push:
                self._push()
            self._mj.mj_step(self._model, data)
            if self._contact is not None:
                self._contact.act(data)
            forces[count], speeds[count] = data.actuator_force, data.qvel[6:]
        self._count(forces, speeds)
        self._measure_friction()
        self.state = self._measured()
        return self.state

    def _push(self) -> None:
        """Push the body if it is time to."""
        settings, time = self._settings, self._data.time - SETTLING
        force = settings.push * self.weight * (0.0 <= time - settings.push_at < PUSH_TIME)
        angle = settings.push_from
        self._data.xfrc_applied[1, :2] = (-force * math.cos(angle), -force * math.sin(angle))

    def _fail(self, failure: ServoFailure, points: Array) -> None:
        """Let servos fail if it is time to; ``points``: set points of the step, (n, 18)."""
        if self._data.time - SETTLING < self._settings.fail_at - 1e-9:
            return
        servos = list(failure.servos)
        if failure.kind == STUCK:
            if self._stuck is None:
                self._stuck = self._data.qpos[7:][servos]
            points[:, servos] = self._stuck
        else:
            share = WEAK_SHARE if failure.kind == WEAK else 0.0
            most = share * self._strongest[servos, None]
            self._model.actuator_forcerange[servos] = np.hstack((-most, most))

    def _forget(self) -> None:
        """Begin to measure anew."""
        self.energy = self.peak_torque = self.overload = 0.0
        self.friction: list[float] = []
        self._at_limit = np.zeros(3 * LEGS)
        label, charge = self._label, self._settings.battery
        self.battery = None if label is None else SimulatedBattery(label, charge, self._dt)

    def _count(self, forces: Array, speeds: Array) -> None:
        """Take in the forces and speeds of the servos in the steps of the simulation, (n, 18)."""
        given = forces - self._damping * speeds
        power = given * speeds
        self.energy += float(np.maximum(power, 0.0).sum()) * self._step_time
        if self.battery is not None:
            drawn = np.maximum(power + self._loss * given * given, 0.0)
            self.battery.draw(float(drawn.sum()) * self._step_time)
        self.peak_torque = max(self.peak_torque, float(np.abs(given[:, self._turns]).max()))
        at_limit = np.abs(forces) >= self._strongest
        if not at_limit.any():
            self._at_limit[:] = 0.0
            return
        for limited in at_limit:
            self._at_limit = (self._at_limit + self._step_time) * limited
            self.overload = max(self.overload, float(self._at_limit.max()))

    def _measure_friction(self) -> None:
        found = np.zeros(6)
        for contact in range(self._data.ncon):
            self._mj.mj_contactForce(self._model, self._data, contact, found)
            onto, *across = found[:3].tolist()
            if onto > FIRM * self.weight:
                self.friction.append(math.hypot(*across) / onto)

    def _settle(self) -> None:
        """Put the robot where the kinematic one begins, and let its servos take the weight."""
        data, state = self._data, self.state
        self._mj.mj_resetData(self._model, data)
        self._stuck, self._noise = None, np.random.default_rng(self._seed)
        self._model.actuator_forcerange = np.stack((-self._strongest, self._strongest), axis=1)
        if self._contact is not None:
            self._contact.reset()
        data.qpos[:3], data.qpos[3:7] = state.position, state.quaternion
        data.qpos[7:] = data.ctrl[:] = state.joints.ravel() * self._gains
        self._sent = np.tile(data.ctrl, (self._delay + 1, 1))
        self._mj.mj_step(self._model, data, round(SETTLING / self._step_time))
        self.state = self._measured()
        self._forget()

    def _lies(self) -> bool:
        body = self._model.geom('base_link').id
        pairs = self._data.contact.geom
        return bool((pairs == body).any())

    def _measured(self) -> HexapodState:
        data = self._data
        joints = (data.qpos[7:] / self._gains).reshape(LEGS, 3)
        x, y, z = data.qpos[:3].tolist()
        w, i, j, k = data.qpos[3:7].tolist()
        forces = np.linalg.norm(data.sensordata.reshape(LEGS, 3), axis=1)
        limits = np.where(self.state.contacts, OPEN, SWITCH) * self.weight
        if self._settings.switch_noise:
            forces += self._settings.switch_noise * self.weight * self._noise.standard_normal(LEGS)
        contacts = tuple((forces > limits).tolist())
        return HexapodState(joints, self._feet(joints), (x, y, z), (w, i, j, k), contacts)


def physical_articulated(
    robot: ArticulatedHexapod,
    ground: Ground,
    dt: float,
    settings: PhysicsSettings,
    *,
    x: float = 0.0,
    y: float = 0.0,
    seed: int = 1,
) -> PhysicalHexapod:
    """Stand a robot on its neutral feet, its body at (x, y), m; dt: time of a step, s.

    Holes are `HOLE` heights of the body deep.
    """
    depth = HOLE * robot.height
    world = ground if isinstance(ground, LevelGround) else sunk_ground(ground, depth)
    return PhysicalHexapod(
        DrivenLegs(robot),
        neutral_stand(robot, x, y),
        ground,
        build_model(robot, world, settings),
        dt,
        settings,
        robot.servo,
        battery=robot.battery,
        seed=seed,
        depth=depth,
    )


def physical_free(
    model: HexapodModel, terrain: TernaryTerrain, settings: PhysicsSettings, *, seed: int = 1
) -> PhysicalHexapod:
    """Stand a robot that walks by the free gait on its first feet.

    Holes are one lift deep.
    """
    links, dt = model.kinematics, model.timing.dt
    depth = model.timing.lift_height
    world = sunk_ground(terrain, depth)
    legs, stand = leg_kinematics(model), KinematicHexapod(model, terrain).stand
    battery = None
    if isinstance(links, ArticulatedHexapod):
        built, servo, gains = build_model(links, world, settings), links.servo, np.ones((LEGS, 3))
        battery = links.battery
    else:
        built, servo = build_pantograph_model(model, links, world, settings), Servo()
        gains = np.array(pantograph_gains(links))
    return PhysicalHexapod(
        legs, stand, terrain, built, dt, settings, servo, gains, battery, seed=seed, depth=depth
    )
