"""Fluents: which values and pulses come of which report."""

from typing import Any

import pytest
from ars_stage import Stage

from walking_robots.ars_magna.agent.fluents import FLUENTS, Fluents, updates
from walking_robots.ars_magna.agent.futures import Task
from walking_robots.ars_magna.agent.messages import DONE, STARTED, CommandReport, DesignatorReport
from walking_robots.ars_magna.commands import COMMANDS
from walking_robots.ars_magna.design.files import parse_design
from walking_robots.ars_magna.simulation.local import connect
from walking_robots.ars_magna.simulation.simulator import Simulator

BOX = DesignatorReport(3, 'local', 0.5, {'color': 'red'})
DESIGN = """
ars_schema: 1
world: {name: room, size: [9, 9], objects: [{name: cup, at: [1, 1], attrs: {size: 1}}]}
robots:
  - name: robbie
    at: [1, 1]
    angle: 0
    cameras: [{fov: 90deg, resolution: 3}, {fov: 90deg, resolution: 3}]
    hands: [{strength: 5}]
    bins: [{capacity: 5}]
"""


def report(command: str, *values: Any, code: str = 'NIL', kind: str = DONE, part: int = 0) -> Any:
    return CommandReport('robbie', 0, command, part, kind, code, values, 1, 2)


def reported(*arguments: Any, **fields: Any) -> list[Any]:
    return [
        (name, index) if is_pulse else (name, index, value)
        for name, index, value, is_pulse in updates(report(*arguments, **fields))
    ]


def test_there_are_all_fluents_of_the_manual() -> None:
    assert [fluent.id for fluent in FLUENTS.values()] == [f'F{n:02}' for n in range(1, 24)]


