"""A trial gives the same result to the last bit in plain Python, composed and distributed."""

from dataclasses import replace
from typing import Any

import pytest

from walking_robots.documents.shared import shared_path
from walking_robots.gaits.free.articulated_model import find_free_gait_model
from walking_robots.robots.asv import ft
from walking_robots.robots.hexapod_files import find_hexapod
from walking_robots.simulation.hexapod.physical_parts import PhysicsSettings
from walking_robots.terrain.relief import Relief, Rubble, Slope
from walking_robots.trials.hexapod.asv import AsvTrial, run
from walking_robots.trials.hexapod.eyes_settings import EyesSettings
from walking_robots.trials.hexapod.free import FreeGaitTrial
from walking_robots.trials.hexapod.free import run as run_free
from walking_robots.trials.hexapod.periodic import HexapodTrial
from walking_robots.trials.hexapod.periodic import run as run_periodic

pytestmark = pytest.mark.graph

SHORT = AsvTrial(forbidden=0.25, seed=5, lateral=0.05, turn=0.02, max_time=12.0)
CROSSING = AsvTrial(ditch=ft(7.0), forbidden=0.2, seed=77)


@pytest.mark.parametrize('how', ['composed', 'distributed'])
@pytest.mark.parametrize('rules', ['repaired', 'faithful'])
def test_a_short_walk(how: Any, rules: str, graph: Any) -> None:
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


@pytest.mark.parametrize('how', ['composed', 'distributed'])
@pytest.mark.parametrize('relief', [(), (Slope(0.2, 1.0), Rubble(0.003, 7))])
def test_a_walk_with_forces(how: Any, relief: tuple[Relief, ...], graph: Any) -> None:
    from walking_robots.nodes.hexapod.trial import run_periodic_in_graph

    trial = HexapodTrial(find_hexapod('insect18'), speed=0.05, time=4.0, physics=PhysicsSettings())
    trial = trial.over(*relief) if relief else trial
    plain = run_periodic(trial)
    found = run_periodic_in_graph('insect18', trial, how, domain=graph.private_domain())
    assert found.trace_sha256 == plain.trace_sha256
    assert found.trace_sha256 != run_periodic(replace(trial, physics=None)).trace_sha256


@pytest.mark.parametrize('how', ['composed', 'distributed'])
def test_a_crossing_with_forces(how: Any, graph: Any) -> None:
    from walking_robots.nodes.hexapod.trial_free import run_in_graph

    trial = replace(SHORT, forbidden=0.2, physics=PhysicsSettings())
    plain = run(trial)
    found = run_in_graph(trial, how, domain=graph.private_domain())
    assert found.trace_sha256 == plain.trace_sha256
    assert plain.trace_sha256 != run(replace(trial, physics=None)).trace_sha256


@pytest.mark.parametrize('how', ['composed', 'distributed'])
def test_a_free_gait_with_forces(how: Any, graph: Any) -> None:
    from walking_robots.nodes.hexapod.trial import run_free_in_graph

    model = find_free_gait_model('insect18')
    trial = FreeGaitTrial(model, forbidden=0.2, distance=0.1, physics=PhysicsSettings())
    found = run_free_in_graph('insect18', trial, how, domain=graph.private_domain())
    assert found.trace_sha256 == run_free(trial).trace_sha256


@pytest.mark.parametrize(('how', 'odometry'), [('composed', 'drift:1%'), ('distributed', 'legs')])
def test_a_walk_with_eyes(how: Any, odometry: str, graph: Any) -> None:
    from walking_robots.nodes.hexapod.trial import run_free_in_graph

    model = find_free_gait_model('insect18')
    trial = FreeGaitTrial(
        model, speed=1.0, forbidden=0.2, seed=7, distance=0.05, eyes=EyesSettings(),
        odometry=odometry,
    )  # fmt: skip
    plain = run_free(trial)
    assert plain.completed and plain.footholds and not plain.false_footholds
    found = run_free_in_graph('insect18', trial, how, domain=graph.private_domain())
    assert (found.reason, found.trace_sha256) == (plain.reason, plain.trace_sha256)
    assert found.trace_sha256 != run_free(replace(trial, eyes=None)).trace_sha256


