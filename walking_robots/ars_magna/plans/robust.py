"""Fetch a thing whatever chance does, from rooms that the robot has not seen.

What the hand holds is trusted only after a sequential test of fresh readings. Where nothing likely
is in view, the robot goes on along the walls, through every doorway that they lead to, and looks
around where it has not yet. Where they lead it around to where it was, it drives to the nearest
frontier of what its cameras have covered.
"""

import math
from collections.abc import Awaitable, Callable
from typing import Any

from walking_robots.ars_magna.agent.handles import Command, Designator
from walking_robots.ars_magna.agent.messages import LOCAL, NON_LOCAL
from walking_robots.ars_magna.agent.retrying import retry
from walking_robots.ars_magna.agent.robot import Robot
from walking_robots.ars_magna.codes import Code
from walking_robots.ars_magna.geometry.point import Point, distance
from walking_robots.ars_magna.plans.coverage import covered_by, way_to_frontier
from walking_robots.ars_magna.plans.errands import HOME
from walking_robots.ars_magna.plans.failing import NO_OBJECT_FOUND, PlanFailedError
from walking_robots.ars_magna.plans.fetch import sectors
from walking_robots.ars_magna.plans.looking import Recognizer
from walking_robots.ars_magna.plans.navigation import GridNavigator
from walking_robots.ars_magna.plans.wall_grid import Cell
from walking_robots.geometry.se2 import wrap

TRIES = 20
"""How often a step that chance spoils is tried again."""
SEARCHES = 400
"""Looks around before the program gives up."""
GRASPS = 6
"""Things that are tried at one spot."""
TESTED, DOUBTED = 40, 5
"""Looks around before the robot returns to what was wrong when tested, or was not found again."""
STEP = 4.0
"""Cells along the walls between two looks around."""

LookAgain = Callable[[], Awaitable[list[Designator]]]


async def fetch_robustly(robot: Robot, what: Any) -> None:
    """Bring what fits to where the robot is now; raise PlanFailedError where none is found."""
    await Worker(robot).bring(what)


