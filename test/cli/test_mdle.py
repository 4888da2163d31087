"""The commands of the motion language: exit codes, JSON, notations, recordings."""

import json
import math
from pathlib import Path

import pytest

from walking_robots.cli import main

ROOT = Path(__file__).resolve().parents[2]
PLANS = ROOT / 'config/plans'
CORRIDOR = str(ROOT / 'config/worlds/corridor.yaml')
GOOD = 'mdle 1;\nimport std.body2;\n\nplan p(d: m = 1 m) {\n  do {\n    drive(d);\n  }\n}\n'
WRONG = GOOD.replace('drive(d)', 'dive(d); drive(1 s)')
RUN_KEYS = [
    'outcome', 'code', 'message', 'path', 'duration_s', 'ticks', 'end_pose', 'events_sha256'
]  # fmt: skip


def call(capsys, *arguments, group=('mdle',)):
    with pytest.raises(SystemExit) as ended:
        main([*group, *map(str, arguments)])
    captured = capsys.readouterr()
    return int(ended.value.code or 0), captured.out, captured.err


@pytest.fixture
def good(tmp_path):
    path = tmp_path / 'good.mdle'
    path.write_text(GOOD)
    return path


@pytest.fixture
def wrong(tmp_path):
    path = tmp_path / 'wrong.mdle'
    path.write_text(WRONG)
    return path


def test_check_shows_how_long_a_program_takes(capsys):
    code, out, err = call(capsys, 'check', 'follow')
    assert (code, err) == (0, '')
    reported = 'follow takes at most 1800 s and 360 m, and then 0.5 s'
    assert out.endswith(f'no errors, no warnings; {reported} and 0 m for its finally\n')


def test_check_shows_all_that_is_wrong(capsys, wrong):
    code, out, err = call(capsys, 'check', wrong)
    assert (code, err) == (1, '')
    first, second, *_, last = out.splitlines()
    assert first.startswith(f"{wrong}:6:5: E201 error: 'dive' is not defined")
    assert second.startswith(f'{wrong}:6:20: E303 error: ')
    assert last == f'{wrong}: 2 errors, no warnings'
    wrong.write_text('mdle 1; plan { do')
    code, out, err = call(capsys, 'check', wrong)
    assert code == 1 and f'{wrong}:1:14: E101 error: ' in out


def test_check_gives_json_and_sarif(capsys, wrong, good):
    code, out, _ = call(capsys, 'check', wrong, '--json')
    report = json.loads(out)
    assert code == 1 and not report['ok']
    assert [found['code'] for found in report['diagnostics']] == ['E201', 'E303']
    code, out, _ = call(capsys, 'check', wrong, '--sarif')
    assert code == 1
    assert [found['ruleId'] for found in json.loads(out)['runs'][0]['results']] == ['E201', 'E303']
    code, out, _ = call(capsys, 'check', good, '--json', '--robot', 'none')
    assert code == 0 and json.loads(out)['entry'] == 'p'


def test_check_knows_the_robot_and_the_entry(capsys, tmp_path):
    path = tmp_path / 'a.mdle'
    text = 'plan p { until y.bumper.any => abort; do { drive(1 m); } }'
    path.write_text(f'mdle 1; import std.body2; {text} plan q {{ do {{ stop(); }} }}')
    assert call(capsys, 'check', path)[0] == 0
    code, out, _ = call(capsys, 'check', path, '--robot', 'twist')
    assert code == 1 and 'E202' in out
    _, out, _ = call(capsys, 'check', path, '--entry', 'p')
    assert '; p takes at most 5 s' in out
    assert call(capsys, 'check', path, '--entry', 'r')[0] == 1


