"""Lead a robot to a pose over ground that is known in part, program by program (mdle.md §5.1).

Unknown ground counts as free for the way, and as blocked for what is driven now: each program is
the prefix of the way on known ground, at the speed of the stop rule. The map of every round of the
sensors decides whether the program that runs goes on or another one takes its place.
"""

import math
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from walking_robots.geometry.se2 import ORIGIN, Pose2, Screw2, wrap
from walking_robots.mdle.planner.approach_detector import ApproachDetector
from walking_robots.mdle.planner.atom_selection import AtomSelection, standard_atoms
from walking_robots.mdle.planner.confirmation import NEAR, Confirmation
from walking_robots.mdle.planner.cost_map import (
    CAREFUL,
    CREEP,
    CostMap,
    down_from,
    times_to,
)
from walking_robots.mdle.planner.curves import spin
from walking_robots.mdle.planner.ground import ANYWHERE, FREE, UNKNOWN, Area, KnownGround
from walking_robots.mdle.planner.lattice import WEIGHTS, Lattice, LatticePath
from walking_robots.mdle.planner.motion_model import ConstantMotion, MotionModel
from walking_robots.mdle.planner.primitives import primitives
from walking_robots.mdle.planner.program_text import PlannedProgram, write_program
from walking_robots.mdle.planner.safety import (
    UNTRUSTED,
    Commitment,
    commit,
    room_along,
    room_beside,
)

MARGINS = (0.06, 0.02, -0.04)
"""Room round the body, m, that a way may be planned with; with the
last one only confirmed cells block it; found in random worlds."""
UNKNOWN_SHARE, GOALWARD_ROUNDS = 0.1, 90
"""Share of its time for which unknown ground counts, so that what is near the robot is looked at
first, where walls leave no way with a margin, or after so many rounds of the sensors. Choices,
measured in docs/planner.md."""
BETWEEN_CONES = 0.1
"""Ground beside the body, m, that counts as free until something is heard there: what lies between
the cones of two sensors so near is narrower than 8 cm."""
MARGIN_FACTORS = (1.0, 1.1, 1.3)
"""By how much, as a factor, a way with a smaller margin must be shorter to be taken; measured in
docs/planner.md."""
EXPLAINED, EXPLAINED_SHARE = 0.05, 0.05
"""Distance from an occupied cell within which it explains an echo: m, a cell, and a share of the
arc's width, for the noise of its range."""
SLACKS = (0.02, 0.02, 0.05)
"""By how much, m, the body may reach into cells that are not known to be free, by level: the blur
of a cell's border and of the echoes that drew it; with the last one it creeps."""
DEADLINE = 0.2
"""For the improvement of a way, s (mdle.md §5.1)."""
START_REACH = 0.4
"""Distance, m, within which a robot may be nearer to a wall than the margin where it stands."""
GOAL_DISTANCE, GOAL_TURN = 0.08, math.radians(5.0)
"""How near the goal, m and rad, the robot has reached it."""
CUT_OFF_ROUNDS = 6
"""Rounds of the sensors for which a goal must be cut off before it is said; a choice."""
SOON = 2.0
"""Time, s, before a program slows down at which a longer one may take its place."""
GAIN, SAVING = 0.2, 1.0
"""By how much, m, it must be longer, or, s, be quicker."""
LOOKS, LOOKS_WITHIN = 8, 0.5
"""Rounds in which the robot looks for ground that leads on, and the distance, m, within which;
from then on what stops it there counts as a wall until it is seen to be free; a choice."""
RESPONSE_TIME = 1.0
"""Time, s, within which something that comes near may be touched: that until it is heard again."""
WALKING_SPEED = 0.5
"""Speed of who may come towards the robot, m/s; a choice, a little more than an office stroll."""
NARROW_ROUNDS = 40
"""Looks at the map for which the robot may try to get through with the smallest margin, without
leaving LOOKS_WITHIN, until it is the same: it creeps that far in 11 s; a choice."""
TOUCH_ROUNDS = 14
"""For how many of them a contact counts: what is touched three times is no way; a choice."""
TOUCHES = 3
"""After so many contacts with its middle in one cell the body cannot be there, even where the map
shows room for it and the robot has looked in vain; a choice."""
BACK_OFF_ROUNDS = 3
"""Looks at the map for which a program that has touched something is not replaced: it backs off
by 10 cm in 2.2 s."""
REDRAWN = 0.025
"""By how much, m, the robot is elsewhere in a map than odometry leads if that map was drawn anew:
half a cell."""
PATIENCE, PATIENCE_PER_AREA = 600, 8.0
"""Rounds of the sensors, and rounds for each m2 that is certainly free: the robot looks for a way
for the longer of both, 576 s up to 75 m2, within the 10 minutes of AC-46; choices."""
LEAST_WAY = 0.03
"""Shortest prefix, m, that is worth a program."""
BACK = 0.1
"""How far, m, the robot backs off to look again."""
LOOK = math.radians(9.0)
"""Turn, rad, between looks: sensors 22.5 degrees apart look along five sets of directions before
the first one comes again; measured in docs/planner.md."""