class Worker:
    """A robot that finds, takes and carries things; with its best camera, hand and bin.

    navigator: says where it is; the origin is where it began.
    """

    def __init__(self, robot: Robot) -> None:
        """Begin here, knowing nothing of the world."""
        self.robot = robot
        self.eye = max(robot.cameras, key=lambda one: one.field_of_view)
        self.hand = max(robot.hands, key=lambda one: one.strength)
        self.bin = max(robot.bins, key=lambda one: one.free_capacity)
        self.navigator = GridNavigator(robot)
        self._covered: list[Point] = []
        self._unreached: list[Point] = []
        self._rejected: list[tuple[Point, float]] = []
        self._passed: list[tuple[Point, float]] = []
        self._found: list[Point] = []
        self._to_look_at: list[Point] = []
        self._looks = 0

    async def bring(self, what: Any, to: Point = HOME, looks: int = SEARCHES) -> None:
        """Find what fits, and lay it down where the robot began, or at another place."""
        for _ in range(TRIES):
            await self.take(what, looks)
            await self.carry_to(to)
            if await self.holds():
                await self.put_down()
                return
        raise PlanFailedError(Code.GRASP_LOST, 'bring')

    # Finding

    async def take(self, what: Any, looks: int = SEARCHES) -> None:
        """Find what fits and take it; raise PlanFailedError where nothing does.

        looks: around, without anything that is worth the way, before the robot gives up.
        """
        self._forget_looks()
        self._to_look_at = [*self._found]
        seeker, vain = Recognizer(self.eye, what), 0
        for _ in range(SEARCHES):
            if vain == looks:
                break
            await self.free_hands()
            candidate = await self.look_around(seeker)
            if candidate is None:
                vain += 1
                await self._explore()
            elif await self._approach(candidate, lambda: seeker.look(NON_LOCAL)):
                self._found.append(self.navigator.at)
                found = len(self._rejected)
                if await self._take_here(seeker):
                    return
                if len(self._rejected) == found:
                    self._reject(DOUBTED)
        raise PlanFailedError(NO_OBJECT_FOUND, 'take')

    async def look_around(self, seeker: Recognizer) -> Designator | None:
        """Look around; return what is likely the right thing."""
        self._covered.append(self.navigator.at)
        self._looks += 1
        for _ in range(sectors(self.eye)):
            for kind in (NON_LOCAL, LOCAL):
                if kind == LOCAL and self._is_rejected_here():
                    continue
                likely = await seeker.survey(kind, self._is_rejected)
                if likely:
                    return max(likely, key=lambda one: one.log_ratio).designator
            await self.eye.turn(self.eye.field_of_view)
        return None

    def leave_alone(self, place: Point) -> None:
        """Take no more interest in what is at a place."""
        self._rejected.append((place, math.inf))

    def _reject(self, looks: int) -> None:
        """Take no more interest in what is here, for so many looks around."""
        self._rejected.append((self.navigator.at, self._looks + looks))

    def _rejected_places(self) -> list[Point]:
        return [place for place, end in self._rejected if self._looks < end]

    def _is_rejected_here(self) -> bool:
        return any(distance(self.navigator.at, one) < 1.0 for one in self._rejected_places())

    def _is_rejected(self, angle: float) -> bool:
        """Return whether what is at an angle, relative to the heading, may have been rejected."""
        for place in self._rejected_places():
            way = distance(self.navigator.at, place)
            if abs(wrap(self.navigator.bearing_of(place) - angle)) < 0.05 + 0.7 / max(way, 1.0):
                return True
        return False

    async def _approach(self, goal: Designator, look_again: LookAgain) -> bool:
        """Go to what a designator means; return whether the robot is there.

        A lost track is taken up again where the camera still points. What cannot be tracked twice
        in a row is half hidden, and is looked at from beside.
        """
        side, found, failed = 1.0, goal, 0
        for attempt in range(1, TRIES + 1):
            if found.type == LOCAL:
                return True
            code: str = Code.LOST_TRACK
            failed += 1
            if await self.eye.track(found).started:
                failed = 0
                await self.navigator.set_speed(self.navigator.top_speed)
                code = (await self.robot.goto_designator(self.eye)).code
                await self.eye.untrack()
                self.navigator.note_leg()
            if code == Code.NIL:
                return True
            if code == Code.ROBOT_BLOCKED and await self._is_something_here():
                return True
            if code == Code.ROBOT_BLOCKED or failed == 2:
                failed = 0
                await self.navigator.sidestep(side * attempt)
                side = -side
            again = await self._again(look_again)
            if again is None:
                return False
            found = again
        return False

    async def _again(self, look_again: LookAgain) -> Designator | None:
        """Look again where the camera points; return what is nearest to its axis."""
        for _ in range(2):
            seen = await look_again()
            if seen:
                return min(seen, key=lambda one: abs(wrap(one.angle - self.eye.angle)))
        local = await self.eye.get_object_designator(LOCAL)
        found: Designator | None = local.value if local.ok else None
        return found

    async def _is_something_here(self) -> bool:
        """Return whether there is something within reach where the camera points."""
        return (await self.eye.get_object_designator(LOCAL)).ok

    # Exploring

    async def _explore(self) -> None:
        """Go to where the robot has not looked around yet.

        First to where it found other things before, and then on along the walls.
        Where these lead it around to where it was, it drives to the nearest frontier.
        """
        self._passed.clear()
        while self._to_look_at:
            place = min(self._to_look_at, key=lambda one: distance(self.navigator.at, one))
            self._to_look_at.remove(place)
            is_new = all(distance(place, one) > STEP / 2 for one in self._covered)
            if is_new and await self.navigator.return_to(place):
                return
        for _ in range(2 * len(self._covered) + 10):
            is_round = await self.go_on_along_walls()
            if all(distance(self.navigator.at, one) > STEP / 2 for one in self._covered):
                return
            if is_round:
                way = self._way_to_frontier()
                if way is None:
                    break
                goal = self.navigator.middle_of(way[-1])
                if await self.navigator.drive_through(way):
                    return
                self._unreached.append(goal)
        # All has been seen, and the thing was overlooked, or something came in the way.
        self._forget_looks()

    def _way_to_frontier(self) -> list[Cell] | None:
        """Return the way to the nearest frontier of what the looks around have covered."""
        cell_of, walls = self.navigator.cell_of, self.navigator.walls()
        covered = covered_by(map(cell_of, self._covered), walls)
        unreached = [cell_of(place) for place in self._unreached]
        return way_to_frontier(cell_of(self.navigator.at), covered, walls, unreached)

    def _forget_looks(self) -> None:
        """Take nothing for known of what is where, but for what is to be left alone."""
        self._covered.clear()
        self._unreached.clear()
        self._rejected = [(place, end) for place, end in self._rejected if end == math.inf]

    async def go_on_along_walls(self) -> bool:
        """Follow the walls for a step; return whether the robot has come by here this way."""
        await self.navigator.follow_walls(STEP)
        at, heading = self.navigator.at, self.navigator.heading
        is_round = any(
            distance(at, before) < STEP / 2 and abs(wrap(heading - course)) < math.pi / 4
            for before, course in self._passed
        )
        if is_round:
            self._passed.clear()
        self._passed.append((at, heading))
        return is_round

    # Handling

    async def _take_here(self, seeker: Recognizer) -> bool:
        """Take the right thing out of those within reach; return whether it is in the hand."""
        wrong = 0
        for _ in range(GRASPS):
            designator = await self.best_here(seeker)
            if designator is None:
                break
            code = await self.grasp(designator)
            if await self.holds():
                if await self.is_right(seeker):
                    return True
                await self.put_down()
                wrong += 1
            elif code in (Code.INSUFFICIENT_STRENGTH, Code.INSUFFICIENT_CAPACITY):
                self._reject(TESTED)
                return False
        if wrong:
            self._reject(TESTED)
        return False

    async def best_here(self, seeker: Recognizer) -> Designator | None:
        """Return what within reach is the right thing most likely, None where it is not there."""
        for _ in range(sectors(seeker.camera)):
            seen = await seeker.survey_here()
            if seen:
                return max(seen, key=lambda one: one.log_ratio).designator
            await seeker.camera.turn(seeker.camera.field_of_view)
        return None

    async def grasp(self, designator: Designator) -> str:
        """Grasp what is within reach; return the code."""
        if not await self.eye.track(designator).started:
            return Code.LOST_TRACK
        code = (await self.hand.grasp(self.eye, designator)).code
        await self.eye.untrack()
        return code

    async def holds(self) -> bool:
        """Return whether the hand feels something."""
        return (await self.hand.grasp_check()).code == Code.GRASPING

    async def is_right(self, seeker: Recognizer) -> bool:
        """Look at what the hand holds, in the bin where nothing else is in view."""
        await self.bin.open()
        inside = await self._try(lambda: self.hand.insert(self.bin)) and await self._try(
            lambda: self.eye.insert(self.bin)
        )
        is_right = inside and await seeker.holds_right_thing()
        await self.eye.remove()
        return is_right

    async def put_down(self) -> None:
        """Lay what the hand holds on the ground."""
        await self.hand.remove()
        await self.hand.ungrasp()

    async def free_hands(self) -> None:
        """Begin anew, whatever was under way: the camera is on the robot, the hand empty."""
        await self.eye.untrack()
        await self.eye.remove()
        if await self.holds():
            await self.put_down()

    async def _try(self, issue: Callable[[], Command]) -> bool:
        """Try a command again while chance spoils it; return whether it succeeded."""
        bumps = (Code.HAND_BUMP, Code.CAMERA_BUMP)
        return (await retry(self.robot, issue, *bumps, tries=TRIES, pause=0)).ok

    # Carrying

    async def carry_to(self, place: Point) -> None:
        """Drive to a place where the robot has been; raise PlanFailedError in vain."""
        for attempt in range(1, TRIES + 1):
            if await self.navigator.return_to(place, careful=attempt % 2 == 0):
                return
            if attempt <= 2:
                await self.navigator.pass_by(place, 1.0 if attempt == 1 else -1.0)
            else:
                # Along the walls there is a way to all that was reached along them.
                await self.navigator.follow_walls(attempt * STEP)
        raise PlanFailedError(Code.ROBOT_BLOCKED, 'carry')