def test_a_library_adds_elements(capsys, tmp_path, good):
    (tmp_path / 'mine.mdle').write_text('mdle 1; import std.body2; behavior go { do { stop(); } }')
    good.write_text('mdle 1; import mine; plan p { do { go(); } }')
    assert call(capsys, 'check', good)[0] == 1
    library = ('--library', tmp_path / 'mine.mdle')
    assert call(capsys, 'check', good, *library)[0] == 0
    assert call(capsys, 'run', good, *library)[0] == 0
    assert 'mine: behavior go()' in call(capsys, 'elements', 'go', *library)[1]
    (tmp_path / 'mine.mdle').write_text('mdle 1; nonsense')
    code, _, err = call(capsys, 'check', good, *library)
    assert code == 1 and err.startswith(f'{tmp_path}/mine.mdle:1:9: E101')


def test_fmt_lays_out(capsys, tmp_path, good):
    assert call(capsys, 'fmt', good) == (0, GOOD, '')
    assert call(capsys, 'fmt', good, '--check') == (0, '', '')
    good.write_text('# why\n' + GOOD.replace('\n', ' '))
    code, out, _ = call(capsys, 'fmt', good, '--check')
    assert code == 1 and 'fmt --in-place' in out
    assert call(capsys, 'fmt', good, '--in-place')[0] == 0
    assert good.read_text() == '# why\n' + GOOD
    good.write_text('mdle 1; plan')
    code, out, err = call(capsys, 'fmt', good)
    assert (code, out) == (1, '') and f'{good}:1:' in err


def test_convert_there_and_back(capsys, tmp_path):
    for plan in PLANS.glob('*.mdle'):
        there = tmp_path / f'{plan.stem}.yaml'
        assert call(capsys, 'convert', plan, '--to', 'yaml', '--out', there)[0] == 0
        code, back, _ = call(capsys, 'convert', there, '--to', 'mdle')
        again = tmp_path / 'again.mdle'
        again.write_text(back)
        assert code == 0
        # The same program: comments alone are lost.
        assert (
            call(capsys, 'convert', again, '--to', 'json')[1]
            == call(capsys, 'convert', plan, '--to', 'json')[1]
        )


def test_json_is_written_and_not_read(capsys, tmp_path):
    written = tmp_path / 'park.json'
    assert call(capsys, 'convert', 'park', '--to', 'json', '--out', written)[0] == 0
    assert json.loads(written.read_text())['node'] == 'Program'
    code, _, err = call(capsys, 'check', written)
    assert code and "'json' is no format of programs; use mdle or yaml or core" in err


def test_convert_writes_the_formal_notation(capsys, tmp_path):
    core = tmp_path / 'a.core'
    core.write_text('((\n  ([0.2 m/s, 0 rad/s] for 1 s, false, inf)\n), false, inf)\n')
    code, out, _ = call(capsys, 'convert', core, '--to', 'mdle')
    assert code == 0 and out.startswith('mdle 1;')
    back = tmp_path / 'b.mdle'
    back.write_text(out)
    code, again, _ = call(capsys, 'convert', back, '--to', 'core')
    assert code == 0 and '([0.2 m/s, 0 rad/s] for 1 s, false, inf)' in again
    core.write_text(again)
    assert call(capsys, 'convert', core, '--to', 'mdle')[1] == out
    # What the formal notation has no words for is reported, with its place.
    code, _, err = call(capsys, 'convert', 'patrol', '--to', 'core')
    assert code == 1 and 'patrol.mdle:' in err


def test_ac04_sim_gives_the_numbers_of_the_report(capsys, tmp_path):
    for integrator in ('exp', 'euler_matrix'):
        options = ('--integrator', integrator, '--plot', tmp_path / f'{integrator}.svg')
        code, out, _ = call(capsys, 'sim', '--experiment', 'F3t', *options, '--json')
        figures = json.loads(out)
        assert code == 0 and figures['experiment'] == 'F3t'
        wanted = {'exp': (0.0, 0.479425539, 1.0), 'euler_matrix': (-0.005552, 0.485371, 1.025307)}
        found = figures['x_m'], figures['y_m'], figures['scale']
        assert found == pytest.approx(wanted[integrator], abs=1e-6)
        assert (tmp_path / f'{integrator}.svg').read_text().startswith('<?xml')
    code, out, _ = call(
        capsys, 'sim', '--experiment', 'F3s', '--turn', '0.1', '--way', '10cm', '--json'
    )
    assert json.loads(out)['y_m'] == pytest.approx(0.019966683, abs=1e-9)
    noisy = [
        'sim',
        '--experiment',
        'F3t',
        '--slip',
        '0.05',
        '--latency',
        '100ms',
        '--seed',
        '7',
        '--json',
    ]
    first, second = call(capsys, *noisy)[1], call(capsys, *noisy)[1]
    assert first == second
    assert abs(json.loads(first)['y_m'] - 0.479425539) > 1e-4
    assert 'y_m' in call(capsys, 'sim', '--experiment', 'F2')[1]


