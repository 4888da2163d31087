"""Tasks of several goals: explore all, patrol, find the object that was moved (mdle.md §5.1)."""

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from walking_robots.geometry.se2 import ORIGIN, Pose2
from walking_robots.geometry.units import parse_angle, parse_length
from walking_robots.mdle.planner.cost_map import times_to
from walking_robots.mdle.planner.curves import spin
from walking_robots.mdle.planner.frontiers import (
    HYSTERESIS,
    Frontier,
    find_frontiers,
    soonest_within,
)
from walking_robots.mdle.planner.ground import UNKNOWN, KnownGround
from walking_robots.mdle.planner.motion_model import MotionModel
from walking_robots.mdle.planner.navigator import (
    BETWEEN_CONES,
    GOAL_DISTANCE,
    MARGINS,
    Navigator,
    PlannerDecision,
    with_clear_start,
)

VIEW = 0.8
"""From how far, m, a frontier is looked at: nearer than 1.6 m its walls are confirmed."""
VIEW_TOLERANCE = 0.25
"""How near such a place is near enough, m."""
SAME = 0.5
"""Distance, m, within which a frontier of the next map is the same one."""
LOOKS = 3
"""Rounds of the sensors at a frontier after which it is given up."""
OBJECT_DISTANCE = 0.7
"""Distance from the middle of an object, m, at which it counts as found."""
WATCH = 12
"""Rounds of the sensors for which the robot stands to see something move: some to learn what is
around it, some to see that a thing has left one place and stays at another; a choice."""


class PlannerTask(Protocol):
    """What the planner is to achieve; a `Navigator` is one, too."""

    def step(
        self, ground: KnownGround, pose: Pose2, elapsed: float | None, frame: Pose2 = ORIGIN
    ) -> PlannerDecision:
        """Return what to do after a round of the sensors, as `Navigator.step` does."""


@dataclass
class Patrol:
    """Go to places one after the other: name, pose, and whether its heading matters."""

    navigator: Navigator
    places: Sequence[tuple[str, Pose2, bool]]
    visited: int = field(init=False, default=0)

    def step(
        self, ground: KnownGround, pose: Pose2, elapsed: float | None, frame: Pose2 = ORIGIN
    ) -> PlannerDecision:
        """Return what to do; it ends at the last place, or where one cannot be reached."""
        decision = self.navigator.step(ground, pose, elapsed, frame)
        if decision.kind == 'unreachable':
            return PlannerDecision(
                'unreachable', f'{self.places[self.visited][0]}: {decision.text}'
            )
        if decision.kind != 'reached':
            return decision
        if self.visited + 1 == len(self.places):
            return PlannerDecision('reached', f'all {len(self.places)} places were visited')
        self.visited += 1
        self.navigator.retarget(*self.places[self.visited][1:])
        return self.step(ground, pose, elapsed, frame)


@dataclass
class TrustedArrival:
    """Ends a task only while the pose is trusted, which the owner of the navigator says.

    Otherwise the robot goes home and comes back to where it was: what it knows from the beginning
    of its way is drawn where it is, and seen again it says by how much the wheels slip.
    """

    task: PlannerTask
    navigator: Navigator
    home: Pose2
    _back: list[tuple[Pose2, bool]] = field(init=False, default_factory=list)

    def step(
        self, ground: KnownGround, pose: Pose2, elapsed: float | None, frame: Pose2 = ORIGIN
    ) -> PlannerDecision:
        """Return what to do; it ends as the task does."""
        if not self._back:
            decision = self.task.step(ground, pose, elapsed, frame)
            if decision.kind not in ('reached', 'unreachable') or self.navigator.trusted:
                return decision
            goal = self.navigator.goal, self.navigator.heading_matters
            self._back = [(pose, False), goal]
            self.navigator.retarget(self.home)
            return PlannerDecision('wait', 'the pose is not known well enough: home, and back')
        decision = self.navigator.step(ground, pose, elapsed, frame)
        if decision.kind not in ('reached', 'unreachable'):
            return decision
        self.navigator.retarget(*self._back.pop(0))
        return PlannerDecision('wait', 'goes back to where it was')


