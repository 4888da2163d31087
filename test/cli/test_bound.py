"""The command bound, and what trials say of it."""

import json
from pathlib import Path

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


def test_a_plot_of_what_succeeds(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr('walking_robots.trials.hexapod.success_figure.SHARES', (0.0, 0.4))
    picture = tmp_path / 'success.png'
    command = ('trial', 'asv', '--goal', '9ft', '--repeat', '2', '--plot', str(picture))
    code, out, _ = call(capsys, *command)
    assert code == 0 and picture.read_bytes().startswith(b'\x89PNG')
    assert out.splitlines()[1].split('  ', 1)[0] == '40% forbidden'
    assert out.count('rules 2, planned 2, possible 2') == 2
    lines = [json.loads(line) for line in call(capsys, *command, '--json')[1].splitlines()]
    assert [(found['forbidden'], found['gait'], found['seed']) for found in lines[:4]] == [
        (0.0, 'rules', 123), (0.0, 'rules', 124), (0.0, 'planned', 123), (0.0, 'planned', 124),
    ]  # fmt: skip
    for more, words in (
        (('--gait', 'auto'), '--plot chooses --gait'),
        (('--forbidden', '0.3'), '--plot chooses --forbidden'),
        (('--trace', 'why.jsonl'), 'leave out --trace'),
    ):
        code, _, errors = call(capsys, *command, *more)
        assert code == 2 and words in errors
    code, _, errors = call(capsys, 'trial', 'asv', '--plot', str(tmp_path / 'success.pdf'))
    assert code == 2 and '.png or .svg' in errors
