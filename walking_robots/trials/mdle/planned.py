"""A simulated Scout finds its way through an unknown world: sensors, map, planner and executor.

All in simulated time (AC-46): the robot of `simulation/planar` with its ring of sonars, the
cartographer, the planner, and the executor that runs the planner's programs one after the other.
"""

import hashlib
import math
from collections.abc import Callable
from dataclasses import asdict, dataclass, replace
from random import Random
from typing import Any

import numpy as np

from walking_robots.geometry.differential_drive import Wheels
from walking_robots.geometry.se2 import Pose2, Twist2
from walking_robots.mdle.cartographer.cartographer import Cartographer, CartographerSettings
from walking_robots.mdle.cartographer.moved_object import Beam, MovedObject
from walking_robots.mdle.knowledge.functions import sector
from walking_robots.mdle.knowledge.library import standard_library
from walking_robots.mdle.planner.echoes import AHEAD, RingEchoes, sensor_pose
from walking_robots.mdle.planner.ground import ANYWHERE, Area, KnownGround
from walking_robots.mdle.planner.mission import (
    OBJECT_DISTANCE,
    Explore,
    TrustedArrival,
    parse_task,
)
from walking_robots.mdle.planner.motion_model import motion_model
from walking_robots.mdle.planner.navigator import Navigator, PlannerDecision
from walking_robots.mdle.robot import Observation
from walking_robots.mdle.runtime.settings import SECOND, ExecutorSettings
from walking_robots.mdle.session import Busy, RunHandle, RunRequest, Session
from walking_robots.robots.super_scout import SUPER_SCOUT
from walking_robots.simulation.planar.kinematic import KinematicRobot
from walking_robots.simulation.planar.sonar import EchoModel
from walking_robots.simulation.scout.body import TOUCH
from walking_robots.trials.mdle.changes import DOOR_TIME, WALKER, closed_at, walk
from walking_robots.virtual_robots.scout import scout_spec
from walking_robots.worlds.contact import nearest_wall
from walking_robots.worlds.distance_field import shortest_ways
from walking_robots.worlds.moving_disc import Jump
from walking_robots.worlds.random_worlds import HELD, PASSES, clearances, random_world
from walking_robots.worlds.world import World

ECHOES = {60: EchoModel(math.radians(60.0), 0.0), 25: EchoModel(math.radians(25.0), 0.1)}
"""By the greatest angle of incidence, degrees: a generous one, and that of the
emulator, in which one firing in ten gets its echo whatever the angle."""
NOISE = 0.02
"""Of a range, as a share (AC-49)."""
CONE = 9
"""Rays of a sonar."""
HARMLESS = 0.05
"""Speed, m/s, up to which a contact counts as sensing (AC-46)."""
REACHED = 0.15
"""Distance from the goal, m, by truth (AC-46)."""
AREA_MARGIN = 0.1
"""Room beyond the edges of the world, m, for a map that is drawn a little elsewhere."""
LONGEST_WALK = 900.0
"""Time, s, for which somebody walks about where a world changes."""
ROUND = round(len(SUPER_SCOUT.sonar.order) * SUPER_SCOUT.sonar.period * SECOND)
"""Of the ring, ns: after each the planner looks at the map."""


class SonarMapper:
    """The cartographer, fed by the ring of sonars, the bumper and odometry.

    moved: where something is in the map, m, that moved while the robot stood, None before.
    """

    def __init__(self, start: Pose2, slip: float) -> None:
        """Know nothing but the start; slip: greatest share, 0 where odometry is the truth."""
        self.cartographer = Cartographer(
            CartographerSettings(slip=slip, separation=SUPER_SCOUT.wheel_separation), start
        )
        self._bits = 0
        self._detector = MovedObject(far=SUPER_SCOUT.sonar.far)
        self.moved: tuple[float, float] | None = None

    def observe(self, seen: Observation, fired: tuple[int, ...], now: int) -> None:
        """Take in what the robot reports at a time, ns."""
        self.cartographer.move(now, seen.values['pose'])
        model = SUPER_SCOUT.sonar
        for number in fired:
            distance = float(seen.values['sonar'][number])
            self.cartographer.hear(
                now,
                number,
                sensor_pose(model, number),
                distance if distance < model.far else math.inf,
                0.5 * model.field_of_view,
                model.near,
            )
        bits = int(seen.values['bumper.bits'])
        if bits != self._bits:
            bumper = SUPER_SCOUT.bumper
            self.cartographer.touch(
                [bearing for bit, bearing in enumerate(bumper.bearings) if bits >> bit & 1]
            )
            self._bits = bits
        beams = [
            Beam(SUPER_SCOUT.sonar.bearing(number), float(distance), number in fired)
            for number, distance in enumerate(seen.values['sonar'])
        ]
        found = self._detector.step(now, seen.values['pose'], seen.values['twist.w'], beams)
        if found.valid:
            self.moved = (self.frame.inverse() @ Pose2(*found.position))[:2]

    @property
    def ground(self) -> KnownGround:
        """Return the map."""
        grid = self.cartographer.grid
        return KnownGround(
            grid.classes().copy(), grid.resolution, grid.origin, certain=grid.certain
        )

    @property
    def frame(self) -> Pose2:
        """Return where the map lies in the robot's odometry."""
        return self.cartographer.map_to_odom.inverse()

    @property
    def trusted(self) -> bool:
        """Return whether the pose is known to 0.1 m (2 sigma)."""
        return self.cartographer.trusted


