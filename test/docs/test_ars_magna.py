"""docs/ars_magna.md: its world loads, its program runs, its commands work, its tables are true."""

import re
import shlex
import statistics
import subprocess
import sys
from importlib import import_module
from pathlib import Path

import pytest
import yaml

from walking_robots.ars_magna.agent.futures import Task
from walking_robots.ars_magna.codes import wire_number
from walking_robots.ars_magna.design.files import load_design, parse_design
from walking_robots.ars_magna.parameters import PARAMETERS
from walking_robots.ars_magna.plans.programs import PROGRAMS
from walking_robots.ars_magna.simulation.ground import GroundMap
from walking_robots.ars_magna.simulation.local import connect
from walking_robots.ars_magna.simulation.simulator import Simulator
from walking_robots.cli import main
from walking_robots.trials.ars_magna.trial import MISSED, SUCCEEDED, ArsTrial, run

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / 'docs/ars_magna.md').read_text('utf-8')
BLOCKS = dict(re.findall(r'^```(\w+)\n(.*?)^```$', PAGE, re.MULTILINE | re.DOTALL))
ROWS = re.findall(r'^\| ([A-Z]\d\d) \| `(.+)` \| `(\S+)` \| (.+) \|$', PAGE, re.MULTILINE)
COMMANDS = re.findall(r'`(walking_robots [^`]*)`', PAGE)
RESULTS = re.findall(
    r'^\| `(\w+)` \| (\S+) \| ([\d.]+) % \| ([\d.]+) % \| ([\d.]+) \|$', PAGE, re.MULTILINE
)
ROBUST = re.findall(
    r'^\| `(\w+)` \| `(\S+=\S+)` \| (\d+) to (\d+) \| (\d+) of (\d+) \| ([\d.]+) \|',
    PAGE,
    re.MULTILINE,
)
# The constructs of ars_magna.md §2 by their numbers; the console's, K, are in its own help.
CONSTRUCTS = {
    'G': range(1, 28),
    'O': range(1, 11),
    'A': [*range(1, 11), *range(20, 25)],
    'D': range(1, 7),
    'M': range(1, 14),
    'B': range(1, 13),
    'H': range(1, 12),
    'S': range(1, 6),
    'R': range(1, 9),
    'W': range(1, 22),
    'E': range(46),
    'Q': range(1, 37),
    'F': range(1, 24),
    'P': range(1, 43),
}


def python_object(name):
    """Find what a dotted name below the room means, or fail."""
    parts = name.split('.')
    for split in range(len(parts), 0, -1):
        module = '.'.join(['walking_robots.ars_magna', *parts[:split]])
        try:
            found = import_module(module)
        except ModuleNotFoundError:
            continue
        for index, part in enumerate(parts[split:]):
            if not hasattr(found, part):
                # Attributes that are set at construction have no value in the class.
                last = index == len(parts[split:]) - 1
                fields = getattr(found, '__annotations__', {})
                code = getattr(getattr(found, '__init__', None), '__code__', None)
                assert last and (part in fields or (code and part in code.co_names)), name
                return found
            found = getattr(found, part)
        return found
    raise AssertionError(f'{name} names no module')


def test_every_construct_is_in_the_table_once():
    wanted = [f'{kind}{number:02}' for kind, numbers in CONSTRUCTS.items() for number in numbers]
    assert [row[0] for row in ROWS] == wanted


@pytest.mark.parametrize(('id', 'name'), [(row[0], row[2]) for row in ROWS])
def test_the_python_name_of_a_construct_is_there(id, name):
    python_object(name)


def test_the_codes_of_the_table_are_those_on_the_wire():
    reported = {name: ros for id, name, _, ros in ROWS if id[0] == 'E'}
    assert {name: f'code {wire_number(name)}' for name in reported} == reported


def test_the_parameters_of_the_table_are_those_there_are():
    reported = {id: ros for id, _, _, ros in ROWS if id[0] == 'P'}
    assert reported == {
        info.id: f'parameter `{name}`' for name, info in PARAMETERS.items() if info.id
    }


