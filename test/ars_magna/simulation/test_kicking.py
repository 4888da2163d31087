"""Kickers, by the checks of ars_magna.md §11.6."""

import pytest
from ars_stage import Stage

from walking_robots.ars_magna.design.model import Kicker
from walking_robots.ars_magna.sensing.attributes import Substance
from walking_robots.ars_magna.simulation import behaving
from walking_robots.ars_magna.simulation.behaving import Act, kick_thing
from walking_robots.ars_magna.simulation.experimenter import Experimenter

BALLS = """
  objects:
    - {name: ball, at: [5, 5], attrs: {size: 1}}
    - {name: other, at: [6, 6], attrs: {size: 1}}
  walls:
    - wall: {from: [10, 0], to: [10, 40], type: stone, params: [1]}
    - wall: {from: [12, 0], to: [12, 40], type: stone, params: [1]}
  kickers:
    - {use: grow, on: ball}
    - {use: grow, on: other}
"""


def grow(probability=1.0, test='true', extra=''):
    """Write a kicker that counts its runs in the size of its thing."""
    return (
        f'kickers:\n  grow:\n    prob: {probability}\n    test: {test}\n    body:\n'
        f'      - set: {{self: {{size: "attr(\'size\') + 1"}}}}\n{extra}'
    )


def sizes(stage):
    return [stage.thing(name).size for name in ('ball', 'other')]


def test_t92_a_kicker_runs_by_its_chance():
    stage = Stage(BALLS, definitions=grow(0.05), seed=7)
    Experimenter(stage.simulator).put_kicker('other', 'grow', None)
    stage.tick(10_000)
    assert stage.thing('ball').size - 1 == pytest.approx(500, abs=87)


def test_a_kicker_runs_only_while_its_test_holds():
    stage = Stage(BALLS, definitions=grow(test='tick > 3'))
    stage.tick(10)
    assert sizes(stage) == [8, 8]


def test_a_kicker_that_runs_again_needs_neither_test_nor_chance():
    stage = Stage(
        BALLS, definitions=grow(test='tick == 2', extra='      - run_again: {times: 3}\n')
    )
    stage.tick(20)
    assert sizes(stage) == [5, 5]


def test_a_kicker_without_test_and_prob_runs_in_every_tick():
    body = 'kickers:\n  grow:\n    body: [{set: {self: {size: "attr(\'size\') + 1"}}}]\n'
    stage = Stage(BALLS, definitions=body)
    stage.tick(5)
    assert sizes(stage) == [6, 6]


def test_t93_a_kick_into_a_wall_goes_beside_it_where_that_is_wanted():
    stage = Stage(BALLS, definitions=grow())
    ball = stage.thing('ball')
    assert not kick_thing(stage.world, ball, 5, 0, False)
    assert (ball.x, ball.y) == (5, 5)
    assert kick_thing(stage.world, ball, 5, 0.2, True)
    assert (ball.x, ball.y) == (9, 5)
    assert kick_thing(stage.world, ball, 2, 0, False)
    assert (ball.x, ball.y) == (11, 5)


def test_a_kick_off_the_map_goes_nowhere():
    stage = Stage(BALLS, definitions=grow())
    assert not kick_thing(stage.world, stage.thing('ball'), -50, 0, True)


def test_t94_a_kick_leaves_an_open_bin_and_no_closed_one():
    stage = Stage(BALLS, definitions=grow())
    ball, found = stage.thing('ball'), stage.truth.bins[0]
    stage.world.scene.put(ball, found)
    found.closed = True
    assert not kick_thing(stage.world, ball, 1, 0, True)
    assert ball.holder is found
    found.closed = False
    assert kick_thing(stage.world, ball, 1, -0.5, False)
    assert ball.holder is None
    assert (ball.x, ball.y) == (stage.truth.x + 1, stage.truth.y - 0.5)


def test_a_kick_needs_all_that_is_around_open():
    world = (
        '  objects:\n    - name: box\n      at: [3, 3]\n      attrs: {capacity: 9, closed: true}\n'
        '      contents:\n        - name: bag\n          attrs: {capacity: 5}\n'
        '          contents: [{name: ball}]\n'
    )
    stage = Stage(world)
    ball = stage.thing('ball')
    assert not kick_thing(stage.world, ball, 1, 0, False)
    stage.world.scene.change(stage.thing('box'), {'closed': False})
    assert kick_thing(stage.world, ball, 1, 0, False)
    assert (ball.x, ball.y) == (4, 3)


@pytest.mark.parametrize(('allowed', 'code'), [(True, 'GRASP-LOST'), (False, None)])
def test_t84_a_kick_can_take_a_thing_out_of_a_hand(allowed, code):
    stage = Stage(BALLS, definitions=grow(), kick_from_hand=allowed)
    ball, hand = stage.thing('ball'), stage.truth.hands[1]
    stage.world.scene.put(ball, hand)
    track = stage.robot.hands[1].track()
    stage.wait(track.started)
    assert kick_thing(stage.world, ball, 1, 0, False) is allowed
    stage.tick()
    assert (track.result().code if track.done else None) == code


