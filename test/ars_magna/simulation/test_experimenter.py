"""The side that may know the truth: what it tells, what it changes, what it refuses."""

import dataclasses
import math
from itertools import pairwise

import pytest
from ars_stage import Stage

from walking_robots.ars_magna.parameters import PARAMETERS
from walking_robots.ars_magna.simulation.experimenter import Beside, Experimenter, Inside

WORLD = """
  substances: {wood: 120}
  objects:
    - name: box
      at: [20, 20]
      attrs: {size: 5, capacity: 5, substance: wood}
      contents: [{name: pen, attrs: {size: 0.2, color: green}}]
    - {name: ball, at: [3, 4]}
    - {name: ball, at: [5, 6]}
  prototypes:
    crate: {size: 3, capacity: 2, color: red}
    jar: {capacity: 2, contents: [{name: cork, attrs: {size: 0.1}}]}
"""


@pytest.fixture
def stage():
    return Stage(WORLD, definitions='kickers: {idle: {body: [{destroy: self}]}}')


@pytest.fixture
def experimenter(stage):
    return Experimenter(stage.simulator)


def warnings(stage):
    return [message.text for message in stage.world.messages.take()]


# What it tells


def test_things_are_reported_with_place_holder_and_attributes(experimenter):
    pen, box, *_ = experimenter.things()
    assert (pen.label, pen.x, pen.y, pen.inside) == ('PEN#1', 20, 20, 'BOX#2')
    assert pen.attributes == {'size': 0.2, 'color': 'green'}
    assert (box.label, box.inside, box.contents) == ('BOX#2', '', ('PEN#1',))
    with pytest.raises(dataclasses.FrozenInstanceError):
        pen.x = 0


def test_the_status_shows_what_designators_truly_mean(stage, experimenter):
    found, _ = stage.find_and_follow(what={'size': 5})
    stage.code(stage.robot.turn(0.5))
    status = experimenter.status('robbie')
    assert (status.x, status.y, status.heading) == (20, 20, pytest.approx(0.5))
    # The last tick of the turn is the shorter one.
    assert status.change == status.estimate == (0, pytest.approx(0.5 - math.pi / 8))
    assert (status.speed, status.turn_angle, status.place) == (1, math.pi / 8, '')
    (reported,) = status.designators
    assert (reported.number, reported.denotation, reported.type) == (
        found.number,
        'BOX#2',
        'local',
    )
    assert (reported.distance, reported.cameras, reported.data['capacity']) == (0, (0,), 5)
    assert experimenter.status('robbie').cameras[0].tracks == reported
    assert experimenter.status('robbie').cameras[1].tracks is None


def test_parts_are_reported_with_what_they_hold_and_where_they_are(stage, experimenter):
    experimenter.move_thing('pen', Inside('robbie/hand/0'))
    stage.truth.hands[1].inside = stage.truth.bins[0]
    stage.truth.cameras[1].inside = stage.thing('box')
    first, second = experimenter.status('robbie').hands
    assert (first.held, first.inside, first.strength) == ('PEN#1', '', 10)
    assert (second.held, second.inside) == ('', 'robbie/bin/0')
    assert experimenter.status('robbie').cameras[1].inside == 'BOX#2'
    assert experimenter.status('robbie').cameras[1].view == (120,) * 5
    experimenter.move_thing('pen', Inside('bin/1'))
    found = experimenter.status('robbie').bins[1]
    assert (found.closed, found.capacity, found.contents) == (False, 5, ('PEN#1',))
    assert found.free == pytest.approx(4.8)


# Robots


def test_t11_a_jump_leaves_the_odometers_alone(stage, experimenter):
    stage.code(stage.robot.go_forward(3))
    odometer = stage.robot.main_odometer
    before = odometer.position(), odometer.angle()
    experimenter.set_position('robbie', 7, 8.5)
    experimenter.set_angle('robbie', -2.65)
    stage.tick()
    assert (stage.truth.x, stage.truth.y, stage.truth.heading) == (7, 8.5, -2.65)
    assert (odometer.position(), odometer.angle()) == before