def test_sim_runs_a_program_and_draws_its_path(capsys, tmp_path):
    picture = tmp_path / 'park.png'
    code, out, _ = call(capsys, 'sim', 'park', '--plot', picture, '--arg', 'a=1 rad', '--json')
    assert code == 0
    assert json.loads(out)['end_pose'] == pytest.approx([0.0, math.sin(1.0), 0.0], abs=1e-9)
    assert picture.read_bytes().startswith(b'\x89PNG')
    code, out, _ = call(capsys, 'sim', 'park', '--integrator', 'euler_coord', '--json')
    assert json.loads(out)['end_pose'][1] == pytest.approx(0.479425539, abs=1e-9)


def test_a_run_is_one_line_of_json(capsys):
    code, out, err = call(capsys, 'run', 'square', '--arg', 'side=0.5 m', '--json')
    assert (code, err) == (0, '') and out.count('\n') == 1
    result = json.loads(out)
    assert list(result)[: len(RUN_KEYS)] == RUN_KEYS
    assert (result['outcome'], result['path']) == ('DONE', 'square')
    assert result['end_pose'][:2] == pytest.approx([0.0, 0.0], abs=1e-9)
    assert result['way_m'] == pytest.approx(2.0)
    assert call(capsys, 'run', 'square', '--arg', 'side=0.5 m', '--json')[1] == out


def test_a_trial_runs_a_program_as_run_does(capsys):
    shared = ('--arg', 'side=0.5 m', '--robot', 'insect18', '--json')
    found = call(capsys, 'run', 'square', *shared)
    assert json.loads(found[1])['outcome'] == 'DONE'
    assert call(capsys, '--plan', 'square', *shared, group=('trial', 'mdle')) == found


@pytest.mark.parametrize(
    ('arguments', 'word'),
    [
        ([], '--planner'),
        (['--plan', 'square', '--planner'], '--planner'),
        (['--plan', 'square', '--goal', '1,1'], '--goal'),
        (['--plan', 'unicorn'], "'unicorn'"),
        (['--planner', '--arg', 'side=1 m'], '--arg'),
        (['--planner', '--robot', 'kwalka'], 'does not lead kwalka'),
        (['--planner', '--changes', '--object-script', '0s 2m,3m'], '--object-script'),
        (['--plan', 'square', '--object-script', '0s 2m,3m'], '--object-script'),
        (['--plan', 'square', '--bounded'], '--bounded'),
        (['--planner', '--robot', 'insect18', '--bounded'], '--robot goes with a world file'),
    ],
)
def test_a_trial_is_of_the_planner_or_of_a_program(capsys, arguments, word):
    code, out, err = call(capsys, *arguments, group=('trial', 'mdle'))
    assert (code, out) == (2, '')
    assert err.count('\n') == 1 and word in err


@pytest.mark.parametrize(
    ('more', 'said'),
    [((), 'the time was over'), (('--bounded',), 'unreachable: walls close every way')],
)
def test_how_far_the_world_extends_is_known_or_not(capsys, more, said):
    """The walls round the goal of this world touch the outer ones."""
    trial = ('--planner', '--seed', '339', '--limit', '2min', *more)
    code, out, err = call(capsys, *trial, group=('trial', 'mdle'))
    assert (code, err) == (0 if more else 1, '')
    assert out.startswith(said)