@pytest.mark.parametrize(
    ('found', 'expected'),
    [
        pytest.param(
            reported('set_speed', 1.0, code='TOO-HIGH-SPEED'),
            [('robot_movement_error', 0, 'TOO-HIGH-SPEED')],
            id='Q04',
        ),
        pytest.param(
            reported('turn', 1.5),
            [
                ('robot_movement_error', 0, 'NIL'),
                ('robot_angle_diff', 0, 1.5),
                ('robot_stopped', 0),
            ],
            id='Q05',
        ),
        pytest.param(
            reported('turn_corner', None, code='NO-CORNER'),
            [('robot_movement_error', 0, 'NO-CORNER'), ('robot_stopped', 0)],
            id='Q06',
        ),
        pytest.param(
            reported('go_forward', code='ROBOT-BLOCKED'),
            [('robot_movement_error', 0, 'ROBOT-BLOCKED'), ('robot_stopped', 0)],
            id='Q07',
        ),
        pytest.param(
            reported('goto_designator', BOX),
            [
                ('robot_movement_error', 0, 'NIL'),
                ('robot_arrived_at', 0, BOX),
                ('robot_stopped', 0),
            ],
            id='Q10',
        ),
        pytest.param(reported('stop'), [('robot_stopped', 0)], id='Q11'),
        pytest.param(
            reported('place', None), [('robot_place', 0, None), ('robot_place_input', 0)], id='Q12'
        ),
        pytest.param(
            reported('camera_turn', 0.1, part=1),
            [('camera_movement_error', 1, 'NIL'), ('camera_moved', 1)],
            id='Q16',
        ),
        pytest.param(
            reported('camera_align_place', None, None, code='NO-PLACE-TYPE'),
            [('camera_movement_error', 0, 'NO-PLACE-TYPE'), ('camera_moved', 0)],
            id='Q17',
        ),
        pytest.param(
            reported('camera_view', (1.0, 2.0)),
            [
                ('camera_error', 0, 'NIL'),
                ('camera_views', 0, (1.0, 2.0)),
                ('camera_input', 0),
            ],
            id='Q18',
        ),
        pytest.param(
            reported('find_object', BOX),
            [
                ('camera_error', 0, 'NIL'),
                ('camera_designators', 0, (BOX,)),
                ('camera_input', 0),
            ],
            id='Q19',
        ),
        pytest.param(
            reported('find_place', None, code='DESIGNATOR-NOT-FOUND'),
            [
                ('camera_error', 0, 'DESIGNATOR-NOT-FOUND'),
                ('camera_designators', 0, ()),
                ('camera_input', 0),
            ],
            id='Q20',
        ),
        pytest.param(
            reported('camera_track', BOX, kind=STARTED, part=1),
            [('camera_tracking_error', 1, 'NIL'), ('camera_tracking', 1)],
            id='Q21-start',
        ),
        pytest.param(
            reported('camera_track', code='LOST-TRACK'),
            [('camera_tracking_error', 0, 'LOST-TRACK')],
            id='Q21-end',
        ),
        pytest.param(reported('camera_untrack'), [], id='Q22'),
        pytest.param(
            reported('camera_insert', ('bin', 0)),
            [('camera_movement_error', 0, 'NIL'), ('camera_moved', 0)],
            id='Q23',
        ),
        pytest.param(
            reported('hand_insert', ('bin', 1)),
            [('hand_error', 0, 'NIL'), ('hand_inside', 0, ('bin', 1)), ('hand_moved', 0)],
            id='Q27',
        ),
        pytest.param(
            reported('hand_remove'),
            [('hand_error', 0, 'NIL'), ('hand_inside', 0, None), ('hand_moved', 0)],
            id='Q28',
        ),
        pytest.param(
            reported('hand_remove', code='BIN-CLOSED'),
            [('hand_error', 0, 'BIN-CLOSED'), ('hand_moved', 0)],
            id='Q28-failed',
        ),
        pytest.param(
            reported('hand_grasp', BOX),
            [('hand_error', 0, 'NIL'), ('hand_grasping', 0, BOX), ('hand_moved', 0)],
            id='Q29',
        ),
        pytest.param(
            reported('hand_ungrasp'),
            [('hand_error', 0, 'NIL'), ('hand_grasping', 0, None), ('hand_moved', 0)],
            id='Q30',
        ),
        pytest.param(
            reported('hand_grasp_check', code='GRASPING'),
            [('hand_error', 0, 'GRASPING'), ('hand_input', 0)],
            id='Q31',
        ),
        pytest.param(
            reported('hand_track', code='GRASP-LOST'),
            [('hand_error', 0, 'GRASP-LOST'), ('hand_lost', 0)],
            id='Q32',
        ),
        pytest.param(
            reported('hand_track', code='INTERRUPT'),
            [('hand_error', 0, 'INTERRUPT')],
            id='Q32-interrupted',
        ),
        pytest.param(
            reported('bin_close', ('hand', 0), code='ROBOT-IN-BIN'),
            [
                ('storage_bin_error', 0, 'ROBOT-IN-BIN'),
                ('storage_bin_jammer', 0, ('hand', 0)),
                ('storage_bin_moved', 0),
            ],
            id='Q35',
        ),
        pytest.param(reported('robot_grab', True), [], id='Q36'),
    ],
)
def test_reports_become_values_and_pulses(found: Any, expected: Any) -> None:
    assert found == expected


def test_every_update_is_of_a_fluent_of_the_same_kind_of_part() -> None:
    for name, command in COMMANDS.items():
        for values in ((None,), (BOX,)):
            for kind in (STARTED, DONE):
                for found in updates(report(name, *values, kind=kind)):
                    fluent = FLUENTS[found.name]
                    assert (fluent.part, fluent.is_pulse) == (command.part, found.is_pulse)


