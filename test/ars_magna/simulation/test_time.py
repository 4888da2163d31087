"""How long commands take and who interrupts whom, by the checks of ars_magna.md §11.2."""

import math
import threading

import pytest
from ars_stage import Stage

from benchmarks.own_clock import Stopwatch
from walking_robots.ars_magna.agent.futures import Task, first_of
from walking_robots.ars_magna.agent.messages import CommandRequest
from walking_robots.ars_magna.simulation.local import connect

BOX = """
  objects:
    - {name: box, at: [20, 20], attrs: {size: 5, capacity: 5, weight: 2}}
"""
LAMP = """
  objects:
    - {name: lamp, at: [30, 20], attrs: {size: 2}}
"""
DOORWAY = """
  walls:
    - wall: {from: [19, 20], to: [19, 20]}
    - wall: {from: [21, 20], to: [21, 20]}
"""


@pytest.mark.parametrize(
    ('command', 'rate', 'ticks'),
    [
        ('turn_left', None, 6),
        ('turn_right', None, 6),
        ('about_face', None, 10),
        ('turn_left', 0.3, 8),
        ('about_face', 0.3, 13),
    ],
)
def test_t12_t13_t14_turns_take_delay_and_rotation(command, rate, ticks):
    stage = Stage()
    if rate is not None:
        assert stage.code(stage.robot.set_turn_angle(rate)) == 'NIL'
    assert stage.ticks_of(getattr(stage.robot, command))[0] == ticks


@pytest.mark.parametrize(('speed', 'distance'), [(1.0, 10.0), (0.3, 3.0)])
def test_t15_going_forward_takes_delay_and_ticks(speed, distance):
    stage = Stage()
    stage.wait(stage.robot.set_speed(speed))
    assert stage.ticks_of(lambda: stage.robot.go_forward(10))[0] == 15
    assert stage.truth.x == pytest.approx(20 + distance)


def test_t16_aligning_by_a_quarter_takes_ten_ticks():
    stage = Stage(DOORWAY)
    ticks, outcome = stage.ticks_of(stage.robot.align_place)
    assert (ticks, outcome.ok) == (10, True)
    assert abs(stage.truth.heading) == pytest.approx(math.pi / 2)


def test_t17_the_times_of_the_other_commands():
    stage = Stage(BOX)
    eye, hand, store = stage.eye, stage.hand, stage.store
    assert stage.ticks_of(lambda: eye.turn(0.1))[0] == 1
    ticks, outcome = stage.ticks_of(lambda: eye.get_object_designator('local'))
    assert ticks == 4
    found = outcome.value
    began = stage.now
    stage.follow(found)
    assert stage.now - began == 4
    assert stage.ticks_of(lambda: eye.insert(found))[0] == 2
    assert stage.ticks_of(eye.remove)[0] == 2
    found, _ = stage.find_and_follow()
    assert stage.ticks_of(lambda: hand.grasp(eye, found))[0] == 6
    assert stage.ticks_of(lambda: hand.insert(store))[0] == 2
    assert stage.ticks_of(hand.remove)[0] == 2
    assert stage.ticks_of(store.close)[0] == 2
    assert stage.ticks_of(store.open)[0] == 2
    assert stage.ticks_of(stage.robot.stop)[0] == 2


def test_a_search_for_all_takes_a_tick_more_for_each():
    stage = Stage(BOX + '    - {name: ball, at: [20, 20]}\n')
    ticks, outcome = stage.ticks_of(lambda: stage.eye.get_all_object_designators('local'))
    assert (ticks, len(outcome.value)) == (6, 2)


def test_t18_a_second_motion_interrupts_the_first():
    stage, ends = Stage(), []
    stage.robot.go_forward(10, then=lambda code, robot: ends.append((code, stage.now)))
    stage.tick(8)
    stage.robot.go_forward(4, then=lambda code, robot: ends.append((code, stage.now)))
    stage.tick(30)
    assert ends == [('INTERRUPT', 9), ('NIL', 17)]
    assert stage.truth.x == pytest.approx(20 + 3 + 4)