@dataclass
class Explore:
    """Look at all ground that the body can get to, then go home; or find what was moved.

    find: stand and watch, first where the robot is and then at each frontier, and end beside an
    object that was moved, as soon as its owner has set ``moved``, its place in the map, m;
    frontiers: what there is still to look at, the most useful one first; turning, turned: whether
    the robot turns round, which comes first, or has done so.
    """

    navigator: Navigator
    home: Pose2
    find: bool = False
    moved: tuple[float, float] | None = field(init=False, default=None)
    frontiers: list[Frontier] = field(init=False, default_factory=list)
    target: Frontier | None = field(init=False, default=None)
    given_up: list[tuple[float, float]] = field(init=False, default_factory=list)
    looks: int = field(init=False, default=0)
    watched: int = field(init=False, default=0)
    turning: bool = field(init=False, default=False)
    turned: bool = field(init=False, default=False)
    last: str = field(init=False, default='')

    def step(
        self, ground: KnownGround, pose: Pose2, elapsed: float | None, frame: Pose2 = ORIGIN
    ) -> PlannerDecision:
        """Return what to do; it ends at home, or beside the object."""
        if self.find and self.moved is not None:
            place = self._beside(self.moved, ground, pose)
            if self.last != 'object' or place.distance(self.navigator.goal) > VIEW_TOLERANCE:
                self._go_last('object', place, GOAL_DISTANCE)
        elif self.find and self.watched < WATCH:
            self.watched += 1
            return PlannerDecision('wait', 'watches for something that moves')
        if not self.turned and not self.last and self.navigator.model.spins:
            return self._turn(ground, pose, elapsed, frame)
        if not self.last:
            self._choose(ground, pose, 0.5 * VIEW_TOLERANCE if elapsed is None else SAME)
        decision = self.navigator.step(ground, pose, elapsed, frame)
        if self.last:
            return self._ended(decision)
        if decision.kind == 'reached':
            self.looks += 1
            if self.looks >= (WATCH if self.find else LOOKS):
                self._give_up()
            return PlannerDecision('wait', 'looks at what is not known')
        if decision.kind == 'unreachable' or self.navigator.stuck > LOOKS:
            self._give_up()
            return PlannerDecision('wait', 'this frontier cannot be reached')
        return decision

    def _turn(
        self, ground: KnownGround, pose: Pose2, elapsed: float | None, frame: Pose2
    ) -> PlannerDecision:
        """Turn round once; sensors that hear nothing at first may in other directions."""
        if elapsed is not None:
            self.turning = True
            return PlannerDecision('keep', 'turns round to look')
        self.looks += 1
        if self.turning or self.looks > LOOKS:
            self.turned, self.looks = True, 0
            return PlannerDecision('wait', 'has turned round')
        model = self.navigator.model
        around = ground.standing(pose, model.radius + BETWEEN_CONES)
        return self.navigator.look_by(spin(math.tau, model.turn), around, pose, frame)

    def _ended(self, decision: PlannerDecision) -> PlannerDecision:
        if decision.kind != 'reached':
            return decision
        if self.last == 'object':
            return PlannerDecision('reached', 'the object that was moved is here')
        if self.find:
            return PlannerDecision('unreachable', 'all is explored, and nothing was seen to move')
        return PlannerDecision(
            'reached', 'all that can be reached is known, and the robot is back'
        )

    def _go_last(self, what: str, goal: Pose2, near_enough: float) -> None:
        self.last, self.target, self.navigator.near_enough = what, None, near_enough
        self.navigator.retarget(goal)

    def _beside(self, place: tuple[float, float], ground: KnownGround, pose: Pose2) -> Pose2:
        """Return the place beside an object that is reached soonest, over unknown ground too."""
        model = self.navigator.model
        ground = ground.including(place, pose[:2]).fenced(self.navigator.area)
        costs = with_clear_start(ground.costs(model, MARGINS[0]), model, pose)
        seconds = times_to(costs, model, pose.x, pose.y)
        near = (OBJECT_DISTANCE - GOAL_DISTANCE) / ground.resolution
        found = soonest_within(np.array(costs.cell_of(*place)), seconds, near)
        return Pose2(*ground.centre_of(*found)) if found else Pose2(*place)

    def _give_up(self) -> None:
        if self.target is not None:
            self.given_up.append(self.target.middle)
        self.target, self.looks = None, 0

    def _choose(self, ground: KnownGround, pose: Pose2, moved: float) -> None:
        """Choose the frontier to look at; without one the robot goes home.

        moved: by how much, m, the place to look from must move to be gone to.
        """
        model = self.navigator.model
        ground = ground.standing(pose, model.radius).fenced(self.navigator.area)
        self.frontiers = [
            frontier
            for frontier in find_frontiers(ground, seconds_from(ground, model, pose), VIEW)
            if not any(math.dist(frontier.middle, place) < SAME for place in self.given_up)
        ]
        if not self.frontiers:
            self._go_last('home', self.home, GOAL_DISTANCE)
            return
        best = self.frontiers[0]
        same = [
            frontier
            for frontier in self.frontiers
            if self.target and math.dist(frontier.middle, self.target.middle) < SAME
        ]
        if same and same[0].utility > best.utility - HYSTERESIS:
            best = same[0]
            if math.dist(best[:2], self.navigator.goal[:2]) < moved:
                self.target = best
                return
        self.target, self.looks = best, 0
        self.navigator.near_enough = VIEW_TOLERANCE
        self.navigator.retarget(Pose2(best.x, best.y))


