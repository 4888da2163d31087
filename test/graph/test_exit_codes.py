"""How nodes end: 0 within a second of a signal, 2 with one sentence for what is wrong."""

import itertools
import json
import os
import signal
import sys
from pathlib import Path
from typing import Any

import pytest

from benchmarks.own_clock import Stopwatch, time_to_end
from walking_robots.documents.shared import shared_path
from walking_robots.systems import SYSTEMS

pytestmark = pytest.mark.graph

WRONG = (
    ('terrain', ('terrain_file:=/missing.yaml',), '/missing.yaml'),
    ('terrain', ('forbidden_share:=1.5',), 'forbidden_share'),
    ('terrain', ('ditch_width:=7furlong',), 'furlong'),
    ('terrain', ('ditch_location:=1km', 'ditch_width:=7ft'), 'ditches'),
    ('terrain', ('qos_overrides./odom.subscription.reliability:=wild',), 'best_effort'),
    ('free_gait', ('rules:=wild',), "'wild'"),
    ('free_gait', ('robot:=spot',), "'spot'"),
    ('free_gait', ('command_timeout:=.nan',), 'command_timeout'),
    ('free_gait', ('robot:=insect18',), 'periodic_gait'),
    ('periodic_gait', (), 'free_gait'),
    ('periodic_gait', ('robot:=/missing.yaml',), '/missing.yaml'),
    ('periodic_gait', ('robot:=insect18', 'gait:=gallop'), "'gallop'"),
    ('periodic_gait', ('robot:=insect18', 'period:=0.2'), 'period'),
    ('hexapod_sim', ('robot:=asv', 'gait:=wave'), 'free only'),
    ('leg_servo', ('output:=torque',), "'torque'"),
    ('servo_bus', ('robot:=rectangular',), 'servo_bus: {model: XL430-W250}'),
    ('servo_bus', ('robot:=insect18', 'model:=XL1'), "'XL1'"),
    ('servo_bus', ('robot:=insect18', 'at_end:=fall'), "'fall'"),
    ('servo_bus', ('robot:=insect18', 'input:=wish'), "'wish'"),
    ('servo_bus', ('robot:=insect18', 'torque_limit:=2.0'), 'torque_limit'),
    ('biped_gait', ('params:=wild',), "'wild'"),
    ('biped_gait', ('robot:=c',), "'c'"),
    ('biped_gait', ('sets:=/missing.yaml',), '/missing.yaml'),
    ('biped_sim', ('terrain:=moon',), "'moon'"),
    ('biped_sim', ('terrain:=slope:steep',), 'steep'),
    ('biped_sim', ('control_step:=0.0045',), 'control_step'),
    ('joint_servo', ('robot:=c',), "'c'"),
    ('leg_servo', ('rules:=3',), "'rules' must be a text"),
    ('hexapod_sim', ('lock_step:=false', 'real_time_factor:=0.0'), 'real_time_factor'),
    ('hexapod_sim', ('lock_step:=maybe',), "'lock_step' must be true or false"),
    ('viewer', ('port:=0',), 'port'),
    ('teleop', (), 'terminal'),
    ('scout_driver', ('rate:=100.0',), 'rate'),
    ('scout_driver', ('sonar_order:=[0, 0]',), 'sonar_order'),
    ('scout_driver', ('status_bits:=mine',), "'mine'"),
    ('scout_driver', ('pose_covariance_diagonal:=[1.0]',), 'pose_covariance_diagonal'),
    ('scout_driver', ('port:=7',), 'port'),
    ('scout_driver', ('sonar_order:=[]',), 'sonar_order'),
    ('scout_driver', ('bumper_angles:=[0, 1]',), 'decimals'),
    ('scout_driver', ('reply_timeout:=2.0',), 'reply_timeout'),
    ('scout_emulator', ('world:=/missing.yaml',), '/missing.yaml'),
    ('scout_emulator', ('link:=/etc/passwd',), '/etc/passwd'),
    ('scout_emulator', ('slip:=0.9',), 'slip'),
    ('scout_emulator', ('object:=there',), "'there'"),
    ('scout_wander', ('enabled:=perhaps',), 'enabled'),
    ('viewer', ('robot:=spot',), "'spot'"),
    ('mdle_executor', ('robot:=spot',), "'spot'"),
    ('mdle_executor', ('tick_period:=0.0',), 'tick_period'),
    ('mdle_executor', ('autostart:=nothing',), "'nothing'"),
    ('mdle_executor', ('autonomy_level:=wild',), "'wild'"),
    ('ars_magna', ('definitions:=house',), "a list of texts such as ['one']"),
    ('ars_magna', ('mode:=foo',), 'free-running.'),
    ('ars_program', ('autostart:=nix',), "use '' or fetch"),
)


def _start(
    graph: Any,
    node: str,
    *parameters: str,
    arguments: tuple[str, ...] = (),
    domain: int | None = None,
) -> Any:
    words = [word for parameter in parameters for word in ('-p', parameter)]
    command = (sys.executable, '-m', 'walking_robots.nodes', node, '--ros-args')
    return graph.run_alone(*command, *arguments, *words, domain=domain)


