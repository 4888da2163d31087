"""Trials of robot programs in worlds of ARS MAGNA."""

import json
import statistics
from types import SimpleNamespace

import pytest

from walking_robots.ars_magna.design.files import parse_design
from walking_robots.ars_magna.plans.programs import Goal
from walking_robots.cli import main
from walking_robots.trials.ars_magna.events import event_of
from walking_robots.trials.ars_magna.goals import Frame, Target
from walking_robots.trials.ars_magna.team import Role
from walking_robots.trials.ars_magna.trial import ArsTrial, TrialRun, result_of, run

WORLD = """
ars_schema: 1
world:
  name: field
  size: [60, 60]
  objects:
    - {name: rock, at: [31, 30], attrs: {size: 30, color: red}}
    - {name: lamp, at: [38, 30], attrs: {size: 2, color: blue}}
robots:
  - {name: robbie, at: [30, 30], cameras: [{fov: 45deg, resolution: 3}],
     hands: [{strength: 10}], bins: [{capacity: 20}]}
"""
FIELD = parse_design(WORLD, 'field')


def trial(**values):
    return ArsTrial((), **values)


def test_what_can_be_lifted_and_stowed_is_fetched():
    result = run(trial(noise='clean'), FIELD)
    assert (result.outcome, result.code) == ('succeeded', 'NIL')
    assert result.position_error_m < 1
    assert result.ticks == 409
    assert len(result.trace_sha256) == 64


def test_a_seed_gives_the_same_trace_and_another_gives_another():
    first = run(trial(seed=3), FIELD)
    assert run(trial(seed=3), FIELD) == first
    assert run(trial(seed=4), FIELD).trace_sha256 != first.trace_sha256


def test_what_is_requested_is_fetched_and_measured():
    near = WORLD.replace('robots:', '    - {name: cup, at: [32, 31], attrs: {size: 1}}\nrobots:')
    design = parse_design(near, 'near')
    result = run(trial(plan='persistent', noise='clean', what='color=blue'), design)
    assert result.outcome == 'succeeded' and result.position_error_m < 1
    assert result.goal_reached


def test_a_program_that_ends_without_its_goal_has_missed():
    clean = run(trial(plan='persistent', noise='clean', what='color=blue'), FIELD)
    task = SimpleNamespace(done=True, result=lambda: None)
    role, target = Role('persistent', ''), Target(('LAMP#2',), (0.0, 0.0))
    course = TrialRun(role, 'robbie', Frame(0.0, 0.0, 0.0), Goal.THING, [target], ())
    course.task, course._metrics = task, SimpleNamespace(metrics=lambda: clean.metrics)
    missed, reached = (
        result_of([course], 5, {'LAMP#2': at}, ()) for at in ((18.0, 0.0), (0.5, 0.0))
    )
    assert (missed.outcome, missed.goal_reached) == ('missed', False)
    assert missed.message == 'the program ended, but a thing is 18.0 m from its place'
    assert (reached.outcome, reached.goal_reached) == ('succeeded', True)


def test_a_single_run_without_its_goal_has_exit_code_1(tmp_path, capsys):
    path = tmp_path / 'field.yaml'
    path.write_text(WORLD)
    with pytest.raises(SystemExit) as end:
        main(['trial', 'ars_magna', str(path), '--ticks', '5', '--json'])
    assert end.value.code == 1
    found = json.loads(capsys.readouterr().out)
    assert (found['outcome'], found['goal_reached'], found['seed']) == ('timeout', False, 0)
    assert set(found) == {
        'world', 'definitions', 'plan', 'robot', 'what', 'seed', 'noise', 'ticks', 'outcome',
        'code', 'goal_reached', 'position_error_m', 'commands', 'trace_sha256', 'message',
        'robots', 'mates', 'metrics', 'each',
    }  # fmt: skip


def test_what_cannot_be_lifted_is_requested_in_vain():
    result = run(trial(noise='clean', what='color=red', ticks=900), FIELD)
    assert (result.outcome, result.position_error_m) == ('failed', pytest.approx(1.2))


@pytest.mark.parametrize('silent', [False, True])
def test_what_goes_wrong_with_the_world_itself_is_reported_unless_errors_are_not(silent):
    world = WORLD.replace('robots:', '  kickers: [{use: k, on: lamp}]\nrobots:')
    kicker = 'kickers: {k: {body: [{kick: {dx: "attr(\'weight\')"}}]}}\n'
    parameters = f'parameters: {{flush_all_errors: {str(silent).lower()}}}\n'
    design = parse_design(world + kicker + parameters, 'field')
    result = run(trial(plan='excursion', noise='clean'), design)
    reported = (
        "; kicker 'k' of LAMP#2 fails: 'attr('weight')' cannot be worked out: an attribute that "
        'is missing is not a number'
    )
    assert result.message == 'done' + ('' if silent else reported)


def test_metrics_say_what_the_robot_did():
    result = run(trial(plan='persistent', noise='clean', what='color=blue'), FIELD)
    found = result.metrics
    # Out to the lamp, 8 m, and back; it takes hold of it on the ground and again in the bin.
    assert found.distance_m == pytest.approx(16.0, abs=1.0)
    assert (found.grips, found.drops, found.collisions) == (2, 2, 0)
    assert sum(found.codes.values()) == result.commands
    expected = result.ticks + 10 * found.distance_m + 2 * found.turned_rad
    assert found.energy_j == pytest.approx(expected + found.looks + 5 * 4)


