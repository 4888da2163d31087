"""Leading a robot to goals, over ground that changes and ground that is not known yet."""

import math
from collections.abc import Callable

import numpy as np
import pytest

from walking_robots.geometry.se2 import ORIGIN, Pose2
from walking_robots.mdle.planner.confirmation import NEAR, WAY, Confirmation
from walking_robots.mdle.planner.cost_map import CREEP, down_from
from walking_robots.mdle.planner.ground import FREE, OCCUPIED, UNKNOWN, Area, KnownGround
from walking_robots.mdle.planner.mission import Explore, PlannerTask, TrustedArrival, parse_task
from walking_robots.mdle.planner.motion_model import SPEED, motion_model, sampled
from walking_robots.mdle.planner.navigator import (
    BACK_OFF_ROUNDS,
    CUT_OFF_ROUNDS,
    GOALWARD_ROUNDS,
    LOOKS,
    MARGINS,
    NARROW_ROUNDS,
    TOUCHES,
    UNKNOWN_SHARE,
    Navigator,
    PlannerDecision,
)
from walking_robots.mdle.planner.safety import UNCERTAIN, UNTRUSTED
from walking_robots.virtual_robots.scout import scout_spec

SCOUT = motion_model(scout_spec(), 0.205)
CELL = 0.05
START = Pose2(1.0, 1.0, 0.0)
ELSEWHERE = Pose2(99.0, 99.0), SCOUT.radius
"""A goal that has nothing to do with what is there, and the radius of the body."""
LEFT_DOOR, RIGHT_DOOR = slice(16, 36), slice(120, 140)
"""Cells of the doors in the wall between two rooms."""


def rooms(*open_doors: slice) -> np.ndarray:  # type: ignore[type-arg]
    """Return two rooms of 8 x 3 m, one above the other."""
    filled = np.zeros((122, 160), bool)
    filled[[0, -1]] = filled[:, [0, -1]] = True
    filled[60:62] = True
    for door in open_doors:
        filled[60:62, door] = False
    return filled


def all_known(filled: np.ndarray) -> KnownGround:  # type: ignore[type-arg]
    return KnownGround(filled.astype(np.int8), CELL, confirmed=filled)


def navigator(goal: Pose2) -> Navigator:
    return Navigator(SCOUT, goal, nearest=0.15)


class Seen:
    """What a robot has seen up to 1.2 m round it, through walls: for tests of tasks only."""

    def __init__(self, filled: np.ndarray) -> None:  # type: ignore[type-arg]
        self.filled = filled
        self.classes = np.full(filled.shape, UNKNOWN, np.int8)

    def __call__(self, pose: Pose2) -> KnownGround:
        rows, columns = np.indices(self.filled.shape)
        near = np.hypot((columns + 0.5) * CELL - pose.x, (rows + 0.5) * CELL - pose.y) < 1.2
        self.classes[near] = np.where(self.filled[near], OCCUPIED, FREE)
        return KnownGround(self.classes.copy(), CELL)


def lead(
    task: PlannerTask,
    ground: Callable[[Pose2], KnownGround],
    start: Pose2 = START,
    rounds: int = 400,
) -> tuple[PlannerDecision, list[Pose2]]:
    """Follow a task, each program to its end, until it says how it ended.

    Returns that and all predicted poses on the way.
    """
    poses = [start]
    for _ in range(rounds):
        decision = task.step(ground(poses[-1]), poses[-1], None)
        if decision.kind in ('reached', 'unreachable'):
            return decision, poses
        if decision.plan:
            poses += (Pose2(*pose) for pose in decision.plan.program.trajectory.tolist())
    raise AssertionError(f'not done after {rounds} rounds at {poses[-1]}')


def test_a_door_that_closes_is_gone_round() -> None:
    goal = Pose2(1.3, 5.0)
    task = navigator(goal)
    first = task.step(all_known(rooms(LEFT_DOOR, RIGHT_DOOR)), START, None)
    assert first.plan
    assert first.plan.way.length < 5.0
    closed = all_known(rooms(RIGHT_DOOR))
    second = task.step(closed, START, 0.0)
    assert second.kind == 'run'
    assert second.text == 'the map changed on the path'
    assert second.plan
    assert second.plan.way.length > 10.0
    decision, poses = lead(task, lambda pose: closed)
    assert decision.kind == 'reached'
    assert poses[-1].distance(goal) < 0.08