def test_a_program_waits_for_pulses_and_values() -> None:
    simulator = Simulator(parse_design(DESIGN), 1)
    simulator.world.parameters = simulator.world.parameters.cleaned()
    robot = connect(simulator, 'robbie')
    fluents = Fluents(robot)
    story: list[Any] = []

    async def program() -> None:
        fluents.set('camera_designators', (), 1)
        robot.cameras[1].get_object_designator('local', {'size': 1})
        found = await fluents.until('camera_designators', bool, 1)
        story.append((robot.now, found[0].data['size']))
        robot.go_forward(2)
        story.append(await fluents.pulse('robot_stopped'))
        story.append((robot.now, fluents.value('robot_movement_error')))
        story.append(await fluents.until('robot_movement_error', 'NIL'.__eq__))

    task = Task(program())
    for _ in range(20):
        simulator.tick()
    assert task.done
    # A search takes 4 ticks; a move 5 and one for each of two.
    assert story == [(4, 1.0), 1, (11, 'NIL'), 'NIL']
    assert fluents.count('robot_stopped') == 1


@pytest.mark.parametrize('name', ['robot_stopped', 'nothing'])
def test_a_fluent_of_another_kind_is_refused(name: str) -> None:
    fluents = Fluents(connect(Simulator(parse_design(DESIGN), 1), 'robbie'))
    with pytest.raises(ValueError, match='with a value'):
        fluents.value(name)
    with pytest.raises(ValueError, match='no fluent'):
        fluents.pulse('robot_place')


def test_a_bad_test_fails_for_who_gave_it_and_for_nobody_else():
    stage = Stage()
    fluents = Fluents(stage.robot)
    bad = fluents.until('robot_angle_diff', lambda value: value is not None and value['x'])
    good = fluents.until('robot_angle_diff', lambda value: value is not None and value > 0.1)
    later = fluents.until('robot_angle_diff', lambda value: value is not None and value > 1)
    command = stage.robot.turn(0.5)
    with pytest.raises(TypeError):
        stage.wait(command)
    assert command.result().ok and good.done and not later.done
    with pytest.raises(TypeError):
        bad.result()
    stage.wait(stage.robot.turn(1.5))
    assert later.done


def test_a_mistake_of_one_who_waits_keeps_nothing_from_the_others():
    simulator = Simulator(parse_design(DESIGN), 1)
    robot = connect(simulator, 'robbie')
    fluents = Fluents(robot)
    wrong = fluents.until('robot_movement_error', lambda code: code is not None and code.missing)
    first, second = fluents.pulse('robot_stopped'), fluents.pulse('robot_stopped')
    first.when_done(lambda: [].pop())
    robot.turn(1.0)
    with pytest.raises(AttributeError, match='missing'):
        for _ in range(60):
            simulator.tick()
    assert wrong.done and first.result() == second.result() == 1


def test_a_fluent_is_an_argument_of_commands() -> None:
    simulator = Simulator(parse_design(DESIGN), 1)
    simulator.world.parameters = simulator.world.parameters.cleaned()
    robot = connect(simulator, 'robbie')
    fluents = Fluents(robot)
    found, angle = fluents.latest('camera_designators'), fluents.latest('robot_angle_diff')
    with pytest.raises(ValueError, match='a designator is needed, not None; was anything'):
        robot.cameras[0].track(found)

    async def program() -> list[str]:
        await robot.cameras[0].get_object_designator('local')
        await robot.turn(0.2)
        track = robot.cameras[0].track(found)
        await track.started
        outcomes = [await robot.turn(angle), await robot.hands[0].grasp(robot.cameras[0], found)]
        return [outcome.code for outcome in outcomes]

    task = Task(program())
    for _ in range(40):
        simulator.tick()
    assert task.result() == ['NIL', 'NIL']
    assert simulator.world.robots['robbie'].heading == pytest.approx(0.4)


def test_a_program_leaves_messages_for_people() -> None:
    simulator = Simulator(parse_design(DESIGN), 1)
    robot = connect(simulator, 'robbie')
    robot.error_set('no', 'way')
    robot.warning_set('box', 3)
    robot.message_set('done')
    said = [(one.robot, str(one)) for one in simulator.world.messages.take()]
    assert said == [
        ('robbie', '*ERROR* -> no way'),
        ('robbie', '*WARNING* -> box 3'),
        ('robbie', 'done'),
    ]