Ways = tuple[CostMap, NDArray[np.float64]]
"""A map and the time, s, from each of its cells to the goal."""
Kind = Literal['keep', 'run', 'reached', 'unreachable', 'wait']


@dataclass(frozen=True, eq=False)
class MotionPlan:
    """A way to a goal and what of it is driven now.

    level: index of MARGINS.
    """

    way: LatticePath
    now: Commitment
    program: PlannedProgram
    level: int


@dataclass(frozen=True)
class PlannerDecision:
    """What to do: ``keep`` the program that runs, ``run`` another, or say how it ended."""

    kind: Kind
    text: str = ''
    plan: MotionPlan | None = None


@dataclass
class Navigator:
    """Leads one robot to one goal.

    nearest: shortest range of its sonars, m, None without any; has_contact: whether it feels
    contacts; deadline: s for improvements of a way, 0 for the first way only; clock: s, by which
    that counts; near_enough: m from the goal at which it is reached; trusted: whether the robot
    is where it is believed to be; ahead: shortest range that the sensors ahead report now, m;
    echoes: (n, k, 2), m, places of the map from which each echo of late may have come: the robot
    creeps past those that the map does not explain; fresh: whether a round of the sensors has
    ended since the last step; atoms: what programs are written with; area: that the robot may not
    leave.
    """

    model: MotionModel
    goal: Pose2
    heading_matters: bool = False
    nearest: float | None = None
    has_contact: bool = True
    deadline: float = math.inf
    clock: Callable[[], float] = time.perf_counter
    atoms: AtomSelection | None = None
    area: Area = ANYWHERE
    lattice: Lattice = field(init=False)
    confirmation: Confirmation = field(init=False, default_factory=Confirmation)
    approaches: ApproachDetector = field(init=False, default_factory=ApproachDetector)
    near_enough: float = GOAL_DISTANCE
    trusted: bool = True
    ahead: float = math.inf
    echoes: NDArray[np.float64] = field(default_factory=lambda: np.empty((0, 1, 2)))
    fresh: bool = True
    plan: MotionPlan | None = field(init=False, default=None)
    _ground: KnownGround | None = field(init=False, default=None)
    _unexplained: NDArray[np.float64] = field(init=False, default_factory=lambda: np.empty((0, 2)))
    _frame: Pose2 = field(init=False, default=ORIGIN)
    retargeted: bool = field(init=False, default=False)
    _rounds: int = field(init=False, default=0)
    _trusted_rounds: int = field(init=False, default=0)
    cut_off_rounds: int = field(init=False, default=0)
    stuck: int = field(init=False, default=0)
    _touches: list[Pose2] = field(init=False, default_factory=list)
    _older_touches: int = field(init=False, default=0)
    _back_off_rounds: int = field(init=False, default=0)
    _looks: int = field(init=False, default=0)
    _narrow_rounds: int = field(init=False, default=0)
    _looked_from: Pose2 = field(init=False, default=ORIGIN)

    def __post_init__(self) -> None:
        """Prepare the primitives, and take the standard library where no atoms are given."""
        self.atoms = self.atoms or standard_atoms(self.model.spaces)
        self.lattice = Lattice(self.model, primitives(self.model))

    def at_goal(self, pose: Pose2) -> bool:
        """Return whether a pose is the goal."""
        return pose.distance(self.goal) < self.near_enough and (
            not self.heading_matters or abs(wrap(pose.heading - self.goal.heading)) < GOAL_TURN
        )

    def retarget(self, goal: Pose2, heading_matters: bool = False) -> None:
        """Take another goal; the program that runs is replaced as soon as there is a way."""
        self.goal, self.heading_matters = goal, heading_matters
        self.cut_off_rounds = self.stuck = self._rounds = self._trusted_rounds = 0
        self.retargeted = self.plan is not None

    def touch(self, pose: Pose2) -> None:
        """Take in that the robot has just touched something where it is."""
        self._touches.append(pose)
        self._back_off_rounds = BACK_OFF_ROUNDS
        self._narrow_rounds += TOUCH_ROUNDS

    def check_echoes(self, arcs: NDArray[np.float64], pose: Pose2, elapsed: float | None) -> bool:
        """Take in echoes that were just heard; return whether to ask at once what to do.

        That is so if somebody may be approaching, or if the robot would soon pass what the map
        does not explain faster than it creeps. arcs: (n, k, 2), m, places from which each may have
        come; elapsed: as in `step`.
        """
        if self._ground is None or not len(arcs):
            return False
        soon, drives, near = pose, False, False
        if elapsed is not None and self.plan is not None:
            soon = self.plan.program.pose_at(elapsed + self.model.delay)
            drives = abs(self.plan.now.speed_within(elapsed, RESPONSE_TIME)) > 1.1 * CREEP
            new = self._not_in(self._ground, arcs)
            near = self._passes_fast(self.plan.program, new, elapsed, RESPONSE_TIME)
        # Whoever walks faster than the robot drives meets it there, if anywhere on its way.
        reach = self.model.radius + WALKING_SPEED * self.model.delay
        return self.approaches.detect(self._ground, soon, reach, arcs, drives=drives) or near

    def step(
        self, ground: KnownGround, pose: Pose2, elapsed: float | None, frame: Pose2 = ORIGIN
    ) -> PlannerDecision:
        """Return what to do after a round of the sensors, or after a program has ended.

        elapsed: s for which the program of the last decision has run, None where none runs;
        pose: where the robot is, or will be when a program can begin; frame: of the map in the
        robot's odometry.
        """
        if elapsed is None and self.at_goal(pose):
            return PlannerDecision(
                'reached', f'the goal is {100 * pose.distance(self.goal):.0f} cm off'
            )
        last_map = frame.inverse() @ self._frame
        if self.plan is not None and frame != self._frame:
            program = self.plan.program.seen_from(last_map)
            self.plan = replace(self.plan, program=program)
        self._frame = frame
        drawn = ground
        if drawn.confirmed is None:
            self.confirmation.lay_out(drawn)
            if (last_map.inverse() @ pose).distance(pose) > REDRAWN:
                self.confirmation.forget_doubtful(drawn)
                self._touches.clear()
                self._older_touches = 0
            ground = self.confirmation.confirmed(drawn, pose, self.goal, self.model.radius)
        marked = ground
        ground = ground.including(pose[:2], self.goal[:2])
        ground = ground.standing(pose, self.model.radius + BETWEEN_CONES)
        # Who comes from beyond the area is heard as well.
        self._ground = ground
        self._trusted_rounds += self.fresh and self.trusted
        if self.fresh:
            self.approaches.next_round()
        if self.approaches.stands:
            return PlannerDecision('wait', 'something moves near the robot')
        self._unexplained = self._not_in(ground, self.echoes)
        ground = ground.fenced(self.area)
        self._rounds += self.fresh
        trouble = 'on the way'
        if elapsed is None:
            self._back_off_rounds = 0
        elif self.plan is not None:
            if self._back_off_rounds:
                # The program answers the contact, and ends then.
                self._back_off_rounds -= self.fresh
                return PlannerDecision('keep')
            trouble = self._trouble(ground, self.plan, elapsed)
            left = self.plan.now.swift - elapsed
            if not trouble and not self.retargeted and (self.plan.now.whole or left > SOON):
                return PlannerDecision('keep')
        ways_left = self.ways_left(ground, pose)
        reason = self.cut_off(ways_left, pose)
        self.cut_off_rounds = self.cut_off_rounds + self.fresh if reason else 0
        if self.cut_off_rounds >= CUT_OFF_ROUNDS:
            if not self._reopen(drawn, marked, pose):
                return PlannerDecision('unreachable', reason)
            self.cut_off_rounds = 0
        if pose.distance(self._looked_from) > LOOKS_WITHIN:
            self._looks, self._narrow_rounds, self._looked_from = 0, 0, pose
        plan = self._planned(ground, pose, frame, ways_left)
        if plan is not None and plan.level == len(MARGINS) - 1:
            self._narrow_rounds += self.fresh
            if self._narrow_rounds > NARROW_ROUNDS:
                self._narrow_rounds = 0
                self._close(ground, pose)
        if not (plan and plan.now.whole) and (reason := self._lost_patience(drawn)):
            return PlannerDecision('unreachable', reason)
        if elapsed is None:
            return self._run(plan, trouble) if plan else self._look(ground, pose, frame)
        if trouble or self.retargeted:
            why = trouble or 'another goal'
            return self._run(plan, why) if plan else PlannerDecision('wait', why)
        if plan is None or not self._gains(plan.now, elapsed):
            return PlannerDecision('keep')
        return self._run(plan, 'more of the way is known')

    def _lost_patience(self, ground: KnownGround) -> str:
        """Return why the robot looks no longer for a way, '' as long as it does."""
        area = float(np.count_nonzero(ground.sure == FREE)) * ground.resolution**2
        if self._trusted_rounds < max(PATIENCE, PATIENCE_PER_AREA * area):
            return ''
        return f'no way was found in {area:.0f} m2, and to look at all that is left takes too long'

    def _reopen(self, drawn: KnownGround, marked: KnownGround, pose: Pose2) -> bool:
        """Forget the walls on a way to the goal that the map shows as free now.

        They were seen to be free from farther away than NEAR: the robot looks at them again.
        drawn, marked: the map without and with what is confirmed. Returns whether there are any.
        """
        free = drawn.classes == FREE
        firm = replace(marked, confirmed=marked.beyond_doubt & ~free)
        firm = firm.including(pose[:2], self.goal[:2]).fenced(self.area)
        costs, times = ways_left = self.ways_left(firm, pose)
        if self.cut_off(ways_left, pose):
            return False
        found = np.zeros(free.shape, np.bool_)
        for cell in down_from(times, *costs.cell_of(pose.x, pose.y)):
            found |= marked.within(firm.centre_of(*cell), self.model.radius)
        found &= marked.beyond_doubt & free
        self.confirmation.way[found] = 0.0
        return bool(found.any())

    def _not_in(self, ground: KnownGround, arcs: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return places (n, 2), m, on the arcs of echoes that no occupied cell explains."""
        clearance = ground.costs(self.model, 0.0).clearance_at(arcs[..., 0], arcs[..., 1])
        width = np.linalg.norm(arcs[:, 0] - arcs[:, -1], axis=-1, keepdims=True)
        unexplained = (clearance > EXPLAINED + EXPLAINED_SHARE * width).all(axis=1)
        return np.asarray(arcs[unexplained].reshape(-1, 2))

    def _run(self, plan: MotionPlan, text: str) -> PlannerDecision:
        self.stuck, self.retargeted = 0, False
        self.plan = plan
        return PlannerDecision('run', text, plan)

    def _look(self, ground: KnownGround, pose: Pose2, frame: Pose2) -> PlannerDecision:
        """Look at the ground from other directions: turn, or back off, or only wait a round."""
        self.stuck += self.fresh
        self._looks += self.fresh
        if self._looks >= LOOKS:
            self._older_touches = len(self._touches)
            self._close(ground, pose)
        moves: tuple[ConstantMotion, ...] = ()
        if self.fresh and self.stuck % 5 == 0 and self.model.reverse:
            moves = (ConstantMotion(Screw2(-CREEP, 0.0, 0.0), BACK / CREEP),)
        elif self.fresh and self.stuck > 1 and self.model.spins:
            moves = spin(LOOK if self.stuck % 4 else 0.5 * math.pi, self.model.turn)
        return self.look_by(moves, ground, pose, frame)

    def _close(self, ground: KnownGround, pose: Pose2) -> None:
        """Take for a wall what stops the robot on its way: looking has not made it known.

        What it does not know farther away than NEAR does not stop it.
        """
        costs, times = self.ways_over(ground, pose, len(MARGINS) - 1, UNKNOWN_SHARE)
        doubtful = ground.distance((ground.classes != FREE) & ~ground.beyond_doubt)
        for row, column in down_from(times, *costs.cell_of(pose.x, pose.y)):
            if doubtful[row, column] < self.model.radius - SLACKS[-1]:
                x, y = ground.centre_of(row, column)
                if math.hypot(x - pose.x, y - pose.y) <= NEAR:
                    self.confirmation.close(ground, x, y, self.model.radius)
                return

    def look_by(
        self, moves: tuple[ConstantMotion, ...], ground: KnownGround, pose: Pose2, frame: Pose2
    ) -> PlannerDecision:
        """Look at the ground while the robot does some moves; without any, or room, it waits."""
        if not moves:
            return PlannerDecision('wait', 'no ground that leads on is known yet')
        costs = ground.costs(self.model, MARGINS[-1], confirmed=True)
        now = commit(self._known(ground, costs), self.model, pose, moves, SLACKS[-1])
        if not now.moves:
            return PlannerDecision('wait', 'no ground that leads on is known yet')
        program = write_program(
            now.moves, pose, self.model, has_contact=self.has_contact,
            title='Looks at the ground from another direction.', entry='look', frame=frame,
            atoms=self.atoms,
        )  # fmt: skip
        way = LatticePath(pose, now.moves, now.seconds, 1.0, 0)
        self.plan = MotionPlan(way, replace(now, whole=True), program, len(MARGINS) - 1)
        return PlannerDecision('run', 'look from another direction', self.plan)

    def _gains(self, other: Commitment, elapsed: float) -> bool:
        """Return whether another program leads further than the one that runs, or is quicker."""
        assert self.plan
        left, seconds = 0.0, self.plan.now.seconds - elapsed
        for move in self.plan.now.moves:
            if elapsed < move.duration:
                left += move.length * (1.0 - max(elapsed, 0.0) / move.duration)
            elapsed -= move.duration
        return other.length > left + GAIN or (
            other.length > left - LEAST_WAY and other.seconds < seconds - SAVING
        )

    def _trouble(self, ground: KnownGround, plan: MotionPlan, elapsed: float) -> str:
        """Return why what is left of the program must not be driven on this map, '' if it may."""
        program = plan.program
        path = program.trajectory[program.times >= elapsed]
        if not len(path):
            return ''
        confirmed = plan.level == len(MARGINS) - 1
        costs = ground.costs(self.model, MARGINS[plan.level], confirmed=confirmed)
        room = room_along(costs, self.model, path)
        if (room < min(MARGINS[plan.level] - 0.03, float(room[0]) - 1e-6)).any():
            return 'the map changed on the path'
        known = room_along(self._known(ground, costs), self.model, path)
        if (known < min(-SLACKS[plan.level] - 0.01, float(known[0]) - 1e-6)).any():
            return 'the ground on the path is not known any more'
        if self._passes_fast(program, self._unexplained, elapsed):
            return 'something is heard near the path'
        return ''

    def _passes_fast(
        self,
        program: PlannedProgram,
        points: NDArray[np.float64],
        elapsed: float,
        span: float = math.inf,
    ) -> bool:
        """Return whether a program passes near points (n, 2), m, faster than the robot creeps.

        Only what it does within ``span`` s after ``elapsed`` s counts.
        """
        ahead = (program.times >= elapsed) & (program.times <= elapsed + span)
        path = program.trajectory[ahead]
        steps = np.hypot(*np.diff(path[:, :2], axis=0).T)
        fast = steps > 1.1 * CREEP * np.diff(program.times[ahead])
        near = room_beside(points, self.model, path)[1:] < CAREFUL - 0.02
        return bool((fast & near).any())

    def _known(self, ground: KnownGround, costs: CostMap, *, certain: bool = False) -> CostMap:
        """Return the map in which all that is not known, or not certain, to be free is blocked."""
        clearance = ground.to_uncertain if certain else ground.to_unknown
        return replace(costs, clearance=clearance, margin=0.0)

    def _planned(
        self, ground: KnownGround, pose: Pose2, frame: Pose2, ways_left: Ways
    ) -> MotionPlan | None:
        """Return a plan with the greatest margin with which the robot can go, None for none.

        ways_left: by `ways_left`.
        """
        choices: list[tuple[float, int, CostMap, NDArray[np.float64]]] = []
        for level in range(len(MARGINS)):
            closed = level == len(MARGINS) - 1 and all(math.isinf(way[0]) for way in choices)
            share = UNKNOWN_SHARE if closed or self._rounds > GOALWARD_ROUNDS else 1.0
            same = level == len(MARGINS) - 1 and share == 1.0 and not self._touches
            costs, times = ways_left if same else self.ways_over(ground, pose, level, share)
            row, column = costs.cell_of(pose.x, pose.y)
            factor = MARGIN_FACTORS[level] if share == 1.0 else 1.0
            choices.append((times[row, column] * factor, level, costs, times))
        for least, level, costs, times in sorted(choices, key=lambda choice: choice[:2]):
            way = self.way(costs, times, pose) if math.isfinite(least) else None
            if way is None:
                continue
            now = commit(
                self._known(ground, costs),
                self.model,
                pose,
                way.moves,
                SLACKS[level],
                self.ahead,
                self._unexplained,
                self._known(ground, costs, certain=True),
                math.inf if self.trusted else UNTRUSTED,
            )
            if not now.moves or (now.length < LEAST_WAY and not now.whole):
                continue
            title = (
                f'To x {self.goal.x:.2f} m, y {self.goal.y:.2f} m: {now.length:.2f} m of '
                f'{way.length:.2f} m, margin {100 * MARGINS[level]:.0f} cm.'
            )
            program = write_program(
                now.moves,
                pose,
                self.model,
                blocked=ground.classes == 1,
                costs=costs,
                nearest=self.nearest,
                ahead=self.ahead,
                has_contact=self.has_contact,
                title=title,
                frame=frame,
                atoms=self.atoms,
            )
            return MotionPlan(way, now, program, level)
        return None

    def ways_over(self, ground: KnownGround, pose: Pose2, level: int, share: float) -> Ways:
        """Return costs with a margin, index of MARGINS, and the times to the goal, s.

        share: of its time for which unknown ground counts; as many times as long if known ground
        leads to the goal.
        """
        costs = ground.costs(self.model, MARGINS[level], confirmed=level == len(MARGINS) - 1)
        costs = self._without_touches(with_clear_start(costs, self.model, pose), pose)
        if share < 1.0:
            unknown = ground.classes == UNKNOWN
            known = replace(costs, clearance=np.where(unknown, 0.0, costs.clearance))
            times = times_to(known, self.model, self.goal.x, self.goal.y, pose[:2])
            leads = math.isfinite(times[costs.cell_of(pose.x, pose.y)])
            factor = np.where(unknown, 1.0 / share if leads else share, 1.0)
            costs = replace(costs, slowness=factor * costs.slowness)
        return costs, times_to(costs, self.model, self.goal.x, self.goal.y, pose[:2])

    def _without_touches(self, costs: CostMap, pose: Pose2, *, once: bool = True) -> CostMap:
        """Return a map in which the body's middle cannot be where it touched something.

        The map may have a passage a little elsewhere than it is, and the robot would touch the
        same place again and again. It can leave the cell in which it stands. once: whether one
        touch since the robot last looked in vain is enough, instead of TOUCHES.
        """
        rows, columns = costs.clearance.shape
        clearance = costs.clearance.copy()
        cells = [costs.cell_of(touch.x, touch.y) for touch in self._touches]
        newer = cells[self._older_touches :] if once else []
        for cell, times in Counter(cells).items():
            inside = 0 <= cell[0] < rows and 0 <= cell[1] < columns
            closed = cell in newer or times >= TOUCHES
            if closed and inside and cell != costs.cell_of(pose.x, pose.y):
                clearance[cell] = 0.0
        return replace(costs, clearance=clearance)

    def way(self, costs: CostMap, times: NDArray[np.float64], pose: Pose2) -> LatticePath | None:
        """Return the best way found before the deadline, None where there is none.

        times: s to the goal, by `times_to`.
        """
        found, begun = None, self.clock()
        for weight in WEIGHTS:
            for way in self.lattice.ways(
                costs, times, pose, self.goal, self.heading_matters, (weight,)
            ):
                if found is None or way.cost < found.cost:
                    found = way
            if self.clock() - begun > self.deadline:
                break
        return found

    def cut_off(self, ways_left: Ways, pose: Pose2) -> str:
        """Return why no way can lead to the goal, whatever is unknown; '' where one may.

        ways_left: by `ways_left`.
        """
        for what, place in (('the goal lies', self.goal), ('the robot stands', pose)):
            if not self.area.contains(*place[:2]):
                return f'{what} beyond the area that the robot may not leave'
        costs, times = ways_left
        row, column = costs.cell_of(self.goal.x, self.goal.y)
        if costs.clearance[row, column] < self.model.inner_radius + costs.margin:
            return 'the goal lies in a wall, or too near one'
        row, column = costs.cell_of(pose.x, pose.y)
        if math.isinf(times[row, column]):
            return 'walls close every way to the goal'
        return ''

    def ways_left(self, ground: KnownGround, pose: Pose2) -> Ways:
        """Return costs and the times to the goal, s, where only what is sure blocks the body.

        These are confirmed walls, and the cells in which it touched something TOUCHES times.
        """
        costs = ground.costs(self.model, MARGINS[-1], confirmed=True)
        costs = self._without_touches(with_clear_start(costs, self.model, pose), pose, once=False)
        return costs, times_to(costs, self.model, self.goal.x, self.goal.y, pose[:2])


def with_clear_start(costs: CostMap, model: MotionModel, pose: Pose2) -> CostMap:
    """Return a map on which a body may stand where it stands, and leave from there.

    What its place lacks of the clearance that it needs is added there, and less farther away.
    """
    row, column = costs.cell_of(pose.x, pose.y)
    rows, columns = costs.clearance.shape
    if not (0 <= row < rows and 0 <= column < columns):
        return costs
    reach = math.ceil(START_REACH / costs.resolution) + 2
    down = slice(max(row - reach, 0), row + reach + 1)
    along = slice(max(column - reach, 0), column + reach + 1)
    x = costs.origin[0] + (np.arange(columns)[along] + 0.5) * costs.resolution - pose.x
    y = costs.origin[1] + (np.arange(rows)[down] + 0.5) * costs.resolution - pose.y
    away = np.hypot(x[None, :], y[:, None]) - 1.5 * costs.resolution
    near = costs.clearance[down, along][away <= 0.0]
    lack = model.radius + costs.margin - float(near.min()) + 1e-6
    if lack <= 0.0:
        return costs
    clearance = costs.clearance.copy()
    clearance[down, along] += lack * np.clip(1.0 - np.maximum(away, 0.0) / START_REACH, 0.0, 1.0)
    return replace(costs, clearance=clearance)