def test_that_all_doors_are_closed_is_said_after_some_rounds() -> None:
    task = navigator(Pose2(1.3, 5.0))
    closed = all_known(rooms())
    decisions = [task.step(closed, START, None) for _ in range(6)]
    assert not any(decision.kind == 'unreachable' for decision in decisions[:5])
    assert decisions[5] == PlannerDecision('unreachable', 'walls close every way to the goal')


@pytest.mark.parametrize('door', [True, False])
def test_walls_that_the_map_shows_no_more_are_looked_at_again(door: bool) -> None:
    """They were confirmed; the goal is given up only if it is cut off without them as well."""
    task, closed = navigator(Pose2(1.3, 5.0)), KnownGround(rooms().astype(np.int8), CELL)
    for x in (5.0, 5.0 + 1.1 * WAY):
        here = Pose2(x, 1.0)
        task.step(closed, here, None)
    assert task.cut_off_rounds == 1
    now = KnownGround(rooms(*[LEFT_DOOR] * door).astype(np.int8), CELL)
    kinds = [task.step(now, here, None).kind for _ in range(7)]
    assert ('unreachable' in kinds) == (not door)
    assert not door or (task.plan and task.plan.way.length > 5.0), 'a way through the door'


@pytest.mark.parametrize(
    ('unknown', 'trusted', 'per_area', 'ends'),
    [
        (True, True, 0.01, True),
        (False, True, 0.01, False),
        (True, False, 0.01, False),
        (True, True, 10.0, False),
    ],
)
def test_where_no_way_is_found_the_robot_gives_up_at_last(
    monkeypatch: pytest.MonkeyPatch, unknown: bool, trusted: bool, per_area: float, ends: bool
) -> None:
    """If its pose is trusted, by how much ground it knows, and not on a way that is known."""
    monkeypatch.setattr('walking_robots.mdle.planner.navigator.PATIENCE', 30)
    monkeypatch.setattr('walking_robots.mdle.planner.navigator.PATIENCE_PER_AREA', per_area)
    classes = rooms(LEFT_DOOR).astype(np.int8)
    if unknown:
        classes[classes.shape[0] // 2 + 10 :] = UNKNOWN
    task, ground = navigator(Pose2(1.3, 5.0)), KnownGround(classes, CELL)
    task.trusted = trusted
    ended = [task.step(ground, START, None) for _ in range(31)]
    kinds = [decision.kind == 'unreachable' for decision in ended]
    assert kinds == [False] * 29 + [ends] * 2
    if ends:
        assert ended[-1].text.startswith('no way was found in')


def test_within_one_round_of_the_sensors_no_door_is_given_up() -> None:
    task = navigator(Pose2(1.3, 5.0))
    task.fresh = False
    closed = all_known(rooms())
    assert not any(task.step(closed, START, None).kind == 'unreachable' for _ in range(20))


def test_a_goal_in_a_wall_is_said() -> None:
    decision, _ = lead(navigator(Pose2(4.0, 3.05)), lambda pose: all_known(rooms(LEFT_DOOR)))
    assert decision == PlannerDecision('unreachable', 'the goal lies in a wall, or too near one')


def test_a_way_beyond_the_area_is_not_taken() -> None:
    start, known = Pose2(3.0, 1.0), all_known(rooms(LEFT_DOOR, RIGHT_DOOR))
    task = navigator(Pose2(3.0, 5.0))
    task.area = Area(2.0, 0.0, 8.0, 6.1)
    decision, poses = lead(task, lambda pose: known, start)
    assert decision.kind == 'reached'
    assert min(pose.x for pose in poses) > task.area.left + SCOUT.radius
    task = navigator(Pose2(3.0, 5.0))
    task.area = Area(2.0, 0.0, 5.5, 6.1)
    decision, _ = lead(task, lambda pose: known, start)
    assert decision == PlannerDecision('unreachable', 'walls close every way to the goal')


@pytest.mark.parametrize(
    ('goal', 'start', 'what'),
    [(7.0, 1.0, 'the goal lies'), (1.0, 7.0, 'the robot stands')],
)
def test_what_lies_beyond_the_area_is_said(goal: float, start: float, what: str) -> None:
    task = navigator(Pose2(goal, 2.0))
    task.area = Area(0.0, 0.0, 5.0, 3.0)
    decision, poses = lead(task, lambda pose: all_known(rooms()), Pose2(start, 1.0))
    assert decision.kind == 'unreachable'
    assert decision.text == f'{what} beyond the area that the robot may not leave'
    assert max(pose.distance(poses[0]) for pose in poses) < 0.15, 'it only looks round'


def test_ground_beyond_the_area_is_not_explored() -> None:
    task, seen = navigator(START), Seen(rooms(LEFT_DOOR, RIGHT_DOOR))
    task.area = Area(0.0, 0.0, 4.0, 6.1)
    exploring = Explore(task, START)
    decision, poses = lead(exploring, seen)
    assert decision.kind == 'reached' and poses[-1].distance(START) < 0.08
    assert max(pose.x for pose in poses) < task.area.right - SCOUT.radius
    assert all(task.area.contains(*place) for place in exploring.given_up)
    assert max(pose.y for pose in poses) > 3.5, 'both rooms are seen'


def test_an_object_beyond_the_area_is_looked_at_from_within() -> None:
    task, known = navigator(START), KnownGround(np.full((80, 160), FREE, np.int8), CELL)
    task.area = Area(0.0, 0.0, 4.0, 4.0)
    finding = Explore(task, START, find=True)
    finding.moved = 4.3, 1.5
    assert finding.step(known, Pose2(3.6, 3.5), None).kind == 'run'
    assert task.area.contains(*task.goal[:2])


def test_who_comes_from_beyond_the_area_is_heard() -> None:
    task, pose = navigator(Pose2(3.0, 1.0)), Pose2(1.0, 1.0)
    task.area = Area(0.0, 0.0, 4.0, 1.5)
    known = KnownGround(np.full((80, 80), FREE, np.int8), CELL)
    assert task.step(known, pose, None).kind == 'run'
    arc = np.column_stack((np.linspace(1.6, 1.8, 5), np.full(5, 1.7)))
    assert task.check_echoes(arc[None], pose, 1.0)


def test_what_is_heard_near_the_path_slows_the_robot_down_at_once() -> None:
    task, free = navigator(Pose2(4.0, 1.0)), np.full((80, 120), FREE, np.int8)
    ground = KnownGround(free, CELL, certain=np.full_like(free, UNKNOWN))
    assert task.step(ground, START, None).kind == 'run'
    here = Pose2(1.2, 1.0)

    assert not task.check_echoes(arc(1.3, 1.22), here, None), 'the robot stands'
    assert not task.check_echoes(arc(1.3, 1.32), here, 1.0), 'there is room'
    assert not task.check_echoes(arc(2.3, 1.0), here, 1.0), 'the next round is soon enough'
    assert task.check_echoes(arc(1.3, 1.22), here, 1.0)
    task.echoes, task.fresh = arc(1.3, 1.22), False
    slower = task.step(ground, here, 1.0)
    assert slower.text == 'something is heard near the path' and slower.plan
    assert slower.plan.now.speed_within(0.0, 1.0) == pytest.approx(CREEP)
    assert not task.check_echoes(arc(1.3, 1.22), here, 0.0), 'it creeps there now'


def test_an_echo_that_may_be_of_a_wall_does_not_slow_the_robot_down() -> None:
    task, walled = navigator(Pose2(4.0, 1.0)), np.full((80, 120), FREE, np.int8)
    walled[30] = OCCUPIED
    assert task.step(KnownGround(walled, CELL), START, None).kind == 'run'
    assert task.check_echoes(arc(1.3, 1.1), Pose2(1.2, 1.0), 0.4), 'no wall is there'
    assert not task.check_echoes(arc(1.3, 1.22), Pose2(1.2, 1.0), 0.4)


def arc(x: float, y: float) -> np.ndarray:  # type: ignore[type-arg]
    """Give the places, above (x, y), from which one echo may have come."""
    return np.column_stack((np.full(5, x), np.linspace(y, y + 0.3, 5)))[None]


def test_what_the_map_shows_on_the_path_ends_a_program() -> None:
    task = navigator(Pose2(7.0, 1.0))
    filled = rooms(LEFT_DOOR)
    assert task.step(all_known(filled), START, None).kind == 'run'
    assert task.step(all_known(filled), START, 1.0).kind == 'keep'
    filled[1:59, 80:84] = True
    filled[1:20, 80:84] = False
    changed = task.step(all_known(filled), Pose2(1.3, 1.0), 1.0)
    assert (changed.kind, changed.text) == ('run', 'the map changed on the path')


def test_a_robot_that_touched_something_backs_off_before_another_program() -> None:
    """Whatever lay on the path does not matter any more: the program ends after its way back."""
    task = navigator(Pose2(7.0, 1.0))
    filled = rooms(LEFT_DOOR)
    assert task.step(all_known(filled), START, None).kind == 'run'
    task.touch(Pose2(1.3, 1.0))
    filled[1:59, 80:84] = True
    filled[1:20, 80:84] = False
    assert task.step(all_known(filled), Pose2(1.3, 1.0), 1.0).kind == 'keep'
    assert task.step(all_known(filled), Pose2(1.2, 1.0), None).kind == 'run'
    assert task.step(all_known(filled), Pose2(1.2, 1.0), 0.0).kind == 'keep'
    filled[1:20, 40:44] = True
    again = task.step(all_known(filled), Pose2(1.2, 1.0), 0.0)
    assert (again.kind, again.text) == ('run', 'the map changed on the path')


def test_a_program_that_does_not_end_after_a_contact_is_looked_at_again() -> None:
    """The contact may have been one of the program before."""
    task = navigator(Pose2(7.0, 1.0))
    filled = rooms(LEFT_DOOR)
    assert task.step(all_known(filled), START, None).kind == 'run'
    task.touch(Pose2(1.3, 1.0))
    filled[1:20, 40:44] = True
    for _ in range(BACK_OFF_ROUNDS):
        assert task.step(all_known(filled), Pose2(1.3, 1.0), 1.0).kind == 'keep'
    again = task.step(all_known(filled), Pose2(1.3, 1.0), 1.0)
    assert (again.kind, again.text) == ('run', 'the map changed on the path')


def test_in_a_map_that_was_drawn_anew_the_path_leads_elsewhere() -> None:
    """A program follows odometry: where it leads to depends on where the map now is in it."""
    task, ground = navigator(Pose2(7.0, 1.0)), KnownGround(rooms().astype(np.int8), CELL)
    assert task.step(ground, START, None).kind == 'run'
    assert task.step(ground, START, 0.0).kind == 'keep'
    turned = Pose2(0.0, 0.0, 0.2)
    decision = task.step(ground, turned.inverse() @ START, 0.0, turned)
    assert (decision.kind, decision.text) == ('run', 'the map changed on the path')
    # The new program begins where the robot is in the new map.
    assert decision.plan and decision.plan.program.start == turned.inverse() @ START
    assert task.step(ground, turned.inverse() @ START, 0.0, turned).kind == 'keep'


def test_a_goal_on_unknown_ground_is_reached() -> None:
    decision, poses = lead(navigator(Pose2(6.0, 5.0)), Seen(rooms(LEFT_DOOR)))
    assert decision.kind == 'reached'
    assert poses[-1].distance(Pose2(6.0, 5.0)) < 0.08


def test_out_of_a_dead_end_that_points_to_the_goal() -> None:
    """The local minimum of a robot that goes towards its goal: walls on three sides."""
    filled = np.zeros((122, 160), bool)
    filled[[0, -1]] = filled[:, [0, -1]] = True
    filled[30:92, 90] = filled[30, 30:90] = filled[91, 30:90] = True
    goal = Pose2(6.5, 3.0)
    decision, poses = lead(navigator(goal), Seen(filled), Pose2(3.8, 3.0))
    assert decision.kind == 'reached'
    assert poses[-1].distance(goal) < 0.08
    assert min(pose.x for pose in poses) < 1.5, 'it went back to the open side'


def test_what_looking_does_not_make_known_counts_as_a_wall_until_it_is_seen_to_be_free() -> None:
    seen = np.full((40, 60), FREE, np.int8)
    seen[:, 30:32] = UNKNOWN
    confirmation, near = Confirmation(), Pose2(1.2, 1.0)
    first = confirmation.confirmed(KnownGround(seen, CELL), near, *ELSEWHERE)
    # The planner looks at more ground than the map has.
    confirmation.close(first.including((-2.0, 1.0)), 1.5, 1.0, 0.2)
    closed = confirmation.confirmed(KnownGround(seen, CELL), near, *ELSEWHERE)
    walls = np.argwhere(closed.beyond_doubt)
    assert set(walls[:, 1]) == {30, 31} and np.ptp(walls[:, 0]) * CELL == pytest.approx(0.35)
    opened = confirmation.confirmed(KnownGround(np.zeros_like(seen), CELL), near, *ELSEWHERE)
    assert not opened.beyond_doubt.any()


def test_no_way_leads_again_through_the_place_where_the_robot_touched_something() -> None:
    task, ground = navigator(Pose2(6.0, 1.02)), KnownGround(rooms().astype(np.int8), CELL)
    here, touch = Pose2(2.0, 1.02), Pose2(3.02, 1.02)
    assert through(task.step(ground, here, None), touch)
    task.touch(touch)
    assert not through(task.step(ground, here, None), touch)
    # It can leave the place.
    assert task.step(ground, touch, None).kind == 'run'
    # In a map that was drawn anew the place is elsewhere.
    assert through(task.step(ground, here, None, Pose2(0.0, 0.1)), touch)


def test_a_passage_in_which_the_robot_touches_something_again_and_again_is_none() -> None:
    """The map shows it as wide enough, so that no doubtful cell stops the robot."""
    filled = np.zeros((80, 80), bool)
    filled[[0, -1]] = filled[:, [0, -1]] = filled[:, 40] = True
    filled[36:44, 40] = False
    ground = KnownGround(filled.astype(np.int8), CELL, confirmed=filled)
    task, here, touches = navigator(Pose2(3.0, 2.0)), Pose2(1.0, 2.0), []
    while (decision := task.step(ground, here, None)).kind != 'unreachable':
        if decision.plan and decision.text == 'on the way':
            path = sampled(decision.plan.way.moves, here)
            touches.append(Pose2(*path[np.abs(path[:, 0] - 2.02).argmin()].tolist()))
            task.touch(touches[-1])
        assert len(touches) <= TOUCHES + CUT_OFF_ROUNDS
    assert len(touches) >= TOUCHES


def through(decision: PlannerDecision, place: Pose2) -> bool:
    """Return whether the way of a decision leads through the cell of a place."""
    assert decision.plan
    cells = np.floor(decision.plan.program.trajectory[:, :2] / CELL)
    return bool((cells == np.floor(np.array(place[:2]) / CELL)).all(axis=1).any())


@pytest.mark.parametrize('y', [0.5, 2.4])
@pytest.mark.parametrize(('touches', 'rounds'), [(False, NARROW_ROUNDS), (True, 3)])
def test_a_robot_that_does_not_get_through_takes_what_stops_it_for_a_wall(
    touches: bool, rounds: int, y: float
) -> None:
    """What lies more than `NEAR` away does not stop it."""
    task, seen = navigator(Pose2(1.3, 5.0)), KnownGround(rooms().astype(np.int8), CELL)
    # Echoes that come from one place only confirm nothing.
    here = Pose2(1.3, y)
    for _ in range(rounds):
        assert task.step(seen, here, None).kind == 'run'
        if touches:
            task.touch(here)
    assert task.plan and task.plan.level == len(MARGINS) - 1
    assert not task.confirmation.way[60:62].any()
    task.step(seen, here, None)
    assert (task.confirmation.way[60:62] >= WAY).any() == (60 * CELL - y < NEAR)


def test_from_one_place_the_robot_looks_for_some_rounds_only() -> None:
    """Then it takes for a wall, round after round, what stops it: here cells all round it."""
    task, pose, looks = navigator(Pose2(3.5, 2.0)), Pose2(2.0, 2.0), 0
    ground = KnownGround(np.full((80, 80), FREE, np.int8), CELL)
    x, y = ground.middles()
    away = np.hypot((x - pose.x)[None, :], (y - pose.y)[:, None])
    ground.classes[(away > 0.25) & (away < 0.35)] = OCCUPIED
    while looks < 2 * LOOKS:
        decision = task.step(ground, pose, None)
        if decision.kind == 'unreachable':
            break
        looks += decision.text != 'on the way'
        if decision.plan:
            pose = decision.plan.now.end
    assert LOOKS < looks < 2 * LOOKS


@pytest.mark.parametrize('known', [False, True])
def test_of_two_gaps_in_the_walls_the_near_one_is_looked_at_first(known: bool) -> None:
    """The way beyond it is longer, round a wall. A way over known ground comes before both."""
    walls = np.zeros((80, 80), bool)
    walls[20:22] = walls[20:60, 40] = True
    walls[20:22, 10:22] = walls[20:22, 60:72] = False
    classes = np.where(walls, np.int8(OCCUPIED), np.int8(UNKNOWN))
    classes[:20] = FREE
    if known:
        classes[:, 60:72] = classes[22:, 42:] = FREE
    ground = KnownGround(classes, CELL, confirmed=walls)
    here = Pose2(0.8, 0.5)
    task, last = navigator(Pose2(3.3, 1.6)), len(MARGINS) - 1
    costs, times = task.ways_over(ground, here, last, UNKNOWN_SHARE)
    gap = [column for row, column in down_from(times, *costs.cell_of(*here[:2])) if row == 21]
    assert gap and (min(gap) >= 60 if known else max(gap) < 22)


def test_after_some_time_the_near_gap_is_looked_at_first_though_others_have_room() -> None:
    walls = np.zeros((80, 80), bool)
    walls[20:22] = walls[20:60, 40] = True
    walls[20:22, 10:28] = walls[20:22, 54:72] = False
    classes = np.where(walls, np.int8(OCCUPIED), np.int8(UNKNOWN))
    classes[:20] = FREE
    ground = KnownGround(classes, CELL, confirmed=walls)
    here, goes_to = Pose2(0.9, 0.5), []
    task = navigator(Pose2(3.3, 1.6))
    for _ in range(GOALWARD_ROUNDS + 2):
        plan = task.step(ground, here, None).plan
        assert plan
        goes_to.append(plan.now.end.x)
    assert min(goes_to[:GOALWARD_ROUNDS]) > 1.5 and max(goes_to[GOALWARD_ROUNDS + 1 :]) < 1.4


def test_known_ground_too_narrow_to_drive_on_does_not_hold_the_robot_up() -> None:
    classes = np.full((80, 80), UNKNOWN, np.int8)
    classes[:, :40] = FREE
    # Narrower than what a robot can follow, and known to lead to the goal.
    for k in range(18):
        classes[36 + abs(k % 6 - 3), 40 + k] = FREE
    ground = KnownGround(classes, CELL, confirmed=np.zeros((80, 80), bool))
    task = navigator(Pose2(2.875, 1.925))
    said = [task.step(ground, START, None).text for _ in range(GOALWARD_ROUNDS + 5)]
    assert set(said) == {'on the way'}


def test_the_robot_creeps_past_an_echo_that_the_map_does_not_explain() -> None:
    """From an arc as wide as a sonar's at 2 m; with 2 % noise its range is wrong by 4 cm."""
    arc = np.array([[(2.0, y) for y in np.linspace(1.25, 2.12, 5)]])
    seconds = []
    for heard, occupied in ((False, 0), (True, 0), (True, 37), (True, 38)):
        ground = KnownGround(np.zeros((80, 80), np.int8), CELL, confirmed=np.zeros((80, 80), bool))
        ground.classes[42, occupied] = OCCUPIED
        task = navigator(Pose2(3.0, 1.0))
        if heard:
            task.echoes = arc
        plan = task.step(ground, Pose2(1.0, 1.0), None).plan
        assert plan
        seconds.append(plan.now.seconds)
    assert seconds[1] == seconds[2] > seconds[0] + 2.0 and seconds[3] == seconds[0]


def test_the_robot_goes_more_slowly_on_ground_that_is_not_certainly_free() -> None:
    seconds = []
    for certain in (FREE, UNKNOWN):
        ground = KnownGround(
            np.zeros((80, 80), np.int8),
            CELL,
            confirmed=np.zeros((80, 80), bool),
            certain=np.full((80, 80), certain, np.int8),
        )
        plan = navigator(Pose2(3.0, 1.0)).step(ground, Pose2(1.0, 1.0), None).plan
        assert plan
        seconds.append(plan.now.seconds)
    # The ground under the body, 0.1 m more than it, is certainly free.
    assert seconds == pytest.approx([2.0 / SPEED, 0.1 / SPEED + 1.9 / UNCERTAIN], abs=0.3)


def test_the_robot_goes_more_slowly_while_it_may_be_elsewhere() -> None:
    task = navigator(Pose2(3.0, 1.0))
    task.trusted = False
    plan = task.step(all_known(rooms()), Pose2(1.0, 1.0), None).plan
    assert plan
    assert max(move.twist.v for move in plan.now.moves) == pytest.approx(UNTRUSTED, abs=0.01)


def test_all_is_explored_and_the_robot_comes_home() -> None:
    filled = rooms(RIGHT_DOOR)
    seen = Seen(filled)
    task = parse_task('explore', navigator(START), START, {})
    decision, poses = lead(task, seen)
    assert decision.kind == 'reached'
    assert 'back' in decision.text
    assert poses[-1].distance(START) < 0.08
    coverable = ~filled
    known = seen.classes != UNKNOWN
    assert (known & coverable).sum() / coverable.sum() > 0.95


def test_a_moved_object_is_found() -> None:
    task = parse_task('find', navigator(START), START, {})
    assert isinstance(task, Explore)
    task.moved = (6.0, 1.5)
    decision, poses = lead(task, Seen(rooms(LEFT_DOOR)))
    assert decision == PlannerDecision('reached', 'the object that was moved is here')
    assert poses[-1].distance(Pose2(6.0, 1.5)) <= 0.6
    still, _ = lead(parse_task('find', navigator(START), START, {}), Seen(rooms()))
    assert still.kind == 'unreachable'
    assert 'nothing was seen to move' in still.text


def test_a_goal_is_reached_only_with_a_pose_that_is_trusted() -> None:
    goal = Pose2(3.0, 1.0)
    leader = navigator(goal)
    task = TrustedArrival(leader, leader, START)
    leader.trusted = False
    ground = all_known(rooms())
    pose = goal
    while pose.distance(START) > 0.08:
        decision = task.step(ground, pose, None)
        assert decision.kind in ('wait', 'run')
        pose = decision.plan.program.end if decision.plan else pose
    leader.trusted = True
    decision, poses = lead(task, lambda pose: ground, pose)
    assert decision.kind == 'reached'
    assert poses[-1].distance(goal) < 0.08


def test_a_goal_is_unreachable_only_with_a_pose_that_is_trusted() -> None:
    leader = navigator(Pose2(6.0, 5.0))
    task = TrustedArrival(leader, leader, START)
    leader.trusted = False
    ground = all_known(rooms())
    pose = Pose2(3.0, 1.0)
    while pose.distance(START) > 0.08:
        decision = task.step(ground, pose, None)
        assert decision.kind in ('wait', 'run')
        pose = decision.plan.program.end if decision.plan else pose
    leader.trusted = True
    decision, poses = lead(task, lambda pose: ground, pose)
    assert decision == PlannerDecision('unreachable', 'walls close every way to the goal')
    assert poses[-1].distance(Pose2(3.0, 1.0)) < 0.5, 'it came back to see more'


def test_a_patrol_visits_its_places() -> None:
    places = {'kitchen': Pose2(6.0, 1.0), 'hall': Pose2(6.0, 5.0)}
    ground = all_known(rooms(LEFT_DOOR))
    task = parse_task('patrol kitchen; hall; return', navigator(START), START, places)
    decision, poses = lead(task, lambda pose: ground)
    assert decision == PlannerDecision('reached', 'all 3 places were visited')
    for place in (*places.values(), START):
        assert min(pose.distance(place) for pose in poses[1:]) < 0.1
    # A robot that went home for a better pose asks again.
    assert task.step(ground, poses[-1], None) == decision
    blocked = parse_task('patrol kitchen; hall', navigator(START), START, places)
    decision, _ = lead(blocked, lambda pose: all_known(rooms()))
    assert decision == PlannerDecision('unreachable', 'hall: walls close every way to the goal')


@pytest.mark.parametrize(
    ('text', 'goal'),
    [
        ('1.5,2', Pose2(1.5, 2.0)),
        ('150cm, 2m, 90deg', Pose2(1.5, 2.0, math.pi / 2)),
        ('return', START),
        ('kitchen', Pose2(6.0, 1.0)),
    ],
)
def test_a_task_is_a_place(text: str, goal: Pose2) -> None:
    task = parse_task(text, navigator(ORIGIN), START, {'kitchen': Pose2(6.0, 1.0)})
    assert isinstance(task, Navigator)
    assert task.goal == pytest.approx(goal)
    assert task.heading_matters == (text in ('return', '150cm, 2m, 90deg'))


@pytest.mark.parametrize('text', ['', 'bathroom', '1', '1,2,3,4', '1,x', 'patrol', 'explore all'])
def test_anything_else_is_one_sentence(text: str) -> None:
    with pytest.raises(ValueError, match='is not a place') as error:
        parse_task(text, navigator(ORIGIN), START, {'kitchen': ORIGIN})
    assert '\n' not in str(error.value)
