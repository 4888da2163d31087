"""Trials of several robots."""

import pytest

from walking_robots.ars_magna.design.files import load_design, parse_design
from walking_robots.documents.shipped_worlds import find_world
from walking_robots.trials.ars_magna.metrics import together
from walking_robots.trials.ars_magna.trial import ArsTrial, run

OFFICE = load_design(find_world('office'))
ERRANDS = 'kind=key color=lightred to 2,0; kind=letter to 4,0'


@pytest.mark.parametrize('seed', [71, 72, 73])
def test_two_robots_share_a_delivery(seed):
    result = run(ArsTrial((), 'deliver', seed, what=ERRANDS, robots=2), OFFICE)
    assert result.goal_reached, result.message
    assert [one.robot for one in result.each] == ['robbie', 'robbie_2']
    # Each took one of the errands.
    assert all(one.metrics.drops >= 1 for one in result.each)
    assert result.metrics == together(one.metrics for one in result.each)
    assert run(ArsTrial((), 'deliver', seed, what=ERRANDS, robots=2), OFFICE) == result


def test_robots_with_other_errands_do_not_take_them_from_each_other():
    trial = ArsTrial(
        (), 'deliver', 74, what='kind=letter to 4,0', mates=('deliver kind=key to 2,0',)
    )
    result = run(trial, OFFICE)
    assert result.goal_reached, result.message
    assert all(one.metrics.drops >= 1 for one in result.each)


def test_robots_have_programs_of_their_own():
    trial = ArsTrial((), 'robust', 5, what='kind=key', mates=('excursion', 'robust kind=letter'))
    result = run(trial, OFFICE)
    assert [(one.robot, one.plan) for one in result.each] == [
        ('robbie', 'robust'),
        ('robbie_2', 'excursion'),
        ('robbie_3', 'robust'),
    ]
    assert result.each[0].trace_sha256 != result.each[2].trace_sha256
    assert result.goal_reached == all(one.goal_reached for one in result.each)


def test_robots_of_the_world_come_before_added_ones():
    text = """
ars_schema: 1
world: {name: field, size: [60, 60]}
robots:
  - {name: anna, at: [10, 30]}
  - {name: bert, at: [10, 40]}
"""
    result = run(ArsTrial((), 'excursion', robot='bert', robots=3), parse_design(text, 'field'))
    assert [one.robot for one in result.each] == ['bert', 'anna', 'bert_3']


def test_where_there_is_no_room_for_robots_a_sentence_says_so():
    text = """
ars_schema: 1
world: {name: hut, size: [4, 4], walls: [{rect: {from: [0, 0], to: [3, 3], type: wood}}]}
robots: [{name: anna, at: [1, 1]}]
"""
    with pytest.raises(ValueError, match='there is no room for 3 robots near anna; use fewer'):
        run(ArsTrial((), 'excursion', robots=3), parse_design(text, 'hut'))