@pytest.mark.parametrize('gait', ['tripod', 'free'])
def test_a_walk_in_which_a_leg_fails(gait: str, graph: Any) -> None:
    from walking_robots.nodes.hexapod.trial import run_free_in_graph, run_periodic_in_graph

    physics, domain = PhysicsSettings(fail='3:dead', fail_at=1.0), graph.private_domain()
    if gait == 'tripod':
        walk = HexapodTrial(find_hexapod('insect18'), speed=0.05, time=6.0, physics=physics)
        plain, found = (
            run_periodic(walk),
            run_periodic_in_graph('insect18', walk, 'distributed', domain=domain),
        )
    else:
        model = find_free_gait_model('insect18')
        trial = FreeGaitTrial(model, distance=0.1, time=12.0, physics=physics)
        plain, found = (
            run_free(trial),
            run_free_in_graph('insect18', trial, 'composed', domain=domain),
        )
    assert 'leg 3 has failed' in plain.reason
    assert (found.reason, found.trace_sha256) == (plain.reason, plain.trace_sha256)


@pytest.mark.parametrize('how', ['composed', 'distributed'])
def test_a_walk_by_odometry_of_the_legs(how: Any, graph: Any) -> None:
    from walking_robots.nodes.hexapod.trial import run_periodic_in_graph

    noisy = PhysicsSettings(switch_noise=0.005)
    trial = HexapodTrial(
        find_hexapod('insect18'), speed=0.05, time=4.0, physics=noisy, odometry='legs', seed=8
    )
    plain = run_periodic(trial)
    found = run_periodic_in_graph('insect18', trial, how, domain=graph.private_domain())
    assert found.trace_sha256 == plain.trace_sha256
    exact = run_periodic(replace(trial, physics=PhysicsSettings(), odometry='exact'))
    assert plain.trace_sha256 != exact.trace_sha256


@pytest.mark.parametrize('how', ['composed', 'distributed'])
@pytest.mark.parametrize('gait', ['tripod', 'free'])
def test_a_walk_on_a_battery_that_empties(gait: str, how: Any, graph: Any, tmp_path: Any) -> None:
    from walking_robots.nodes.hexapod.trial import run_free_in_graph, run_periodic_in_graph

    # It is slower with each second, and rests in the end.
    text = shared_path('config/robots/insect18.yaml').read_text()
    file = tmp_path / 'small.yaml'
    file.write_text(text.replace('capacity: 5000mAh', 'capacity: 40mAh'))
    physics, domain = PhysicsSettings(battery=0.12), graph.private_domain()
    if gait == 'tripod':
        walk = HexapodTrial(find_hexapod(str(file)), speed=1.0, time=18.0, physics=physics)
        plain, found = (
            run_periodic(walk),
            run_periodic_in_graph(str(file), walk, how, domain=domain),
        )
    else:
        model = find_free_gait_model(str(file))
        trial = FreeGaitTrial(model, speed=1.0, time=40.0, physics=physics)
        plain, found = run_free(trial), run_free_in_graph(str(file), trial, how, domain=domain)
    assert 'the robot rests' in plain.reason and plain.distance_m > 0.02
    assert found.reason == plain.reason and not found.completed
    assert found.trace_sha256 == plain.trace_sha256


@pytest.mark.parametrize('gait', ['tripod', 'free'])
def test_a_report_of_the_battery_that_comes_late_changes_no_trace(
    gait: str, graph: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    from walking_robots.nodes.hexapod.sim_publisher import StatePublisher
    from walking_robots.nodes.hexapod.trial import run_free_in_graph, run_periodic_in_graph

    show, late = StatePublisher.show_battery, set()

    def show_late(publisher: Any, battery: Any, stamp: int) -> None:
        if battery.reports and stamp not in late:
            late.add(stamp)
        else:
            show(publisher, battery, stamp)

    monkeypatch.setattr(StatePublisher, 'show_battery', show_late)
    physics, domain = PhysicsSettings(battery=0.12), graph.private_domain()
    if gait == 'tripod':
        walk = HexapodTrial(find_hexapod('insect18'), speed=1.0, time=2.5, physics=physics)
        plain = run_periodic(walk)
        found = run_periodic_in_graph('insect18', walk, 'composed', domain=domain)
    else:
        model = find_free_gait_model('insect18')
        trial = FreeGaitTrial(model, speed=1.0, time=2.5, physics=physics)
        plain = run_free(trial)
        found = run_free_in_graph('insect18', trial, 'composed', domain=domain)
    assert len(late) == 3 and 'at most' in plain.reason
    assert (found.reason, found.trace_sha256) == (plain.reason, plain.trace_sha256)


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
