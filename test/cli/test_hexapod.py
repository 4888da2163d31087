"""The command ``walking_robots trial hexapod``."""

import json
import subprocess
import sys

import pytest

from walking_robots.cli import main


def call(capsys, *arguments):
    """Run the command; give its exit code, and what it printed to stdout and stderr."""
    with pytest.raises(SystemExit) as ended:
        main(['trial', 'hexapod', *arguments])
    printed = capsys.readouterr()
    return ended.value.code, printed.out, printed.err


def test_a_walk_as_json(capsys):
    code, out, _ = call(
        capsys,
        '--robot',
        'rectangular',
        '--gait',
        'wave',
        '--speed',
        '10mm/s',
        '--time',
        '2s',
        '--json',
    )
    found = json.loads(out)
    assert code == 0
    assert (found['robot'], found['gait'], found['speed_m_s']) == ('rectangular', 'wave', 0.01)
    assert found['sim_time_s'] == 2.0 and found['max_drift_m'] < 1e-6


def test_a_walk_as_a_table_on_a_file_of_terrain(capsys):
    code, out, err = call(
        capsys, '--robot', 'insect18', '--time', '1s', '--start', '2m',
        '--terrain', 'config/terrain/default_profile.yaml',
    )  # fmt: skip
    assert code == 0, err
    assert 'min_static_margin_m' in out


def test_a_walk_with_forces_over_rough_and_sloping_ground(capsys):
    code, out, err = call(
        capsys, '--time', '3s', '--speed', '1m/s', '--physics', 'mujoco', '--noise-height', '3mm',
        '--seed', '5', '--slope', '15deg', '--slope-heading', '90deg', '--json',
    )  # fmt: skip
    assert code == 0, err
    found = json.loads(out)
    assert found['fell'] is False and found['physics'].startswith('MuJoCo')
    assert found['peak_torque_nm'] > 0.1 and found['cost_of_transport'] > 0.0


@pytest.mark.parametrize(
    ('arguments', 'words'),
    [
        (('--robot', 'spider'), "there is no robot 'spider'"),
        (('--gait', 'gallop'), "'gallop' is not one of"),
        (('--speed', '3kg'), 'speed'),
        (('--height', '50cm'), 'take another posture'),
        (('--period', '0.2s'), 'take a longer period'),
        (('--gait', 'free', '--period', '2s'), '--period is nothing for the free gait'),
        (('--gait', 'wave', '--seed', '7'), '--seed is nothing for the wave gait'),
        (
            ('--gait', 'free', '--terrain', 'config/terrain/flat.yaml', '--ditch', '10cm'),
            '--ditch makes a terrain, and --terrain gives one',
        ),
        (
            ('--gait', 'free', '--forbidden', '0.2', '--forbidden-kind', 'soft'),
            '--forbidden-kind has no effect without --physics mujoco or --eyes',
        ),
        (
            ('--gait', 'free', '--physics', 'mujoco', '--forbidden-kind', 'soft'),
            '--forbidden-kind has no effect without --forbidden',
        ),
        (('--gait', 'free', '--robot', 'spider'), "there is no robot 'spider'"),
    ],
)
def test_bad_input_is_one_sentence(capsys, arguments, words):
    code, out, err = call(capsys, *arguments)
    assert (code, out, err.count('\n')) == (2, '', 1)
    assert words in err


def test_a_free_gait_over_forbidden_cells_as_json(capsys):
    code, out, err = call(
        capsys, '--robot', 'aquarobot', '--gait', 'free', '--speed', '0.03m/s',
        '--forbidden', '0.2', '--seed', '77', '--ditch', '20cm', '--distance', '1m', '--json',
    )  # fmt: skip
    assert code == 0, err
    found = json.loads(out)
    assert (found['robot'], found['gait'], found['completed']) == ('aquarobot', 'free', True)
    assert (found['plans'], found['plan_cpu_s'], found['possible']) == (0, 0.0, 'yes')
    assert found['min_static_margin_m'] > 0.05 and len(found['trace_sha256']) == 64


def test_a_free_gait_over_a_slope_and_rough_ground(capsys):
    walk = ('--gait', 'free', '--distance', '5cm', '--slope', '10deg', '--seed', '7', '--json')
    traces = set()
    for noise in ('0mm', '2mm'):
        code, out, err = call(capsys, *walk, '--noise-height', noise)
        assert code == 0, err
        traces.add(json.loads(out)['trace_sha256'])
    assert len(traces) == 2


def test_the_asv_walks_freely_too(capsys):
    code, out, err = call(
        capsys, '--robot', 'asv', '--gait', 'free', '--speed', '1ft/s', '--distance', '5ft',
        '--json',
    )  # fmt: skip
    assert code == 0, err
    assert json.loads(out)['reason'] == 'reached'


@pytest.mark.graph
@pytest.mark.parametrize('gait', ['tripod', 'free'])
def test_a_walk_has_the_same_fields_in_the_graph(capsys, gait):
    pytest.importorskip('rclpy')
    walk = ('--gait', gait, '--time', '2s', '--json')
    _, out, err = call(capsys, *walk)
    assert err == ''
    # Another process: rcl writes here what other tests left in its error state.
    program = (sys.executable, '-m', 'walking_robots', 'trial', 'hexapod')
    done = subprocess.run([*program, *walk, '--graph', 'composed'], capture_output=True, text=True)
    assert done.stderr.startswith('The graph is in ROS domain ')
    assert done.stderr.count('\n') == 1
    plain, graph = json.loads(out), json.loads(done.stdout)
    assert list(graph) == list(plain)
    assert {'robot', 'gait', 'speed', 'seed', 'limit_m_s', 'speed_m_s'} <= graph.keys()
    differing = {name for name in plain if plain[name] != graph[name]}
    assert all(graph[name] is None for name in differing), differing
    assert 'max_drift_m' in differing and 'trace_sha256' not in differing


def test_a_walk_that_does_not_get_there_has_exit_code_1(capsys):
    code, out, _ = call(capsys, '--gait', 'free', '--time', '1s', '--json')
    assert (code, json.loads(out)['reason']) == (1, 'timeout')