@dataclass(frozen=True, eq=False)
class PlannedTrial:
    """A task in a world.

    task: as `parse_task` reads it, where ``goal`` is a place; slip: greatest share by which a
    wheel goes further or less far than it measures, drawn once; echo: key of ECHOES; limit: s;
    changes: whether somebody walks about and a door closes (``changes.py``); object_script: jumps
    of somebody in a world that does not change so; bounded: whether the planner knows how far the
    world extends, as the area that the robot may not leave.
    """

    world: World
    start: Pose2
    goal: Pose2
    reachable: bool
    narrowest_m: float
    best_path_m: float
    seed: int = 0
    slip: float = 0.0
    echo: int = 60
    limit: float = 1800.0
    task: str = 'goal'
    changes: bool = False
    object_script: tuple[Jump, ...] = ()
    bounded: bool = False

    @property
    def area(self) -> Area:
        """Return the area that the robot may not leave."""
        if not self.bounded:
            return ANYWHERE
        world, (x, y) = self.world, self.world.origin
        return Area(
            x - AREA_MARGIN,
            y - AREA_MARGIN,
            x + world.width + AREA_MARGIN,
            y + world.height + AREA_MARGIN,
        )


@dataclass(frozen=True)
class PlannedResult:
    """How it ended, by truth unless the name says otherwise.

    fast_contacts: touches of what the robot drove towards at more than 0.05 m/s; struck: touches
    of somebody who walked into it, towards whom it did not drive; narrowest_m: width of the
    narrowest place of the widest way; position_error_m: from the goal, or from the middle of an
    object that was to be found (null without one); pose_error_m: of the
    robot's own belief; best_path_m: None where no way leads; trace_sha256: of all poses, ranges
    and programs.
    """

    reachable: bool
    reached: bool
    said_unreachable: bool
    fast_contacts: int
    struck: int
    narrowest_m: float
    position_error_m: float
    pose_error_m: float
    time_s: float
    path_m: float
    best_path_m: float | None
    trace_sha256: str

    def plain(self) -> dict[str, Any]:
        """Return it as JSON holds it."""
        plain = asdict(self)
        if math.isinf(self.position_error_m):
            plain['position_error_m'] = None
        return plain


class _Observed:
    """A robot that keeps what it reported, and which sonars it fired meanwhile."""

    def __init__(self, robot: KinematicRobot) -> None:
        self._robot = robot
        self.spec = robot.spec
        self.apply, self.stop, self.stopped = robot.apply, robot.stop, robot.stopped
        self.seen = Observation({}, {})
        self.at = -1
        self.fired: tuple[int, ...] = ()

    def read(self, now: int) -> Observation:
        """Return the snapshot of a time, ns; asked for again it is the same."""
        if now != self.at:
            self.seen, self.fired, self.at = self._robot.read(now), self._robot.fired, now
        return self.seen


def random_trial(seed: int, **options: Any) -> PlannedTrial:
    """Return the trial of a seed's own world."""
    found = random_world(seed, SUPER_SCOUT.radius)
    return PlannedTrial(
        found.world,
        found.start,
        Pose2(*found.goal),
        found.reachable,
        found.narrowest_m,
        found.best_path_m,
        seed,
        **options,
    )