def test_a_jump_out_of_reach_ends_a_track(stage, experimenter):
    lost, track = stage.find_and_follow(what={'size': 5})
    experimenter.set_position('robbie', 20, 28)
    experimenter.set_angle('robbie', math.pi / 2)
    stage.tick()
    assert track.result().code == 'LOST-TRACK'
    stage.tick(10)
    assert not lost.valid


@pytest.mark.parametrize(
    'jump', [lambda e: e.set_position('robbie', 20.1, 20), lambda e: e.set_angle('robbie', 0.1)]
)
def test_a_jump_lets_designators_fade_that_nothing_tracks(stage, experimenter, jump):
    found = stage.designate(specification={'size': 5})
    stage.tick(20)
    assert found.valid
    jump(experimenter)
    grace = stage.world.parameters.untracked_desig_grace
    stage.tick(grace)
    assert found.valid
    stage.tick()
    assert not found.valid


def test_a_jump_ignores_walls():
    stage = Stage('  walls: [{rect: {from: [0, 0], to: [41, 41], type: a, params: [1]}}]')
    Experimenter(stage.simulator).set_position('robbie', 0, 0)
    assert stage.truth.cell == (0, 0)


# Things


def test_a_thing_is_made_of_its_prototype_and_of_what_is_said(stage, experimenter):
    label = experimenter.new_thing(
        'Big-Crate',
        (30, 31),
        {'size': 4, 'color': None, 'substance': 'wood'},
        'crate',
    )
    thing = experimenter.thing('big-crate')
    assert (label, thing.x, thing.y) == ('BIG-CRATE#5', 30, 31)
    assert {'size': 4.0, 'capacity': 2.0}.items() <= thing.attributes.items()
    assert 'color' not in thing.attributes
    assert warnings(stage) == []


def test_a_thing_can_be_made_beside_and_inside_others(experimenter):
    experimenter.new_thing('a', Beside('box'))
    experimenter.new_thing('b', Beside('pen'))
    experimenter.new_thing('c', Inside('box'))
    experimenter.new_thing('d', Inside('robbie/bin/1'))
    experimenter.new_thing('e', Inside('hand 0'))
    places = {thing.name: (thing.inside, thing.x, thing.y) for thing in experimenter.things()}
    assert places['a'] == ('', 20, 20)
    assert places['b'] == places['c'] == ('BOX#2', 20, 20)
    assert [places[name][0] for name in 'de'] == ['robbie/bin/1', 'robbie/hand/0']


def test_more_than_fits_is_warned_of(stage, experimenter):
    experimenter.new_thing('rock', Inside('box'), {'size': 4.9})
    assert warnings(stage) == ['more is in BOX#2 than fits.']
    experimenter.new_thing('small-jar', (1, 1), {'capacity': 0}, 'jar')
    assert warnings(stage) == ['more is in small_jar than fits.']
    experimenter.move_thing('rock', Inside('robbie/bin/1'))
    assert warnings(stage) == []


def test_things_are_changed_moved_and_destroyed(stage, experimenter):
    experimenter.set_attributes('ball#3', {'obsmove': True, 'size': 2})
    assert stage.world.scene.is_obstructed((3, 4))
    experimenter.set_attributes('ball#3', {'size': None})
    assert experimenter.thing('ball#3').attributes == {'obsmove': True}
    experimenter.move_thing('ball#3', (9.2, 9))
    assert stage.world.scene.is_obstructed((9, 9)) and not stage.world.scene.is_obstructed((3, 4))
    experimenter.destroy_thing('box')
    assert [thing.label for thing in experimenter.things()] == ['PEN#1', 'BALL#3', 'BALL#4']
    assert experimenter.thing('pen').inside == ''


def test_a_kicker_of_the_world_is_set_on_a_thing(stage, experimenter):
    experimenter.set_kicker('ball#4', 'idle')
    assert experimenter.thing('ball#4').kickers == ('idle',)
    stage.tick()
    assert [thing.label for thing in experimenter.things()] == ['PEN#1', 'BOX#2', 'BALL#3']


# Parameters