def test_t95_an_empty_body_takes_a_global_kicker_from_one_thing_only():
    stage = Stage(BALLS, definitions=grow())
    experimenter = Experimenter(stage.simulator)
    empty = Kicker('grow', 1.0, None, ())
    experimenter.put_kicker('ball', 'GROW', empty)
    assert (experimenter.thing('ball').kickers, experimenter.thing('other').kickers) == (
        (),
        ('grow',),
    )
    stage.tick(3)
    assert sizes(stage) == [1, 4]
    experimenter.set_kicker('ball', 'grow')
    stage.tick(2)
    assert sizes(stage) == [3, 6]


def test_put_kicker_replaces_one_of_the_same_name():
    stage = Stage(BALLS, definitions=grow())
    never = Kicker('x', 0.0, None, 'nothing')
    Experimenter(stage.simulator).put_kicker('ball', 'grow', never)
    stage.tick(3)
    assert sizes(stage) == [1, 4]


@pytest.mark.parametrize(
    ('definition', 'sentence'),
    [
        (
            'test: "attr(\'size\') > 2", body: [{kick: {dx: 1}}]',
            "kicker 'k' of LAMP#1 fails: 'attr('size') > 2' cannot be worked out: an attribute "
            'that is missing is not a number.',
        ),
        (
            'body: [{kick: {dx: "attr(\'weight\')"}}]',
            "kicker 'k' of LAMP#1 fails: 'attr('weight')' cannot be worked out: an attribute "
            'that is missing is not a number.',
        ),
        (
            "body: [{if: tick > 0, then: [{set: {self: {size: 'x - 10'}}}]}]",
            "kicker 'k' of LAMP#1 fails: 'size' must be 0 or more, not -5.",
        ),
        (
            "body: [{set: {self: {size: '0 - tick'}}}]",
            "kicker 'k' of LAMP#1 fails: 'size' must be 0 or more, not -1.",
        ),
    ],
)
def test_what_is_wrong_with_a_kicker_is_reported_once(definition, sentence):
    stage = Stage(
        '  objects: [{name: lamp, at: [5, 20]}]\n  kickers: [{use: k, on: lamp}]',
        definitions=f'kickers: {{k: {{{definition}}}}}',
    )
    stage.tick(5)
    assert [message.text for message in stage.world.messages.take()] == [sentence]


def test_each_step_that_is_wrong_is_reported_once_and_a_thousand_at_most(monkeypatch):
    lamps = '{name: lamp, at: [5, 20]}, {name: lamp, at: [6, 20]}'
    wrong = "{set: {self: {size: '0 - tick'}}}"
    definitions = f'kickers: {{k: {{body: [{{if: tick > 2, then: [{wrong}], else: [{wrong}]}}]}}}}'
    world = f'  objects: [{lamps}]\n  kickers: [{{use: k, on: lamp}}]'
    stage = Stage(world, definitions=definitions)
    stage.tick(5)
    reported = [message.text.partition(' fails')[0] for message in stage.world.messages.take()]
    assert reported == ["kicker 'k' of LAMP#1", "kicker 'k' of LAMP#2"] * 2
    monkeypatch.setattr(behaving, 'MOST_REPORTED', 1)
    stage = Stage(world, definitions=definitions)
    stage.tick(5)
    first, last = (message.text for message in stage.world.messages.take())
    assert 'LAMP#1' in first and last.startswith('More than 1 bodies')


def test_a_kick_may_go_by_any_attribute_with_numbers():
    stage = Stage(
        '  substances: {wood: 2}\n  kickers: [{use: k, on: lamp}]\n'
        '  objects: [{name: lamp, at: [5, 20], attrs: {stride: 0.5, substance: wood}}]',
        definitions='attributes: {stride: {domain: [0.5, 1]}}\n'
        "kickers: {k: {body: [{kick: {dx: attr('stride'), dy: attr('substance')}}]}}",
    )
    stage.tick()
    assert (stage.thing('lamp').x, stage.thing('lamp').y) == (5.5, 22)


def test_what_a_function_does_wrong_is_reported_by_the_name_of_what_it_did_it_to():
    stage = Stage(BALLS, definitions=grow())
    act = Act(stage.world, 'x', {'self': stage.thing('ball')}, stage.world.kickers, (0.0, 0.0))
    camera = stage.truth.cameras[0]
    with pytest.raises(ValueError, match='camera 0 holds no things'):
        act.move(stage.thing('ball'), camera)
    with pytest.raises(ValueError, match="'color' cannot be"):
        act.set(stage.thing('ball'), color=Substance('wood', 120.0))


def test_the_chance_is_drawn_only_where_the_test_holds():
    stage = Stage(BALLS, definitions=grow(0.5, 'tick > 50'), seed=3)
    before = stage.world.kickers.getstate()
    stage.tick(50)
    assert stage.world.kickers.getstate() == before
    stage.tick(2)
    assert stage.world.kickers.getstate() != before


def test_a_kicker_may_request_a_run_from_within_a_requested_run():
    stage = Stage(
        '  objects:\n    - {name: ball, at: [20, 20]}\n  kickers: [{use: roll, on: ball}]\n',
        definitions="""
kickers:
  roll:
    test: x < 20.5
    body:
      - kick: {dx: 1, dy: 0}
      - if: x < 30
        then: [{run_again: {times: 1}}]
""",
    )
    stage.tick(30)
    assert stage.thing('ball').x == pytest.approx(31)
