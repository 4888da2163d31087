"""Test which runs a sweep has."""

import pytest

from walking_robots.cli.sweep import plan_sweep
from walking_robots.sweeps.combinations import Sweep, expanded


@pytest.mark.parametrize(
    ('text', 'values'),
    [
        ('0:0.9:0.1', [f'0.{k}' if k else '0.0' for k in range(10)]),
        ('7ft:9ft:1ft', ['7ft', '8ft', '9ft']),
        ('2:-2:-2', ['2', '0', '-2']),
        ('5:5:1', ['5']),
        ('0:1:0.4', ['0.0', '0.4', '0.8']),
        ('7ft,8ft', ['7ft', '8ft']),
        ('faithful, repaired', ['faithful', 'repaired']),
        ('3:dead', ['3:dead']),
    ],
)
def test_a_range_or_list_stands_for_its_values(text: str, values: list[str]) -> None:
    assert expanded(text) == values


@pytest.mark.parametrize(
    ('text', 'why'),
    [
        ('0:1:0', 'never gets to its end'),
        ('0:1:-0.1', 'never gets to its end'),
        ('0m:1m:0.1', 'several units'),
        ('0:1000000:0.1', '1000 are the most'),
    ],
)
def test_a_range_without_an_end_is_refused(text: str, why: str) -> None:
    with pytest.raises(ValueError, match=why):
        expanded(text)


def test_runs_are_all_combinations_over_all_seeds() -> None:
    sweep = Sweep(
        'asv', ('--eyes',), (('--ditch', ('7ft', '8ft')), ('--gait', ('a', 'b'))), (5, 6)
    )
    runs = list(sweep.runs())
    assert len(runs) == sweep.count == 8
    assert [(run.values, run.seed) for run in runs[:3]] == [
        (('7ft', 'a'), 5), (('7ft', 'a'), 6), (('7ft', 'b'), 5)
    ]  # fmt: skip
    assert runs[0].arguments == ('--eyes', '--ditch=7ft', '--gait=a', '--seed=5')


def test_options_are_those_of_the_trial() -> None:
    words = (
        '--forbidden', '0:0.2:0.1', '--ditch=7ft,8ft', '--rules', 'faithful', '--rules',
        'repaired', '--eyes', '--odometry', 'drift:1%', '--seed', '40',
    )  # fmt: skip
    sweep = plan_sweep('asv', words, 3)
    assert sweep.axes == (
        ('--forbidden', ('0.0', '0.1', '0.2')),
        ('--ditch', ('7ft', '8ft')),
        ('--rules', ('faithful', 'repaired')),
    )
    assert sweep.fixed == ('--eyes', '--odometry=drift:1%')
    assert sweep.seeds == (40, 41, 42)


def test_a_value_that_the_trial_takes_as_it_is_stays_whole() -> None:
    sweep = plan_sweep('ars_magna', ('big_room', '--what', 'color=red,size=3'), 1)
    assert sweep.fixed == ('big_room', '--what=color=red,size=3') and not sweep.axes


def test_a_seed_is_given_only_where_it_is_wanted() -> None:
    """Trials that draw nothing refuse one."""
    sweep = plan_sweep('hexapod', ('--gait', 'tripod,wave'), 1)
    assert [run.arguments for run in sweep.runs()] == [('--gait=tripod',), ('--gait=wave',)]
    assert len(plan_sweep('asv', (), 3).seeds) == 3