def test_t98_dirty_restores_all_that_clean_took(experimenter):
    stage = Stage(clean=False)
    experimenter = Experimenter(stage.simulator)
    experimenter.set_parameters(motion_noise=0.2, bin_delay=7)
    before = experimenter.parameters
    experimenter.clean()
    assert experimenter.parameters.clean and experimenter.parameters.motion_noise == 0
    experimenter.set_parameters(braking=9)
    experimenter.clean()
    assert experimenter.parameters.braking == 9
    # Whoever else experiments with this world restores it as well.
    Experimenter(stage.simulator).dirty()
    assert all(
        getattr(experimenter.parameters, name) == getattr(before, name) for name in PARAMETERS
    )
    assert not experimenter.parameters.clean
    experimenter.set_parameters(braking=4)
    experimenter.dirty()
    assert experimenter.parameters.braking == 4


def test_a_range_of_pixels_counts_at_once(stage, experimenter):
    assert stage.world.pixel_range == (0, 128)
    experimenter.set_parameters(pixel_range=(3, 5))
    assert stage.world.pixel_range == (3, 5)


# What it refuses


@pytest.mark.parametrize(
    ('act', 'reason'),
    [
        (lambda e: e.status('rob'), "there is no robot 'rob'; did you mean 'robbie'?"),
        (lambda e: e.set_position('robbie', 41, 0), 'is not on the map'),
        (lambda e: e.set_position('robbie', math.nan, 0), 'two finite numbers'),
        (lambda e: e.set_position('robbie', 'a', 0), 'two finite numbers'),
        (lambda e: e.set_angle('robbie', math.inf), 'a heading needs a number'),
        (lambda e: e.set_angle('robbie', math.nan), 'a heading needs a number'),
        (lambda e: e.thing('bal'), "there is no thing 'bal'; did you mean 'ball'?"),
        (lambda e: e.thing('ball'), 'there are 2 things .* such as BALL#3, BALL#4'),
        (lambda e: e.thing(''), "there is no thing ''"),
        (lambda e: e.new_thing('a', 3), 'a location is'),
        (lambda e: e.new_thing('a', (99, 0)), 'is not on the map'),
        (lambda e: e.new_thing('a b', (9, 0)), "cannot be called 'a b'"),
        (lambda e: e.new_thing('a', (9, 0), {'sise': 1}), "no attribute; did you mean 'size'"),
        (lambda e: e.new_thing('a', (9, 0), {'size': 'big'}), "'size' must be a finite number"),
        (lambda e: e.new_thing('a', (9, 0), {'color': 'pink'}), "'color' cannot be 'pink'"),
        (lambda e: e.new_thing('a', (9, 0), {}, 'crat'), 'which is no prototype'),
        (lambda e: e.new_thing('a', Inside('robbie/bin/7')), 'has no bin 7; it has 2'),
        (lambda e: e.new_thing('a', Inside('rob/bin/0')), "there is no robot 'rob'"),
        (lambda e: e.new_thing('a', Inside('cup')), "there is no thing 'cup'"),
        (lambda e: e.move_thing('box', Inside('box')), 'cannot be put into itself'),
        (lambda e: e.move_thing('box', Inside('pen')), 'cannot be put into itself'),
        (lambda e: e.set_attributes('box', {'closed': 'ajar'}), "'closed' cannot be 'ajar'"),
        (lambda e: e.set_kicker('box', 'idel'), "there is no kicker 'idel'; did you mean 'idle'"),
        (lambda e: e.put_kicker('box', 'idle', None), "BOX#2 has no kicker 'idle'"),
        (lambda e: e.set_parameters(speed=1), "there is no parameter 'speed'"),
        (lambda e: e.set_parameters(braking=-1), 'parameter braking'),
    ],
)
def test_what_cannot_be_is_refused_and_changes_nothing(stage, experimenter, act, reason):
    before = experimenter.things(), experimenter.status('robbie'), experimenter.parameters
    with pytest.raises(ValueError, match=reason):
        act(experimenter)
    assert (experimenter.things(), experimenter.status('robbie'), experimenter.parameters) == (
        before
    )


def test_a_full_hand_takes_nothing_more(experimenter):
    experimenter.move_thing('pen', Inside('hand/0'))
    for place in (Inside('hand/0'), Beside('pen')):
        with pytest.raises(ValueError, match='hand 0 of robbie holds PEN#1 already'):
            experimenter.new_thing('a', place)


