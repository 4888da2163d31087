"""Missions in the shipped worlds, judged by the truth; seeds that they were not developed on."""

import pytest

from benchmarks.errands import MOST_TICKS, REQUEST, house_with_toys
from walking_robots.ars_magna.design.files import load_design
from walking_robots.ars_magna.geometry.point import Point
from walking_robots.ars_magna.plans.errands import Errand, request_of
from walking_robots.ars_magna.sensing.attributes import STANDARD
from walking_robots.documents.shipped_worlds import find_world
from walking_robots.trials.ars_magna.trial import ArsTrial, run

OFFICE, HOUSE = (load_design(find_world(name)) for name in ('office', 'house'))


@pytest.mark.parametrize(
    ('design', 'plan', 'what', 'seeds'),
    [
        (OFFICE, 'deliver', 'kind=letter to 4,0; kind=key color=lightred to 2,0', (41, 42, 43)),
        (OFFICE, 'tidy', 'kind=key', (41, 42, 43)),
        (OFFICE, 'report', 'kind=letter; color=lightblue kind=key', (41, 42)),
        (
            OFFICE,
            'unlock',
            'kind=key color=lightred; kind=drawer; kind=letter color=red',
            (41, 42, 43),
        ),
        (HOUSE, 'patrol', 'color=lightgreen', (41, 42)),
        # The cat, which goes away again and again.
        (HOUSE, 'guard', 'color=lightred', (41, 42)),
    ],
)
def test_a_mission_reaches_its_goal(design, plan, what, seeds):
    results = [run(ArsTrial((), plan, seed, what=what), design) for seed in seeds]
    assert [one.message for one in results if not one.goal_reached] == []


@pytest.mark.parametrize(('plan', 'seeds'), [('deliver', (1005,)), ('planned', (3001,))])
def test_ten_things_in_the_house_come_to_their_places(plan, seeds):
    # So long ways that the pose would drift by more than a cell if no wall corrected it.
    if plan == 'planned':
        pytest.importorskip('pyperplan')
    results = [
        run(ArsTrial((), plan, seed, ticks=MOST_TICKS, what=REQUEST), house_with_toys(seed))
        for seed in seeds
    ]
    assert [one.message for one in results if not one.goal_reached] == []


def test_errands_are_read_with_their_places():
    found = request_of('color=red to 2,-1.5; size=3', STANDARD)
    assert found == (
        Errand((('color', 'red'),), Point(2.0, -1.5)),
        Errand((('size', 3.0),), Point(0.0, 0.0)),
    )
    assert request_of('color=red', STANDARD) == (('color', 'red'),)


@pytest.mark.parametrize(
    ('text', 'sentence'),
    [
        ('color=red to 2', "'2' is no place; write cells ahead and to the right: to 2,0"),
        ('color=red to x,0', "a finite number is needed, not 'x'"),
        (' to 2,0; color=red', 'describes nothing; write for example kind=key to 2,0'),
        ('colour=red to 2,0', "no attribute 'colour'"),
    ],
)
def test_errands_that_cannot_be_read_get_a_sentence(text, sentence):
    with pytest.raises(ValueError, match=sentence):
        request_of(text, STANDARD)