def world_trial(
    world: World, goal: Pose2, seed: int, radius: float = SUPER_SCOUT.radius, **options: Any
) -> PlannedTrial:
    """Return the trial of a world from a file, with what is true of its goal.

    radius: of the robot, m. Raises ValueError for a goal beside the map.
    """
    gaps = clearances(world.filled, world.cell)
    begin, end = (
        (
            round((place.y - world.origin[1]) / (0.5 * world.cell)),
            round((place.x - world.origin[0]) / (0.5 * world.cell)),
        )
        for place in (world.start, goal)
    )
    if not (0 <= end[0] < gaps.shape[0] and 0 <= end[1] < gaps.shape[1]):
        raise ValueError(f'the goal at x {goal.x:g} m, y {goal.y:g} m lies beside the map')
    low, high = 0.0, float(min(gaps[begin], gaps[end]))
    while high - low > 0.002:
        middle = 0.5 * (low + high)
        way = shortest_ways((gaps >= middle).astype(np.float32), begin, corners=False)[end]
        low, high = (middle, high) if np.isfinite(way) else (low, middle)
    best = shortest_ways((gaps >= radius).astype(np.float32), begin)[end]
    return PlannedTrial(
        world,
        world.start,
        goal,
        bool(np.isfinite(best)),
        2.0 * low,
        float(best) * 0.5 * world.cell,
        seed,
        **options,
    )


Watch = Callable[['PlannedRun', PlannerDecision | None], None]