@pytest.mark.parametrize(
    ('task', 'script', 'said'),
    [
        ('patrol 2,3.25; return', '', 'reached: all 2 places were visited'),
        ('return', '', 'reached: the goal is'),
        ('find', '0s 2m,3.55m; 8s 2m,2.55m', 'reached: the object that was moved is here'),
    ],
)
def test_the_planner_does_tasks(capsys, task, script, said):
    code, out, err = call(
        capsys, '--planner', '--world', 'office60', '--task', task, '--seed', '3',
        '--object-script', script, group=('trial', 'mdle'),
    )  # fmt: skip
    assert (code, err) == (0, ''), out
    assert out.startswith(said)


def test_a_route_through_places(capsys):
    places = ('--place', 'kitchen=9,1', '--place', 'hall=5,3.25')
    code, out, err = call(capsys, 'route', 'office60', 'kitchen', 'start', *places, '--json')
    found = json.loads(out)
    assert (code, err) == (0, '')
    assert 'start_to_hall();' in found['source'] and set(found['places']) == {
        'start', 'hall', 'kitchen'
    }  # fmt: skip
    code, out, err = call(capsys, 'route', 'office60', 'bathroom', *places)
    assert (code, out) == (1, '') and "no place 'bathroom'" in err
    code, out, err = call(capsys, 'route', 'office60', 'kitchen', '--place', 'kitchen')
    assert code == 2 and 'write kitchen=9,1,90deg' in err


def test_a_run_among_walls_with_events(capsys):
    code, out, _ = call(
        capsys, 'run', 'hallway', '--world', CORRIDOR, '--noise', '0.02', '--seed', '3',
        '--events', '--json',
    )  # fmt: skip
    *events, result = map(json.loads, out.splitlines())
    assert code == 0 and result['outcome'] == 'DONE'
    assert [event['kind'] for event in (events[0], events[-1])] == ['start', 'end']
    assert any(event['name'] == 'corner' for event in events)
    code, out, _ = call(capsys, 'run', 'park', '--events')
    assert code == 0 and 'park.drive  done' in out and 'events_sha256' in out


def test_a_run_that_fails_says_so(capsys, tmp_path):
    code, out, _ = call(capsys, 'run', 'hallway', '--limit', '5s', '--json')
    result = json.loads(out)
    assert code == 1 and result['outcome'] == 'CANCELED'
    assert result['message'] == 'stopped at the time limit of 5 s'
    code, out, _ = call(
        capsys, 'run', 'square', '--world', CORRIDOR, '--arg', 'side=6 m', '--json'
    )
    result = json.loads(out)
    assert code == 1 and result['outcome'] == 'FAULT' and result['guard'] == ''


def test_the_polarity_of_interrupts_is_reported(capsys, tmp_path):
    core = tmp_path / 'a.core'
    core.write_text('([0.2 m/s, 0 rad/s] for 1 s, y.battery > 0.2, inf)\n')
    _, out, _ = call(capsys, 'convert', core, '--to', 'core', '--polarity', 'run_while')
    assert out == '([0.2 m/s, 0 rad/s] for 1 s, not y.battery > 0.2, inf)\n'
    assert call(capsys, 'convert', core, '--to', 'core')[1] == core.read_text()
    core.write_text('([0.2 m/s, 0 rad/s], true, 1 s)\n')
    code, out, _ = call(capsys, 'check', core)
    assert code == 1 and "'true' fires at once" in out
    assert call(capsys, 'check', core, '--polarity', 'run_while')[0] == 0
    path = tmp_path / 'a.yaml'
    path.write_text(
        'mdle: 1\nimports: [std.body2]\nplans: {p: {until: y.bumper.any, do: [{call: stop}]}}'
    )
    _, out, _ = call(capsys, 'convert', path, '--to', 'mdle', '--polarity', 'run_while')
    assert 'until not y.bumper.any;' in out


def test_a_wrong_program_is_shown_as_its_diagnostics(capsys, wrong):
    for command in ('run', 'sim'):
        code, out, err = call(capsys, command, wrong)
        assert (code, out) == (1, '')
        assert [line.split(' ')[1] for line in err.splitlines()] == ['E201', 'E303']


