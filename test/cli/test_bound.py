"""The command bound, and what trials say of it."""

import json

import pytest

from walking_robots.cli import main


def call(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
    with pytest.raises(SystemExit) as ended:
        main(arguments)
    captured = capsys.readouterr()
    return int(ended.value.code or 0), captured.out, captured.err


def test_a_bound_as_json(capsys: pytest.CaptureFixture[str]) -> None:
    command = ('bound', 'asv', '--ditch', '9ft', '--forbidden', '0.1', '--seed', '123', '--json')
    code, out, _ = call(capsys, *command)
    assert code == 0
    assert json.loads(out)['possible'] == 'no' and json.loads(out)['path'] == []
    found = json.loads(call(capsys, *command, '--freedom', 'yaw')[1])
    assert found['possible'] == 'yes' and found['cpu_s'] > 0.0 and found['freedom'] == 'yaw'
    assert len(found['path']) == found['moves'] + 1
    assert all(len(stance['feet']) == 3 for stance in found['path'])
    assert {stance['yaw'] for stance in found['path']} != {0.0}


def test_a_bound_for_people_and_of_another_robot(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = call(capsys, 'bound', 'hexapod', '--robot', 'aquarobot', '--forbidden', '0.5')
    assert code == 0 and out.split()[:2] == ['possible', 'yes'] and 'path' not in out


@pytest.mark.parametrize(
    ('arguments', 'words'),
    [
        (('asv', '--freedom', 'wings'), 'straight'),
        (('asv', '--forbidden', '2'), '0.99'),
        (('asv', '--terrain', '/missing.yaml'), '/missing.yaml'),
        (('hexapod', '--robot', 'spot'), 'spot'),
    ],
)
def test_bad_input_is_one_sentence(
    arguments: tuple[str, ...], words: str, capsys: pytest.CaptureFixture[str]
) -> None:
    code, out, errors = call(capsys, 'bound', *arguments)
    assert code == 2 and not out
    assert errors.count('\n') == 1 and words in errors


def test_a_trial_says_whether_its_goal_is_possible(capsys: pytest.CaptureFixture[str]) -> None:
    walk = ('trial', 'asv', '--ditch', '8ft', '--forbidden', '0.4', '--seed', '9', '--json')
    code, out, _ = call(capsys, *walk, '--gait', 'planned')
    found = json.loads(out)
    assert code == 0 and (found['gait'], found['possible']) == ('planned', 'yes')
    assert found['plans'] > 2 and found['plan_cpu_s'] > 0.0
    wide = json.loads(call(capsys, 'trial', 'asv', '--ditch', '11ft', '--json')[1])
    assert (wide['completed'], wide['possible'], wide['plans']) == (False, 'no', 1)
    assert (wide['gait'], wide['rules']) == ('auto', 'repaired')
    short = json.loads(call(capsys, 'trial', 'asv', '--max-time', '1s', '--json')[1])
    assert (short['reason'], short['possible']) == ('timeout', None)
    by_rules = json.loads(call(capsys, *walk, '--rules', 'faithful')[1])
    assert (by_rules['gait'], by_rules['rules']) == ('rules', 'faithful')


def test_any_hexapod_walks_by_plan(capsys: pytest.CaptureFixture[str]) -> None:
    walk = ('trial', 'hexapod', '--robot', 'rectangular', '--gait', 'planned', '--distance', '0.3')
    code, out, _ = call(capsys, *walk, '--forbidden', '0.4', '--json')
    assert code == 0 and json.loads(out)['gait'] == 'planned'