class PlannedRun:
    """One task, tick by tick."""

    def __init__(self, trial: PlannedTrial) -> None:
        """Stand at the start; nothing is known yet."""
        rng, chance = Random(trial.seed), Random(trial.seed + 1)
        grip = Wheels(*(1.0 + rng.uniform(-trial.slip, trial.slip) for _ in range(2)))
        spec = scout_spec()
        self.trial, self.mapper = trial, SonarMapper(trial.start, trial.slip)
        self.robot = KinematicRobot(
            spec,
            trial.start,
            grip=grip,
            world=trial.world,
            beam_rays=CONE,
            sonar_noise=NOISE,
            echo=ECHOES[trial.echo],
            object_radius=WALKER,
            object_script=walk(trial.world, trial.start, chance, LONGEST_WALK)
            if trial.changes
            else trial.object_script,
            rng=rng,
        )
        self._door_at = chance.uniform(*DOOR_TIME) if trial.changes else math.inf
        self.settings = ExecutorSettings()
        self._observed = _Observed(self.robot)
        self.session = Session(self._observed, standard_library(), self.settings)
        self.navigator = Navigator(
            motion_model(spec, SUPER_SCOUT.radius),
            trial.goal,
            nearest=spec.outputs['sonar'].low,
            area=trial.area,
        )
        places = {'goal': trial.goal}
        task = parse_task(trial.task, self.navigator, trial.start, places)
        self.task = TrustedArrival(task, self.navigator, trial.start)
        self.now, self.path, self.fast_contacts, self.struck = 0, 0.0, 0, 0
        self.handle: RunHandle | None = None
        self.believed = trial.start
        self._echoes = RingEchoes(SUPER_SCOUT.sonar)
        self.decisions: list[tuple[float, str, str]] = []
        self._trace = hashlib.sha256()
        self._due = ROUND
        self._bumper, self._speed = 0, 0.0

    def run(self, watch: Watch | None = None) -> PlannedResult:
        """Go on until the planner says how it ended, or the time is over."""
        ended: PlannerDecision | None = None
        self.said = 'the time was over'
        while ended is None and self.now < self.trial.limit * SECOND:
            decision = self.tick()
            if watch:
                watch(self, decision)
            if decision and decision.kind in ('reached', 'unreachable'):
                ended = decision
                self.said = f'{decision.kind}: {decision.text}'
        return self._result(ended)

    def tick(self) -> PlannerDecision | None:
        """Do one tick; return what the planner decided in it, None where it was not asked."""
        before = self.robot.true_pose
        if self.now >= self._door_at * SECOND:
            self._close_door()
        self.session.tick(self.now)
        seen = self._observed.read(self.now)
        self.mapper.observe(seen, self._observed.fired, self.now)
        self.believed = self.mapper.frame.inverse() @ seen.values['pose']
        self._note(before, seen)
        decision = None
        # What failed is planned anew with the next round, which knows more.
        result = self.handle.result if self.handle else None
        ended = result is not None and result.succeeded
        fresh = self.now >= self._due
        if self._is_approached(seen) or fresh or ended:
            self.navigator.fresh = fresh
            decision = self._decide(seen)
        if fresh:
            self._due += ROUND
        self.now += self.settings.period
        return decision

    def _is_approached(self, seen: Observation) -> bool:
        """Return whether a sonar that was just fired hears something that came near."""
        approached = False
        for number in self._observed.fired:
            distance = float(seen.values['sonar'][number])
            arc = self._echoes.hear(number, distance, self.believed, self.now / SECOND)
            approached |= self.navigator.check_echoes(arc, self.believed, self._elapsed)
        return approached

    @property
    def _elapsed(self) -> float | None:
        """Return for how long, s, the program of the planner has run, None for none."""
        if self.handle is None or self.handle.result is not None:
            return None
        return (self.now - self.session.executor.context.begun) / SECOND

    def _close_door(self) -> None:
        """Close the narrowest place ahead, unless what is left is a toss of a coin (AC-46).

        A robot in the way keeps it open.
        """
        self._door_at = math.inf
        trial, here = self.trial, self.robot.true_pose
        closed = closed_at(trial.world, SUPER_SCOUT.radius, here, trial.goal)
        if closed is None:
            return
        after = world_trial(replace(closed, start=here), trial.goal, trial.seed)
        room = 0.5 * after.narrowest_m - SUPER_SCOUT.radius
        if -HELD < room < PASSES:
            return
        try:
            self.robot.rebuild(closed)
        except ValueError:
            return
        self.trial = replace(
            trial,
            world=closed,
            reachable=after.reachable,
            narrowest_m=min(trial.narrowest_m, after.narrowest_m),
        )

    def _decide(self, seen: Observation) -> PlannerDecision | None:
        handle = self.handle
        if handle and handle.result is None and handle is not self.session.current:
            return None
        elapsed, pose = self._elapsed, self.believed
        running = elapsed is not None
        if running:
            # Where the robot will be when another program takes over.
            pose = pose @ _ahead(seen, self.settings.tick_period)
        self.navigator.ahead = min(sector(seen.values['sonar'], 0.0, AHEAD))
        self.navigator.echoes = self._echoes.arcs
        self.navigator.trusted = self.mapper.trusted
        if isinstance(self.task.task, Explore):
            self.task.task.moved = self.mapper.moved
        decision = self.task.step(self.mapper.ground, pose, elapsed, self.mapper.frame)
        if decision.kind == 'run' and decision.plan:
            source = decision.plan.program.source
            self._trace.update(source.encode())
            self.handle = self.session.submit(RunRequest(source, on_busy=Busy.TAKE_OVER), self.now)
            refused = self.handle.result
            assert refused is None, f'{refused}\n{source}'
        elif running and handle and decision.kind != 'keep':
            self.session.cancel(handle)
        elif not running and decision.kind == 'wait':
            self.handle = None
        self.decisions.append((self.now / SECOND, decision.kind, decision.text))
        return decision

    def _note(self, before: Pose2, seen: Observation) -> None:
        """Count the way and the contacts of a tick, by truth; the planner feels them as well."""
        true = self.robot.true_pose
        self.path += before.distance(true)
        bumper = int(seen.values['bumper.bits'])
        if bumper & ~self._bumper:
            self._judge_contact(true)
        if bumper and not self._bumper:
            self.navigator.touch(self.believed)
        self._bumper, self._speed = bumper, float(seen.values['command.v'])
        self._trace.update(np.array([*true, *seen.values['sonar']]).tobytes())

    def _judge_contact(self, true: Pose2) -> None:
        """Count a new contact by whether the robot drove towards what it touches."""
        walker = self.robot.object
        gap, bearing = walker.near(true.x, true.y) if walker else (math.inf, 0.0)
        touched = gap - SUPER_SCOUT.radius <= TOUCH
        towards = self._speed * math.cos(bearing - true.heading)
        wall, _ = nearest_wall(self.trial.world, true.x, true.y, SUPER_SCOUT.radius + TOUCH)
        # A wall that is touched as well is a contact of the robot's own making.
        if touched and towards <= HARMLESS and math.isinf(wall):
            self.struck += 1
        elif abs(self._speed) > HARMLESS:
            self.fast_contacts += 1

    def _result(self, ended: PlannerDecision | None) -> PlannedResult:
        trial, true = self.trial, self.robot.true_pose
        off, near_enough = true.distance(trial.goal), REACHED
        if isinstance(self.task.task, Explore) and self.task.task.find:
            thing = self.robot.object
            off = math.dist(true[:2], (thing.x, thing.y)) if thing else math.inf
            near_enough += OBJECT_DISTANCE
        return PlannedResult(
            trial.reachable,
            off <= near_enough and ended is not None and ended.kind == 'reached',
            ended is not None and ended.kind == 'unreachable',
            self.fast_contacts,
            self.struck,
            trial.narrowest_m,
            off,
            self.believed.distance(true),
            self.now / SECOND,
            self.path,
            trial.best_path_m if math.isfinite(trial.best_path_m) else None,
            self._trace.hexdigest(),
        )


def _ahead(seen: Observation, time: float) -> Pose2:
    """Return the pose to which the robot moves within a time, s, in its own axes."""
    v, w = seen.values['twist.v'], seen.values['twist.w']
    return Pose2().advance(Twist2(v, w), time)