def test_a_part_needs_its_robot_where_there_are_several():
    robots = '  - {name: a, at: [1, 1], bins: [{capacity: 1}]}\n  - {name: b, at: [2, 2]}'
    experimenter = Experimenter(Stage(robots=robots).simulator)
    experimenter.new_thing('nut', Inside('a/bin/0'))
    with pytest.raises(ValueError, match='may belong to any of 2 robots'):
        experimenter.new_thing('nut', Inside('bin/0'))


def test_a_pose_with_a_wrong_part_changes_nothing(experimenter):
    before = experimenter.status('robbie')
    with pytest.raises(ValueError, match='a heading needs a number'):
        experimenter.set_pose('robbie', (3.0, 4.0), math.nan)
    assert experimenter.status('robbie').x == before.x


def test_a_thing_that_is_made_nowhere_is_a_prototype(stage, experimenter):
    assert experimenter.new_thing('Pot', None, {'color': 'red'}, 'jar') == 'pot'
    assert not list(stage.world.scene.find('pot'))
    made = experimenter.new_thing('vase', (3, 3), {'size': 2}, 'pot')
    assert stage.thing('vase').attributes == {'size': 2.0, 'capacity': 2.0, 'color': 'red'}
    assert experimenter.thing(made).contents == (stage.thing('cork').label,)
    # Another simulation of the same design knows nothing of it.
    assert 'pot' not in Stage(WORLD).world.prototypes


def test_moved_things_nest_only_so_deep():
    stage = Stage('  objects:\n' + '    - {name: box, at: [20, 20], attrs: {capacity: 9}}\n' * 80)
    boxes = list(stage.world.scene.things.values())
    with pytest.raises(ValueError, match='too deep'):
        for inner, outer in pairwise(boxes):
            stage.world.scene.put(inner, outer)


def test_cleaning_twice_takes_away_what_came_between():
    stage = Stage(clean=False)
    experimenter = Experimenter(stage.simulator)
    experimenter.clean()
    experimenter.set_parameters(motion_noise=0.2)
    experimenter.clean()
    assert stage.world.parameters.motion_noise == 0.0
    experimenter.dirty()
    assert stage.world.parameters.motion_noise == 0.1


def test_an_experimenter_leaves_messages_and_schedules_events(stage, experimenter):
    experimenter.error_set('too', 'late')
    experimenter.warning_set('mind')
    experimenter.message_set('hello', 2)
    said = [str(message) for message in stage.world.messages.take()]
    assert said == ['*ERROR* -> too late', '*WARNING* -> mind', 'hello 2']
    ran = []
    assert experimenter.schedule('bell', lambda: ran.append(stage.now), timer=4)
    assert not experimenter.schedule('bell', lambda: ran.append('never'))
    stage.tick(9)
    assert ran == [4]


def test_a_kicker_is_put_by_a_mapping(stage, experimenter):
    experimenter.put_kicker('box', 'walk', {'body': [{'kick': {'dx': 1, 'dy': 'x - x'}}]})
    stage.tick(3)
    assert stage.world.scene.position(stage.thing('box')) == (23, 20)
    experimenter.put_kicker('box', 'walk', {'body': []})
    stage.tick(3)
    assert stage.world.scene.position(stage.thing('box')) == (23, 20)


@pytest.mark.parametrize(
    ('content', 'sentence'),
    [
        ({}, "kicker 'walk' must have either body or python"),
        (
            {'prob': 2, 'body': []},
            "kicker 'walk': field 'prob' must be from 0 to 1; write a number such as 0.05.",
        ),
        ({'body': [{'kick': {'dx': 'up'}}]}, "kicker 'walk': field 'body.0..kick.dx' .*'up'"),
        ({'chance': 1}, "kicker 'walk': field 'chance' is not a field of a kicker"),
        ({'body': [{'kick': object()}]}, "kicker 'walk' must be of plain data; write {'prob'"),
    ],
)
def test_a_mapping_that_is_no_kicker_is_refused_in_one_sentence(
    stage, experimenter, content, sentence
):
    with pytest.raises(ValueError, match=sentence) as caught:
        experimenter.put_kicker('box', 'walk', content)
    assert '\n' not in str(caught.value)
    assert not stage.thing('box').kickers
