"""The reference simulation: a robot that follows commands at once (mdle.md §8)."""

import math
from collections.abc import Sequence
from random import Random
from threading import Lock
from typing import NamedTuple

from walking_robots.geometry.differential_drive import Wheels
from walking_robots.geometry.se2 import ORIGIN, Pose2, Twist2, wrap
from walking_robots.mdle.robot import Observation, RobotSpec, StopMode, Value
from walking_robots.robots.super_scout import SUPER_SCOUT
from walking_robots.simulation.planar.bodies import EVEN, CollidingBody, FreeBody, PlanarBody
from walking_robots.simulation.planar.displacement_tracker import DisplacementTracker
from walking_robots.simulation.planar.integrators import POSE_INTEGRATORS
from walking_robots.simulation.planar.sonar import ALWAYS, EchoModel, Sonar
from walking_robots.virtual_robots.control_spaces import saturate, twist_of
from walking_robots.virtual_robots.scout import front_and_rear
from walking_robots.worlds.moving_disc import Disc, Jump, ScriptedDisc
from walking_robots.worlds.world import World

SECOND = 1_000_000_000
STEP = 10_000_000
"""Longest step of a motion among walls, ns."""
FOREVER = 1 << 62
STILL = 1e-6
"""Speed, m/s and rad/s, that is no motion but rounding, as of a robot that presses on a wall."""

_REST = Twist2()


class _Command(NamedTuple):
    begin: int
    end: int
    twist: Twist2