def test_t19_parts_do_not_interfere():
    stage, ends = Stage(), []
    stage.eye.get_object_designator('local', then=lambda *end: ends.append(end[0]))
    stage.hand.grasp_check(then=lambda *end: ends.append(end[0]))
    stage.robot.go_forward(3, then=lambda *end: ends.append(end[0]))
    stage.tick(10)
    assert ends == ['NOT-GRASPING', 'DESIGNATOR-NOT-FOUND', 'NIL']


def test_t20_a_grasp_interrupts_the_watch_of_the_grip():
    stage = Stage(BOX)
    hand, eye = stage.hand, stage.eye
    found, _ = stage.find_and_follow()
    assert stage.code(hand.grasp(eye, found)) == 'NIL'
    watch = hand.track()
    assert stage.wait(watch.started)
    assert stage.code(hand.grasp(eye, found)) == 'HAND-GRASPING'
    assert watch.result().code == 'INTERRUPT'


def test_t21_a_search_does_not_disturb_a_track():
    stage = Stage(BOX)
    found, track = stage.find_and_follow()
    assert stage.robot.designators == (found,)
    assert stage.code(stage.eye.get_object_designator('local')) == 'ALREADY-TRACKING'
    assert stage.code(stage.eye.get_place_designator('doorway')) == 'ALREADY-TRACKING'
    assert stage.code(stage.eye.track(found)) == 'ALREADY-TRACKING'
    assert not track.done
    assert stage.code(stage.eye.view()) == 'NIL'
    assert not track.done


@pytest.mark.parametrize('command', ['untrack', 'align_robot', 'grab'])
def test_what_ends_a_track_ends_it_with_interrupt(command):
    stage = Stage(BOX)
    _, track = stage.find_and_follow()
    assert stage.code(getattr(stage.eye, command)()) == 'NIL'
    assert track.result().code == 'INTERRUPT'
    assert stage.code(stage.eye.untrack()) == 'NOT-TRACKING'


def test_t26_commands_return_at_once():
    stage = Stage()
    watch = Stopwatch()
    command = stage.robot.go_forward(1000)
    assert watch.elapsed() < 0.05
    assert not command.done
    stage.tick(7)
    assert stage.truth.x == pytest.approx(22.0)


def test_t26_the_clock_runs_on_while_the_planner_is_busy():
    stage, over = Stage(size=201), threading.Event()
    robot = stage.robot

    def run():
        while not over.wait(0.002):
            stage.tick()

    clock = threading.Thread(target=run)
    clock.start()
    try:
        command = robot.go_forward(1000)
        slowest = 0.0
        while stage.now <= 100:
            watch = Stopwatch()
            robot.hands[0].grasp_check()
            slowest = max(slowest, watch.elapsed())
            math.factorial(2000)
    finally:
        over.set()
        clock.join()
    assert slowest < 0.05 and not command.done
    assert stage.truth.x == pytest.approx(20 + stage.now - 5)


def test_t27_an_approach_may_be_issued_with_its_track():
    stage = Stage(LAMP)
    found = stage.designate(0, 'non-local')
    stage.eye.track(found)
    assert stage.code(stage.robot.goto_designator(stage.eye)) == 'NIL'


def test_t28_the_same_seed_gives_the_same_reports():
    def run(seed):
        stage, log = Stage(LAMP + BOX.partition('objects:')[2], seed=seed, clean=False), []
        stage.simulator.watchers.append(lambda reports: log.extend(map(repr, reports)))

        async def wander():
            for _ in range(20):
                await stage.robot.turn(0.3)
                await stage.robot.go_forward(2)
                found = await stage.robot.cameras[1].get_object_designator('non-local')
                if found.ok:
                    stage.robot.cameras[1].track(found.value)
                await stage.robot.place()
                await stage.robot.cameras[1].view()

        stage.run(wander())
        return log

    assert run(3) == run(3)
    assert run(3) != run(4)