def seconds_from(ground: KnownGround, model: MotionModel, pose: Pose2) -> NDArray[np.float64]:
    """Return how long, s, the body needs from a pose to each cell over known free ground."""
    costs = with_clear_start(ground.costs(model, MARGINS[1]), model, pose)
    clearance = np.where(ground.classes == UNKNOWN, 0.0, costs.clearance)
    return times_to(replace(costs, clearance=clearance), model, pose.x, pose.y)


def parse_task(
    text: str, navigator: Navigator, home: Pose2, places: Mapping[str, Pose2]
) -> PlannerTask:
    """Return the task that a text asks for.

    Pose: '1.5,2' or '1.5,2,90deg'; a place by its name; 'return'; 'explore'; 'find'; 'patrol
    kitchen; 1,2'. Raises ValueError, one sentence, for anything else.
    """
    word, _, rest = text.strip().partition(' ')
    if word == 'explore' and not rest:
        return Explore(navigator, home)
    if word == 'find' and not rest:
        return Explore(navigator, home, find=True)
    if word == 'patrol':
        stops = [(name.strip(), *parse_place(name, home, places)) for name in rest.split(';')]
        navigator.retarget(*stops[0][1:])
        return Patrol(navigator, stops)
    navigator.retarget(*parse_place(text, home, places))
    return navigator


def parse_place(text: str, home: Pose2, places: Mapping[str, Pose2]) -> tuple[Pose2, bool]:
    """Return the pose that a text means, and whether its heading matters.

    Raises ValueError, one sentence, for a place that is not known.
    """
    text = text.strip()
    if text == 'return':
        return home, True
    if text in places:
        return places[text], False
    parts = [part.strip() for part in text.split(',')]
    if len(parts) in (2, 3) and re.match(r'[-+.\d]', parts[0]):
        try:
            x, y = (parse_length(part) for part in parts[:2])
            heading = parse_angle(parts[2]) if len(parts) == 3 else 0.0
        except ValueError as error:
            raise ValueError(f"'{text}' is not a place: {error}; write x,y or x,y,90deg") from None
        return Pose2(x, y, heading), len(parts) == 3
    known = ', '.join(sorted(places)) or 'none'
    raise ValueError(
        f"'{text}' is not a place; write x,y or x,y,90deg, return, or a known name ({known})"
    )