def test_ac28_a_recorded_run_is_replayed(capsys, tmp_path):
    recording = tmp_path / 'run.jsonl'
    script = '0s 2m,0m; 1s 2m,1m; rest 1m,1m'
    code, out, _ = call(
        capsys, 'run', 'follow', '--object-script', script, '--slip', '0.02', '--latency', '0.03',
        '--limit', '25s', '--record', recording, '--json',
    )  # fmt: skip
    first = json.loads(out)
    assert code == 1 and first['outcome'] == 'CANCELED' and first['way_m'] > 2.0
    code, out, _ = call(capsys, 'replay', recording, 'follow', '--json')
    again = json.loads(out)
    assert code == 0 and again.pop('same') and again == first
    # Another program does something else on it.
    other = tmp_path / 'other.mdle'
    other.write_text((PLANS / 'follow.mdle').read_text().replace('0.15 m', '1.2 m'))
    code, out, _ = call(capsys, 'replay', recording, other, '--json')
    assert code == 1 and not json.loads(out)['same']
    recording.write_text('\n'.join(recording.read_text().splitlines()[:100]) + '\n')
    code, _, err = call(capsys, 'replay', recording, 'follow')
    assert code == 1 and 'over after 99 readings' in err


def test_elements_are_listed_and_described(capsys):
    code, out, _ = call(capsys, 'elements', '--json')
    names = [json.loads(line)['name'] for line in out.splitlines()]
    assert code == 0 and {'go_to', 'wander', 'contact', 'log'} <= set(names)
    assert 'std.scout' in call(capsys, 'elements')[1]
    code, out, _ = call(capsys, 'elements', 'std.body2.go_to')
    assert code == 0
    assert 'std.body2: atom go_to(p: point, speed: m/s = 0.2 m/s, tol: m = 0.1 m)' in out
    assert 'reads pose' in out and 'control pursue(y.pose, p, speed);' in out
    # One name of two modules.
    assert call(capsys, 'elements', 'back_off')[1].count('atom back_off(d:') >= 2


@pytest.mark.parametrize(
    ('arguments', 'word'),
    [
        (['check', 'nowhere.mdle'], 'nowhere.mdle'),
        (['check', 'unicorn'], 'follow'),
        (['check', 'follow', '--json', '--sarif'], '--sarif'),
        (['check', 'follow', '--robot', 'unicorn'], "'unicorn'"),
        (['check', 'follow', '--library', 'nowhere.mdle'], 'nowhere.mdle'),
        (['check'], 'FILE'),
        (['check', 'follow', '--polarity', 'run_while'], '.core and .yaml'),
        (['convert', 'follow', '--to', 'yaml', '--polarity', 'both'], "'both'"),
        (['fmt', 'follow', '--check', '--in-place'], '--in-place'),
        (['convert', 'follow', '--to', 'prose'], "'prose'"),
        (['convert', 'follow'], '--to'),
        (['elements', 'unicorn'], "'unicorn'"),
        (['run', 'follow', '--arg', 'gap'], "gap='0.5 m'"),
        (['run', 'park', '--arg', 'a=1 +'], 'argument a'),
        (['run', 'park', '--arg', 'a=1 m'], 'argument a: cannot use m where rad'),
        (['run', 'park', '--arg', 'x=1 m'], "'park' takes (a: rad"),
        (['run', 'park', '--robot', 'unicorn'], "'unicorn'"),
        (['run', 'park', '--world', 'nowhere.yaml'], 'nowhere.yaml'),
        (['run', 'park', '--record', '/nowhere/x'], 'no folder /nowhere; make it first'),
        (['sim', 'park', '--plot', '/nowhere/x.svg'], 'no folder /nowhere; make it first'),
        (
            ['convert', 'park', '--to', 'yaml', '--out', '/nowhere/x.yaml'],
            'no folder /nowhere; make it first',
        ),
        (['run', 'park', '--tick', '0s'], '--tick'),
        (['run', 'park', '--robot', 'twist', '--slip', '0.1'], 'wheels'),
        (['run', 'follow', '--object-script', '2,0'], 'rest 1m,1m'),
        (['run', 'follow', '--object-script', '5s 1m,0m; 1s 1m,1m'], 'jump 1'),
        (['sim'], '--experiment'),
        (['sim', 'park', '--experiment', 'F2'], '--experiment'),
        (['sim', '--experiment', 'F9'], "'F9'"),
        (['sim', 'park', '--step', '1s'], '--step'),
        (['sim', 'park', '--plot', 'x.pdf'], '.png'),
        (['sim', 'park', '--integrator', 'euler_matrix'], 'euler_matrix'),
        (['sim', '--experiment', 'F2', '--arg', 'a=1'], '--arg'),
        (['sim', '--experiment', 'F2p', '--integrator', 'exp'], 'euler_matrix'),
        (['replay', 'nowhere.jsonl', 'follow'], 'nowhere.jsonl'),
        (['replay', '/dev/null', 'follow'], 'it is no regular file'),
        (['dance'], 'dance'),
    ],
)
def test_bad_input_is_one_sentence_and_exit_code_2(capsys, arguments, word):
    code, out, err = call(capsys, *arguments)
    assert (code, out) == (2, '')
    assert err.count('\n') == 1 and err.startswith('walking_robots: ')
    assert word in err