def test_the_world_of_the_page_is_read_without_a_warning():
    design = parse_design(BLOCKS['yaml'], 'kitchen.yaml')
    assert design.warnings == ()
    ground = GroundMap(design.grid, design.definitions.place_types)
    assert ground.place(10, 5).type.name == 'doorway'
    assert ground.place(1, 1).type.name == 'concave'
    assert yaml.safe_load(BLOCKS['yaml'])['world']['name'] == design.name


EXAMPLES = dict(re.findall(r'^```yaml ([a-z ]+)\n(.*?)^```$', PAGE, re.MULTILINE | re.DOTALL))
ROBBIE = (
    'robots: [{name: robbie, at: [2, 2], cameras: [{fov: 90deg, resolution: 5}], '
    'hands: [{strength: 9}]}]\n'
)


def test_the_circles_of_the_page_are_walls():
    design = parse_design(EXAMPLES['circles'], 'park.yaml')
    ground = GroundMap(design.grid, design.definitions.place_types)
    assert ground.is_filled(24, 20) and not ground.is_filled(20, 20)
    assert ground.is_filled(8, 20) and ground.is_filled(10, 20)


def test_the_place_types_of_the_page_are_found():
    nook = (
        'world:\n  name: nook\n  size: [15, 15]\n  walls:\n'
        '    - wall: {from: [3, 3], to: [5, 3]}\n    - wall: {from: [3, 4], to: [3, 4]}\n'
        '    - wall: {from: [5, 4], to: [5, 4]}\n    - wall: {from: [8, 10], to: [10, 10]}\n'
    )
    design = parse_design(EXAMPLES['place types'] + nook, 'nook.yaml')
    ground = GroundMap(design.grid, design.definitions.place_types)
    assert ground.place(4, 4).type.name == 'niche'
    kinds = {found.name: len(ground.places_of(found.name)) for found in ground.types}
    assert kinds['niche'] == 1
    assert 'wall_end' in kinds


def test_the_manipulation_of_the_page_locks():
    world = (
        'world:\n  name: shop\n  size: [9, 9]\n  objects:\n'
        '    - {name: chest, at: [2, 2], attrs: {capacity: 5, lock_id: 7, locked: false}}\n'
        '    - {name: key, at: [2, 2], attrs: {kind: key, size: 0.1, lock_id: 7}}\n'
    )
    simulator = Simulator(parse_design(EXAMPLES['manipulations'] + world + ROBBIE, 'shop'), 3)
    simulator.world.parameters = simulator.world.parameters.cleaned().with_values(
        clean_manipulations=True
    )
    robot = connect(simulator, 'robbie')
    eye, hand = robot.cameras[0], robot.hands[0]

    async def program():
        key = (await eye.get_object_designator('local', ('kind', 'key'))).value
        chest = (await eye.get_object_designator('local', ('capacity', (1, 9)))).value
        codes = [(await robot.manipulate('lock', [chest, key], hand)).code]
        await eye.track(key).started
        await hand.grasp(eye, key)
        codes.append((await robot.manipulate('lock', [chest, key], hand)).code)
        return codes

    task = Task(program())
    while not task.done:
        simulator.tick()
    assert task.result() == ['NOT-HOLDING-KEY', 'NIL']
    (chest,) = simulator.world.scene.find('chest')
    assert chest.attributes['locked'] is True


def test_the_program_of_the_page_prints_what_it_says(tmp_path):
    (tmp_path / 'kitchen.yaml').write_text(BLOCKS['yaml'])
    (tmp_path / 'visit.py').write_text(BLOCKS['python'])
    done = subprocess.run(
        [sys.executable, 'visit.py'], cwd=tmp_path, capture_output=True, text=True, check=True
    )
    assert f'it prints `{done.stdout.strip()}`' in PAGE