# Aquarobot is a hexapod like any other.
@pytest.mark.slow
@pytest.mark.parametrize('system', [system for system in SYSTEMS if system != 'aquarobot'])
def test_a_signal_ends_every_node_within_a_second(system: str, graph: Any) -> None:
    """One node ends by SIGINT, the next by SIGTERM."""
    domain = graph.private_domain()
    nodes = SYSTEMS[system].nodes
    robot = {'asv': 'asv', 'hexapod': 'insect18', 'biped': 'kwalk'}.get(system, 'super_scout')
    more = {'viewer': ['port:=8470', f'robot:={robot}']}
    if system == 'hexapod':
        more |= {node: [f'robot:={robot}'] for node in nodes if node != 'viewer'}
        more['free_gait'].append('gait:=free')
    file = ('--params-file', str(shared_path(SYSTEMS[system].parameters)))
    processes = {
        node: _start(graph, node, *more.get(node, ()), domain=domain, arguments=file)
        for node in nodes
    }
    try:
        graph.wait_for_nodes(domain, set(nodes))
        Stopwatch().sleep(1.0)
        numbers = itertools.cycle((signal.SIGINT, signal.SIGTERM))
        for (node, process), number in zip(processes.items(), numbers, strict=False):
            assert process.poll() is None, f'{node}: {process.communicate()[1]}'
            watch = Stopwatch(process.pid)
            process.send_signal(number)
            took = time_to_end(process, watch)
            errors = process.communicate()[1]
            assert process.returncode == 0, f'{node}: {errors}'
            assert took < 1.0, node
            assert 'Traceback' not in errors
            assert 'has no parameter' not in errors
    finally:
        for process in processes.values():
            process.kill()
            process.communicate()


def test_parameters_that_a_node_does_not_have_are_reported(graph: Any) -> None:
    file = ('--params-file', str(shared_path(SYSTEMS['asv'].parameters)))
    process = _start(graph, 'terrain', 'ditch_widht:=1ft', 'gait:=free', arguments=file)
    reported = [process.stderr.readline() for _ in range(2)]
    process.send_signal(signal.SIGINT)
    assert not process.communicate()[1]
    assert reported[0].endswith("has no parameter 'ditch_widht'; did you mean 'ditch_width'?\n")
    assert "has no parameter 'gait'; it has cell, columns, ditch_angle, " in reported[1]
    assert process.returncode == 0


# Starts nodes, given as JSON, one after the other in forks of one process, which imports them all.
FORKS = """
import json, os, sys
from importlib import import_module
from walking_robots.nodes.__main__ import main
from walking_robots.systems import executables
cases = json.loads(sys.argv[1])
for node, *_ in cases:
    import_module(executables()[node])
for number, case in enumerate(cases):
    if not (child := os.fork()):
        os.dup2(os.open(f'{sys.argv[2]}/{number}', os.O_WRONLY | os.O_CREAT), 2)
        sys.argv = case
        main()
    print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), flush=True)
"""


def test_what_is_wrong_is_reported_in_one_sentence(graph: Any, tmp_path: Path) -> None:
    cases = [
        [node, '--ros-args', *(word for value in values for word in ('-p', value))]
        for node, values, _ in WRONG
    ]
    process = graph.run_alone(sys.executable, '-c', FORKS, json.dumps(cases), str(tmp_path))
    codes, trouble = process.communicate()
    assert codes.split() == ['2'] * len(WRONG), (codes, trouble)
    for number, (node, parameters, word) in enumerate(WRONG):
        errors = (tmp_path / str(number)).read_text()
        assert len(errors.splitlines()) == 1, f'{node} {parameters}: {errors}'
        assert word in errors and errors.endswith('.\n'), errors


def test_wrong_arguments_are_no_traceback(graph: Any, tmp_path: Path) -> None:
    missing = str(tmp_path / 'missing.yaml')
    process = _start(graph, 'leg_servo', arguments=('--params-file', missing))
    errors = process.communicate()[1]
    assert process.returncode == 2
    assert 'Traceback' not in errors


@pytest.mark.parametrize('what', ['node', 'demo'])
def test_what_is_to_be_secured_does_not_run_unsecured(
    what: str, graph: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv('ROS_SECURITY_ENABLE', 'true')
    monkeypatch.setenv('ROS_SECURITY_STRATEGY', 'Enforce')
    monkeypatch.setenv('ROS_SECURITY_KEYSTORE', str(tmp_path))
    (tmp_path / 'enclaves').mkdir()
    demo = (sys.executable, '-m', 'walking_robots', 'demo', 'scout', '--once')
    process = _start(graph, 'scout_driver') if what == 'node' else graph.run_alone(*demo)
    errors = process.communicate()[1]
    # The wheels have no security; a distribution has, and finds nothing in the keystore.
    (line,) = (found for found in errors.splitlines() if found.startswith('ROS 2 does not start'))
    assert process.returncode == 2 and 'security' in line
    assert 'Traceback' not in errors


def test_a_page_without_its_library_is_one_sentence(
    graph: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / 'viser.py').write_text("raise ImportError('no viser', name='viser')\n")
    monkeypatch.setenv('PYTHONPATH', str(tmp_path), prepend=os.pathsep)
    process = _start(graph, 'viewer')
    errors = process.communicate()[1]
    assert process.returncode == 2, errors
    assert len(errors.splitlines()) == 1 and 'install walking_robots[viewer]' in errors


def test_a_parameter_that_a_file_overrules_is_named(graph: Any, tmp_path: Path) -> None:
    file = tmp_path / 'own.yaml'
    sections = {'/**': {'cell': 0.3}, '/**/terrain': {'ditch_width': 0.0, 'rows': 40}}
    file.write_text(json.dumps({name: {'ros__parameters': own} for name, own in sections.items()}))
    words = ('terrain:columns:=50', 'rows:=40', 'seed:=7', 'ditch_width:=1.5')
    process = _start(graph, 'terrain', *words, arguments=('--params-file', str(file)))
    reported = process.stderr.readline()
    process.send_signal(signal.SIGINT)
    assert not process.communicate()[1]
    assert reported.endswith(
        '-p ditch_width:=1.5 has no effect, because a parameter file names this node; '
        'write -p terrain:ditch_width:=1.5\n'
    )
