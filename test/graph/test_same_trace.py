"""A trial gives the same result to the last bit in plain Python, composed and distributed."""

from typing import Any

import pytest

from walking_robots.robots.asv import ft
from walking_robots.trials.hexapod.asv import AsvTrial, run

pytestmark = pytest.mark.graph

SHORT = AsvTrial(forbidden=0.25, seed=5, lateral=0.05, turn=0.02, max_time=12.0)
CROSSING = AsvTrial(ditch=ft(7.0), forbidden=0.2, seed=77)


@pytest.mark.parametrize('how', ['composed', 'distributed'])
@pytest.mark.parametrize('rules', ['repaired', 'faithful'])
def test_a_short_walk(how: Any, rules: str, graph: Any) -> None:
    from dataclasses import replace

    from walking_robots.nodes.hexapod.trial_free import run_in_graph

    trial = replace(SHORT, rules=rules)
    assert run_in_graph(trial, how, domain=graph.private_domain()) == run(trial)


@pytest.mark.slow
def test_a_crossing(graph: Any) -> None:
    from walking_robots.nodes.hexapod.trial_free import run_in_graph

    plain = run(CROSSING)
    assert plain.completed
    assert run_in_graph(CROSSING, 'composed', domain=graph.private_domain()) == plain


@pytest.mark.slow
@pytest.mark.parametrize('how', ['composed', 'distributed'])
def test_a_walk_by_planned_footholds(how: Any, graph: Any) -> None:
    from walking_robots.nodes.hexapod.trial_free import run_in_graph

    trial = AsvTrial(gait='planned', ditch=ft(8.0), forbidden=0.4, seed=9, goal=ft(28.0))
    plain = run(trial)
    assert plain.completed and plain.plans >= 2
    assert run_in_graph(trial, how, domain=graph.private_domain()) == plain


@pytest.mark.slow
def test_a_walk_that_turns_aside(graph: Any) -> None:
    from walking_robots.nodes.hexapod.trial_free import run_in_graph

    trial = AsvTrial(gait='auto', ditch=ft(9.0), forbidden=0.2, seed=4)
    plain = run(trial)
    assert plain.completed
    assert run_in_graph(trial, 'composed', domain=graph.private_domain()) == plain


def test_a_wrong_rule_set_is_refused_before_anything_starts(graph: Any) -> None:
    from walking_robots.nodes.hexapod.trial_free import run_in_graph

    with pytest.raises(ValueError, match='faithful or repaired'):
        run_in_graph(AsvTrial(rules='wild'), 'composed', domain=graph.private_domain())


def test_one_graph_leaves_nothing_behind_for_the_next(graph: Any) -> None:
    from walking_robots.nodes.hexapod.trial_free import run_in_graph

    trial, domain = AsvTrial(max_time=3.0), graph.private_domain()
    plain = run(trial)
    for how in ('composed', 'distributed', 'composed'):
        assert run_in_graph(trial, how, domain=domain) == plain