def test_a_trial_ends_after_its_ticks():
    result = run(trial(plan='persistent', what='color=blue', ticks=50), FIELD)
    assert (result.outcome, result.code, result.ticks) == ('timeout', 'TIMEOUT', 50)


def test_an_excursion_ends_near_home():
    results = [run(trial(plan='excursion', seed=seed), FIELD) for seed in range(20)]
    assert {result.outcome for result in results} == {'succeeded'}
    assert 0.2 < statistics.median(result.position_error_m for result in results) < 0.5


@pytest.mark.parametrize(
    ('values', 'sentence'),
    [
        ({'plan': 'dance'}, 'no plan'),
        ({'noise': 'loud'}, "noise 'loud' is unknown; use clean, default, or a factor"),
        ({'noise': '-1'}, 'noise'),
        ({'what': 'bulk=3'}, "no attribute 'bulk'"),
        ({'what': 'color=green'}, "nothing on the ground of field fits 'color=green'; describe"),
        ({'what': 'substance=gold'}, "no substance 'gold'"),
        ({'robot': 'nobody'}, "no robot 'nobody'"),
    ],
)
def test_a_trial_that_cannot_be_is_refused_with_a_sentence(values, sentence):
    with pytest.raises(ValueError, match=sentence):
        run(trial(**values), FIELD)


@pytest.mark.parametrize('suffix', ['jsonl', 'mcap'])
def test_all_events_of_a_run_are_written(tmp_path, capsys, suffix):
    world, target = tmp_path / 'field.yaml', tmp_path / f'events.{suffix}'
    world.write_text(WORLD)
    with pytest.raises(SystemExit):
        main(['trial', 'ars_magna', str(world), '--plan', 'excursion', '--trace', str(target)])
    expected = []
    result = run(trial(plan='excursion'), FIELD, expected.append)
    if suffix == 'jsonl':
        found = [json.loads(line) for line in target.read_text().splitlines()]
    else:
        reader = pytest.importorskip('mcap.reader')
        with target.open('rb') as stream:
            messages = list(reader.make_reader(stream).iter_messages())
        found = [json.loads(message.data) for _, _, message in messages]
        assert {channel.topic for _, channel, _ in messages} == {'/robbie/events'}
        assert [message.log_time // 10**9 for *_, message in messages] == [
            one['tick'] for one in found
        ]
    assert found == [json.loads(json.dumps(event_of(one))) for one in expected]
    assert sum(one['event'] == 'done' for one in found) == result.commands


def test_a_trace_in_another_format_is_refused(tmp_path, capsys):
    with pytest.raises(SystemExit) as end:
        main(['trial', 'ars_magna', 'office', '--trace', str(tmp_path / 'events.txt')])
    assert end.value.code == 2
    assert 'events.txt must end in .jsonl or .mcap' in capsys.readouterr().err


def test_a_world_that_is_none_is_one_sentence(capsys):
    with pytest.raises(SystemExit) as end:
        main(['trial', 'ars_magna', 'nowhere'])
    assert end.value.code == 2
    assert "there is no world 'nowhere'" in capsys.readouterr().err


OWN = """
async def waits(robot, what):
    await robot.wait(3)

async def drives(robot, what):
    await robot.set_speed(0.5)
    await robot.go_forward(9)

async def fails(robot, what):
    await robot.wait(3)
    1 / 0

async def takes_nothing(robot):
    pass

def plain(robot, what):
    pass
"""


@pytest.fixture
def own_programs(tmp_path, monkeypatch):
    (tmp_path / 'own_programs.py').write_text(OWN)
    (tmp_path / 'field.yaml').write_text(WORLD)
    monkeypatch.chdir(tmp_path)
    # What the trial adds to the path is taken away after the test.
    monkeypatch.syspath_prepend(tmp_path)


def test_a_program_of_ones_own_runs(own_programs):
    result = run(trial(plan='own_programs:waits'), FIELD)
    assert (result.outcome, result.ticks, result.goal_reached) == ('succeeded', 3, True)
    # Without a thing to bring, the program has no goal but its end.
    assert run(trial(plan='own_programs:drives'), FIELD).goal_reached
    missed = run(trial(plan='own_programs:waits', what='color=blue'), FIELD)
    assert (missed.outcome, missed.goal_reached) == ('missed', False)
    assert missed.position_error_m == pytest.approx(8.0)


def test_an_error_in_a_program_of_ones_own_has_its_line(own_programs):
    result = run(trial(plan='own_programs:fails'), FIELD)
    assert (result.outcome, result.code) == ('failed', 'ZERODIVISIONERROR')
    assert result.message == 'own_programs.py, line 11: ZeroDivisionError: division by zero'


@pytest.mark.parametrize(
    ('program', 'sentence'),
    [
        ('own_programs:wait', "own_programs has no 'wait'; did you mean 'waits'?"),
        ('own_programs:plain', 'must be a coroutine function'),
        ('own_programs:takes_nothing', 'must take a robot and a description'),
        ('no_programs_here:x', "there is no module 'no_programs_here'"),
        ('own_programs', '--program must be module:coroutine'),
    ],
)
def test_a_wrong_name_of_a_program_gets_a_sentence(own_programs, capsys, program, sentence):
    with pytest.raises(SystemExit) as end:
        main(['trial', 'ars_magna', 'field.yaml', '--program', program])
    assert end.value.code == 2
    said = capsys.readouterr().err
    assert sentence in said and 'Traceback' not in said