def test_what_is_no_program_is_reported(capsys, tmp_path):
    path = tmp_path / 'a.mdle'
    path.write_bytes(b'mdle 1;\n\xff\n')
    for command in ('check', 'fmt', 'run', 'sim'):
        code, _, err = call(capsys, command, path)
        assert code == 2 and 'UTF-8' in err


def test_a_program_without_anything_to_run_says_so(capsys, tmp_path):
    path = tmp_path / 'a.mdle'
    path.write_text('mdle 1; const a = 1;')
    assert call(capsys, 'check', path)[0] == 0
    code, _, err = call(capsys, 'run', path)
    assert code == 2 and 'there is no plan, behavior or atom to run' in err


def test_a_share_that_is_no_number_is_refused(capsys):
    code, _, err = call(capsys, 'sim', 'park', '--noise', 'nan')
    assert code == 2 and 'nan is not a finite number' in err


@pytest.mark.parametrize('command', ['run', 'sim'])
def test_programs_run_in_every_notation(capsys, tmp_path, command):
    text = 'mdle 1;\natom a() on body2 {\n  control [0.2 m/s, 0 rad/s] for 1 s;\n}\n'
    reported = set()
    (tmp_path / 'a.mdle').write_text(text)
    for notation in ('mdle', 'yaml', 'core'):
        path = tmp_path / f'a.{notation}'
        if notation != 'mdle':
            call(capsys, 'convert', tmp_path / 'a.mdle', '--to', notation, '--out', path)
        code, out, _ = call(capsys, command, path, '--json')
        assert code == 0
        reported.add((json.loads(out)['way_m'], json.loads(out)['duration_s']))
    assert len(reported) == 1
    path.write_text('([0.2 m/s, 0 rad/s] for 1 s, false)')
    assert call(capsys, command, path)[2].startswith(f'{path}:1:35: E101')


def test_what_is_not_there_has_no_place(capsys, good):
    code, _, err = call(capsys, 'convert', good, '--to', 'core', '--entry', 'nope')
    assert code == 1
    assert err.startswith(f"{good}: E101 error: 'nope' is not defined in this program")


def test_what_uses_the_library_runs_alike_as_triples(capsys, tmp_path):
    path, core = tmp_path / 'a.mdle', tmp_path / 'a.core'
    steps = '(drive(0.2 m); spin(90 deg)) times 3; ahead() until travelled(0.1 m);'
    path.write_text(f'mdle 1;\nimport std.body2;\nplan p {{ do {{ {steps} }} }}\n')
    assert call(capsys, 'convert', path, '--to', 'core', '--out', core)[0] == 0
    ends = [json.loads(call(capsys, 'run', file, '--json')[1]) for file in (path, core)]
    assert ends[0]['end_pose'] == ends[1]['end_pose']
    assert ends[0]['duration_s'] == ends[1]['duration_s'] > 10.0