def test_the_order_of_calls_of_two_robots_changes_nothing():
    def run(order):
        robots = ''.join(
            f'  - {{name: r{i}, at: [{10 + i}, 10], cameras: [{{fov: 90deg, resolution: 5}}]}}\n'
            for i in range(2)
        )
        stage = Stage(LAMP, clean=False, robots=robots)
        from walking_robots.ars_magna.simulation.local import connect

        handles = [stage.robot, connect(stage.simulator, 'r1')]
        log = []
        stage.simulator.watchers.append(lambda reports: log.append(sorted(map(repr, reports))))
        for step in range(30):
            for i in order if step % 2 else order[::-1]:
                handles[i].go_forward(1 + step % 3)
                handles[i].cameras[0].get_object_designator('non-local')
            stage.tick(7)
        return log

    assert run([0, 1]) == run([1, 0])


def test_a_wrong_command_from_the_start_does_not_interrupt():
    stage = Stage()
    search = stage.eye.get_place_designator('corner')
    assert stage.code(search) == 'INVALID-PLACE-TYPE'
    look = stage.eye.get_object_designator('local')
    stage.tick()
    assert stage.code(stage.eye.get_place_designator('corner')) == 'INVALID-PLACE-TYPE'
    assert stage.code(look) == 'DESIGNATOR-NOT-FOUND'


@pytest.mark.parametrize(
    ('issue', 'sentence'),
    [
        (lambda robot: robot.turn(math.nan), 'a finite number is needed'),
        (lambda robot: robot.go_forward(-1), 'whole number from 0'),
        (lambda robot: robot.go_forward(1.5), 'whole number'),
        (lambda robot: robot.follow_wall('up'), 'left or right'),
        (lambda robot: robot.manipulate('paint', [], robot.hands[0]), 'no manipulation'),
        (lambda robot: robot.cameras[0].get_object_designator('near'), 'local or non-local'),
        (
            lambda robot: robot.cameras[0].get_object_designator('local', [('bulk', 3)]),
            "no attribute 'bulk'",
        ),
    ],
)
def test_an_argument_that_cannot_be_is_refused_with_a_sentence(issue, sentence):
    stage = Stage()
    with pytest.raises(ValueError, match=sentence):
        issue(stage.robot)
    assert stage.code(stage.robot.go_forward(1)) == 'NIL'


def test_continuations_and_awaiting_are_one_mechanism():
    stage, heard = Stage(), []
    command = stage.robot.turn(0.5, then=lambda *reported: heard.append(reported))

    async def program():
        return await command

    outcome = stage.run(program())
    assert heard == [('NIL', stage.robot, outcome.value)]
    assert outcome.value == pytest.approx(0.5)


def test_a_program_waits_for_ticks():
    stage = Stage()

    async def program():
        await stage.robot.wait(5)
        return stage.now

    assert stage.run(program()) == 5


def test_an_error_of_a_program_reaches_who_retrieves_its_result():
    stage = Stage()

    async def program():
        await stage.robot.wait(1)
        raise LookupError('lost')

    task = Task(program())
    stage.tick(2)
    with pytest.raises(LookupError, match='lost'):
        task.result()


def test_an_error_of_a_continuation_stops_nobody_else():
    stage, reported = Stage(), []

    def fail(*_):
        raise LookupError('mine')

    stage.robot.turn(0.1, then=fail)
    stage.hand.grasp_check()
    going = stage.eye.get_object_designator('local', then=lambda *end: reported.append(1))
    with pytest.raises(LookupError, match='mine'):
        stage.tick(5)
    stage.tick(3)
    assert reported == [1]
    assert going.done


def test_events_of_higher_priority_interrupt_commands():
    stage, ran = Stage(), []
    going = stage.robot.go_forward(10)
    stage.tick(8)
    stage.simulator.scheduler.schedule('robbie/robot', lambda: ran.append(stage.now), priority=1)
    stage.tick(2)
    assert (ran, going.result().code) == ([9], 'INTERRUPT')
    assert stage.code(stage.robot.go_forward(1)) == 'NIL'