class KinematicRobot:
    """Moves exactly as it was last commanded, for as long as that is valid, and then rests.

    It knows no clock: time is what it is read at. Odometry is what its wheels did, which is
    the truth unless they slip; ``true_pose`` is where it is. In a world it is a round Scout
    that walls and an object hold; without one nothing is in its way.
    """

    def __init__(
        self,
        spec: RobotSpec,
        start: Pose2 = ORIGIN,
        *,
        integrator: str = 'exp',
        slip: float = 0.0,
        grip: Wheels | None = None,
        latency: float = 0.0,
        world: World | None = None,
        radius: float | None = None,
        beam_rays: int = 1,
        sonar_noise: float = 0.0,
        echo: EchoModel = ALWAYS,
        object_radius: float = 0.25,
        object_script: Sequence[Jump] = (),
        rng: Random | None = None,
    ) -> None:
        """Stand at ``start``.

        integrator: of motion in the plane, one of POSE_INTEGRATORS; slip: sigma of each wheel's
        share, drawn once from ``rng``, or ``grip``: both shares; latency: from a command to its
        effect, s; world, radius: walls, and the body that they hold, m, None for the Scout's;
        beam_rays: 1, or as many as make a sonar's cone; sonar_noise: sigma, as a share of the
        distance; echo: which surfaces its sonars hear; object_script: of an object of
        ``object_radius`` m, in s since the first reading.

        Raises ValueError for what cannot be: no room at the start, slip without wheels or rng.
        """
        if integrator not in POSE_INTEGRATORS:
            raise ValueError(
                f'{integrator!r} is no integrator; use one of {", ".join(POSE_INTEGRATORS)}'
            )
        if (slip or sonar_noise) and rng is None:
            raise ValueError('slip and noise need a generator of random numbers, rng')
        if slip and not spec.separation:
            raise ValueError(f'{spec.name} has no two wheels that could slip')
        rng = rng or Random(0)
        if grip is None:
            grip = Wheels(*(1.0 + rng.gauss(0.0, slip) for _ in range(2))) if slip else EVEN
        self._spec = spec
        self._integrate = POSE_INTEGRATORS[integrator]
        self._latency = round(latency * SECOND)
        self._object = ScriptedDisc(object_radius, object_script)
        self._displacement = DisplacementTracker()
        self._sonar: Sonar | None = None
        self._body: PlanarBody
        if world is None:
            self._body = FreeBody(start, self._integrate, grip, spec.separation)
        else:
            self._body = CollidingBody(world, SUPER_SCOUT, start, grip, radius)
            self._sonar = Sonar(world, SUPER_SCOUT.sonar, beam_rays, sonar_noise, rng, echo)
        self._front, self._rear = front_and_rear(SUPER_SCOUT)
        self._lock = Lock()
        self._commands: list[_Command] = []
        self._begin: int | None = None
        self._now = 0
        self._told, self._odometer = start, 0.0
        self._twist = self._applied = _REST

    @property
    def spec(self) -> RobotSpec:
        """Return what this robot offers."""
        return self._spec

    @property
    def true_pose(self) -> Pose2:
        """Return where the robot was when it was last read; the heading is not wrapped."""
        return self._body.pose

    @property
    def object(self) -> Disc | None:
        """Return where the object is, None where there is none."""
        return self._object.disc

    @property
    def fired(self) -> tuple[int, ...]:
        """Return the sonars that were fired since the reading before the last one."""
        return self._sonar.fired if self._sonar else ()

    def move_object(self, x: float, y: float) -> None:
        """Put the object somewhere, m; raises ValueError where the robot stands."""
        disc = self._object.at(x, y)
        if not self._body.has_room(disc):
            raise ValueError(f'the object does not fit at x {x:g} m, y {y:g} m: the robot')
        self._object.disc = disc
        self._meet_object(disc)

    def rebuild(self, world: World) -> None:
        """Change the walls of its world, as when a door closes.

        Raises ValueError where one would be in the body, and without a world.
        """
        if self._sonar is None or not isinstance(self._body, CollidingBody):
            raise ValueError('a robot without a world has no walls that could change')
        self._body.rebuild(world)
        self._sonar.rebuild(world)

    def read(self, now: int) -> Observation:
        """Move the robot up to ``now``, ns, and return its snapshot.

        Raises ValueError for a time before the last.
        """
        if self._begin is None:
            self._begin = self._now = now
            if self._sonar:
                self._sonar.begin(self._body.pose)
        if now < self._now:
            raise ValueError('a robot cannot be read at a time before the last')
        with self._lock:
            commands = list(self._commands)
        if self._sonar:
            self._sonar.begin_reading()
        while self._now < now:
            self._advance(commands, now)
        with self._lock:
            begun = sum(command.begin <= now for command in self._commands)
            del self._commands[: max(begun - 1, 0)]
        time, moving = (now - self._begin) / SECOND, not self.stopped()
        if self._object.step(time, moving, self._body.has_room) and self._object.disc:
            self._meet_object(self._object.disc)
        return self._observe(now, time, moving)

    def apply(self, space: str, control: tuple[float, ...], valid_for: float) -> None:
        """Take a control of ``body2`` or ``wheels2`` for ``valid_for`` s; ``none`` does nothing.

        What is beyond the limits of the space is made smaller, all channels alike. Raises
        ValueError for another space, a wrong number of values or one that is not finite.
        """
        if space == 'none':
            return
        if space not in self._spec.spaces:
            raise ValueError(f'{self._spec.name} has no space {space!r}')
        if not all(map(math.isfinite, control)):
            raise ValueError('a control must be finite numbers')
        within = saturate(self._spec.spaces[space], control)
        twist = twist_of(self._spec, space, within)
        self._give(Twist2(twist.v, twist.w), round(valid_for * SECOND))

    def stop(self, mode: StopMode = 'brake') -> None:
        """Rest at once, whatever the mode."""
        self._give(_REST, FOREVER)

    def stopped(self) -> bool:
        """Return whether the robot rested at the end of the last reading."""
        return abs(self._twist.v) < STILL and abs(self._twist.w) < STILL

    def _give(self, twist: Twist2, valid_for: int) -> None:
        with self._lock:
            begin = self._now + self._latency
            self._commands.append(_Command(begin, begin + valid_for, twist))
            self._applied = twist

    def _advance(self, commands: list[_Command], until: int) -> None:
        """Move to the next time at which the command changes, at most to ``until``, ns."""
        now = self._now
        twist = _REST
        for command in commands:
            if command.begin <= now:
                # The latest one counts, also where it is over.
                twist = command.twist if now < command.end else _REST
            for edge in (command.begin, command.end):
                if now < edge < until:
                    until = edge
        if self._sonar:
            until = min(until, now + STEP)
        dt = (until - now) / SECOND
        self._twist = self._body.move(twist, dt)
        self._told = self._integrate(self._told, self._twist, dt)
        self._odometer += abs(self._twist.v) * dt
        self._now = until
        if self._sonar and self._begin is not None:
            self._sonar.step(until - self._begin, self._body.pose)

    def _meet_object(self, disc: Disc) -> None:
        self._body.meet(disc)
        if self._sonar:
            self._sonar.meet(disc)

    def _observe(self, now: int, time: float, moving: bool) -> Observation:
        bumper, pose = self._body.bumper, self._told
        disc = self._object.disc
        displacement = self._displacement.step(
            time, moving, pose, (disc.x, disc.y) if disc else None
        )
        values: dict[str, Value] = {
            'pose': pose._replace(heading=wrap(pose.heading)),
            'twist.v': self._twist.v,
            'twist.w': self._twist.w,
            'odometer': self._odometer,
            'turn': pose.heading,
            'command.v': self._applied.v,
            'command.w': self._applied.w,
            'bumper.any': bumper != 0,
            'bumper.front': bool(bumper & self._front),
            'bumper.rear': bool(bumper & self._rear),
            'bumper.bits': float(bumper),
            'battery': 1.0,
            'estop': False,
            **displacement.values(),
        }
        stamps = dict.fromkeys(values, now)
        far = SUPER_SCOUT.sonar.far
        values['sonar'] = self._sonar.ranges if self._sonar else (far,) * SUPER_SCOUT.sonar.count
        stamps['sonar'] = (
            self._sonar.stamp + self._begin if self._sonar and self._begin is not None else now
        )
        known = [name for name in self._spec.outputs if name in values]
        return Observation(
            {name: values[name] for name in known}, {name: stamps[name] for name in known}
        )
