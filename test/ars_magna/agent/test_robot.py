"""What a program may hand to the commands of its robot."""

import pytest
from ars_stage import Stage

BOX = '  objects: [{name: box, at: [20, 20], attrs: {size: 5, capacity: 5}}]'


@pytest.mark.parametrize(
    ('issue', 'sentence'),
    [
        (lambda r, d: r.cameras[0].track(None), 'a designator is needed, not None; was anything'),
        (lambda r, d: r.cameras[0].track(3), 'a designator is needed, not 3'),
        (lambda r, d: r.hands[0].grasp(r.cameras[0], 7), 'a designator is needed, not 7'),
        (lambda r, d: r.hands[0].grasp(r.hands[1], d), 'a camera is needed, not hand 1'),
        (lambda r, d: r.hands[0].grasp(0, d), 'a camera is needed, not 0'),
        (lambda r, d: r.hands[0].insert(5), 'a designator or bin is needed, not 5'),
        (
            lambda r, d: r.cameras[0].insert(r.hands[0]),
            'a designator or bin is needed, not hand 0',
        ),
        (lambda r, d: r.goto_designator(None), 'a camera is needed, not None'),
        (lambda r, d: r.manipulate('lock', d, r.hands[0]), 'a list of designators is needed'),
        (lambda r, d: r.manipulate('lock', [None], r.hands[0]), 'a designator is needed, not'),
        (lambda r, d: r.manipulate('lock', [d], 'hand'), "a part of the robot is needed, not 'ha"),
        (lambda r, d: r.new_odometer('a/b'), "odometer 'a/b' cannot be made: use letters, digits"),
        (lambda r, d: r.new_odometer(''), "odometer '' cannot be made"),
    ],
)
def test_what_a_command_cannot_take_is_one_sentence(issue, sentence):
    stage = Stage(BOX)
    found = stage.designate()
    with pytest.raises(ValueError, match=sentence):
        issue(stage.robot, found)
    assert stage.code(stage.robot.turn(0.1)) == 'NIL'


@pytest.mark.parametrize(
    ('issue', 'sentence'),
    [
        (lambda camera: camera.turn(), "missing a required argument: 'angle'"),
        (lambda camera: camera.turn(0.1, None, 2), 'too many positional arguments'),
        (lambda camera: camera.turn(0.1, angle=0.2), "multiple values for argument 'angle'"),
        (lambda camera: camera.turn(0.1, speed=1), "an unexpected keyword argument 'speed'"),
        (lambda camera: camera.get_object_designator(1, all=True), "keyword argument 'all'"),
    ],
)
def test_the_arguments_of_a_command_are_checked(issue, sentence):
    with pytest.raises(TypeError, match=sentence):
        issue(Stage(BOX).robot.cameras[0])


def test_what_a_designator_reports_may_be_looked_for():
    stage = Stage(
        '  substances: {wood: 120}\n'
        '  objects: [{name: cup, at: [20, 20], attrs: {size: 1, substance: wood}}]'
    )
    reported = stage.designate().data
    assert stage.designate(specification=reported).data == reported