def test_events_of_no_higher_priority_stand_back_behind_commands():
    stage, bumped = Stage(), []
    going = stage.robot.go_forward(3)
    stage.tick(2)
    stage.simulator.scheduler.schedule(
        'robbie/robot', lambda: None, interrupt=lambda: bumped.append(stage.now)
    )
    assert bumped == [2]
    assert stage.code(going) == 'NIL'


@pytest.mark.parametrize('command', ['hand_insert', 'camera_insert'])
def test_a_bin_that_there_is_not_is_refused_when_requested(command):
    stage = Stage()
    with pytest.raises(ValueError, match='robbie has no bin 99; it has 2, counted from 0'):
        stage.simulator.submit(CommandRequest('robbie', 0, command, 0, ('bin', 99)))
    stage.tick(3)


def test_a_mistake_in_a_command_ends_that_alone_and_is_reported(monkeypatch):
    def fail(*_):
        raise LookupError('mine')

    stage = Stage(BOX)
    stage.world.scene.put(stage.thing('box'), stage.truth.hands[0])
    monkeypatch.setattr(stage.world.scene, 'drop', fail)
    bad, good = stage.hand.ungrasp(), stage.robot.turn(0.3)
    assert stage.code(good) == 'NIL'
    assert bad.result().code == 'FAILED'
    reported = [message for message in stage.world.messages.take() if message.severity == 'error']
    assert [(one.robot, one.text) for one in reported] == [
        ('', 'hand_ungrasp of robbie has a mistake (LookupError: mine).')
    ]


def test_an_error_of_a_listener_leaves_no_command_without_an_end():
    stage = Stage()

    def fail(report):
        raise LookupError('mine')

    stage.robot.listeners.append(fail)
    command = stage.hand.grasp_check()
    with pytest.raises(LookupError, match='mine'):
        stage.tick()
    assert command.result().code == 'NOT-GRASPING'


def test_a_bad_event_disturbs_neither_other_events_nor_the_tick():
    stage, ran = Stage(LAMP), []
    found, _ = stage.find_and_follow(type='non-local')
    scheduler, began = stage.simulator.scheduler, stage.now
    scheduler.schedule('a', lambda: ran.append(stage.now), when=lambda: stage.now >= began + 4)
    scheduler.schedule('b', lambda: 1 / 0, timer=2)
    scheduler.schedule('c', lambda: ran.append('never'), when=lambda: 1 / 0, timer=3)
    command = stage.robot.turn(0.1)
    for fails in (False, True, True):
        angle = found.angle
        if fails:
            with pytest.raises(ZeroDivisionError):
                stage.tick()
        else:
            stage.tick()
    assert command.done and found.angle != angle
    stage.tick(2)
    assert ran == [began + 4]


def test_a_robot_has_one_program():
    stage = Stage()
    stage.robot.turn(0.1)
    with pytest.raises(ValueError, match='has a program already'):
        connect(stage.simulator, 'robbie')


def test_what_waits_for_a_command_outlives_a_bad_continuation():
    stage = Stage()

    def fail(*_):
        raise LookupError('mine')

    command = stage.robot.turn(0.1, then=fail)

    async def program():
        return await command

    task = Task(program())
    with pytest.raises(LookupError, match='mine'):
        stage.tick(6)
    assert task.result().ok
    assert command.started.done


def test_waiting_leaves_nothing_behind():
    stage = Stage()
    long = stage.robot.go_forward(10_000)

    async def look():
        for _ in range(50):
            await first_of(long, stage.robot.wait(1))

    stage.run(look())
    assert len(long._waiting) <= 1
    for _ in range(500):
        stage.set(robot_move_delay=100_000)
        stage.robot.go_forward(1)
        stage.tick()
    assert stage.simulator.scheduler._queued < 150


def test_a_command_is_taken_back_before_it_begins():
    stage, reported = Stage(), []
    going = stage.robot.go_forward(5)
    stage.tick(7)
    stage.robot.turn(0.5, then=lambda *end: reported.append(end[0]))
    assert stage.simulator.withdraw('robbie', 1)
    assert not stage.simulator.withdraw('robbie', 1)
    stage.tick(1)
    assert (reported, going.done) == (['INTERRUPT'], False)