OWN = re.findall(r'^walking_robots (.* --program .*)$', PAGE, re.MULTILINE)
OWN_PROGRAM = '\n\n'.join(re.findall(r'^```py\n(.*?)^```$', PAGE, re.MULTILINE | re.DOTALL))


@pytest.mark.parametrize('command', OWN)
def test_the_own_programs_of_the_page_succeed(command, tmp_path, monkeypatch, capsys):
    (tmp_path / 'my_program.py').write_text(OWN_PROGRAM)
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(tmp_path)
    with pytest.raises(SystemExit) as end:
        main(shlex.split(command))
    assert end.value.code == 0
    said = capsys.readouterr().out
    if command.startswith('sweep'):
        assert '10 of 10' in said and (tmp_path / 'runs.png').exists()
    else:
        assert 'succeeded' in said


def test_every_program_of_the_page_is_run():
    named = {re.search(r'my_program:(\w+)', command)[1] for command in OWN}
    assert named == set(re.findall(r'^async def (\w+)', OWN_PROGRAM, re.MULTILINE))


# Tested elsewhere: the demo in test/browser, --graph in test/graph, sweeps in test_sweeps.
PLAIN = [one for one in COMMANDS if not re.search(' demo | --graph| sweep ', one)]


@pytest.mark.parametrize('command', PLAIN)
def test_the_commands_of_the_page_run(command, monkeypatch, capsys, tmp_path):
    monkeypatch.setattr('sys.stdin', open(ROOT / 'LICENSE'))  # noqa: SIM115
    words = shlex.split(command)[1:]
    if 'cli' in words:
        (tmp_path / 'script').touch()
        words += ['--script', str(tmp_path / 'script')]
    with pytest.raises(SystemExit) as end:
        main(words)
    assert end.value.code == 0
    assert capsys.readouterr().out or 'cli' in words


def test_the_worlds_of_the_page_are_shipped():
    for name in ('big_room', 'house', 'office', 'maze'):
        assert f'`{name}`' in PAGE
        assert load_design(ROOT / f'config/worlds/{name}.yaml').robots


@pytest.mark.slow
@pytest.mark.parametrize(('plan', 'noise', 'well', 'home', 'ticks'), RESULTS)
def test_the_plans_succeed_as_often_as_the_page_says(plan, noise, well, home, ticks):
    assert plan in PROGRAMS
    path = ROOT / 'config/worlds/big_room.yaml'
    design = load_design(path)
    results = [run(ArsTrial((str(path),), plan, seed, noise), design) for seed in range(200)]
    done = [one for one in results if one.outcome == SUCCEEDED]
    ended = len(done) + sum(one.outcome == MISSED for one in results)
    assert 100 * ended / 200 == pytest.approx(float(well), abs=0.05)
    assert 100 * len(done) / 200 == pytest.approx(float(home), abs=0.05)
    assert statistics.median(one.ticks for one in done) == float(ticks)


@pytest.mark.slow
@pytest.mark.parametrize(('world', 'what', 'first', 'last', 'well', 'count', 'ticks'), ROBUST)
def test_robust_succeeds_as_often_as_the_page_says(
    world, what, first, last, well, count, ticks, acceptance
):
    if not acceptance:
        pytest.skip('the table takes minutes: --acceptance')
    path = ROOT / f'config/worlds/{world}.yaml'
    design = load_design(path)
    results = [
        run(ArsTrial((str(path),), 'robust', seed, what=what), design)
        for seed in range(int(first), int(last) + 1)
    ]
    assert (sum(one.goal_reached for one in results), len(results)) == (int(well), int(count))
    assert statistics.median(one.ticks for one in results) == float(ticks)


def test_the_table_of_robust_is_read():
    assert len(ROBUST) == 11
    assert {row[0] for row in ROBUST} == {'big_room', 'house', 'office', 'maze'}


def test_the_page_has_both_plans_at_all_noises():
    assert len(RESULTS) == 8
