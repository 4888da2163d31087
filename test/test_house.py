"""Rules of the house: who may import whom, and what the package says of itself."""

import ast
import re
import subprocess
import sys
import xml.etree.ElementTree as ElementTree
from functools import cache
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import pytest

from walking_robots.systems import executables

ROOT = Path(__file__).resolve().parent.parent
HOUSE = ROOT / 'walking_robots'

# Ground floor first; a room may import those named beside it, and itself.
ROOMS = {
    'documents': '',
    'geometry': '',
    'terrain': 'documents geometry',
    'worlds': 'documents geometry',
    'robots': 'documents geometry',
    'legs': 'geometry terrain robots',
    'body': 'geometry robots',
    'gaits': 'documents geometry terrain worlds robots legs body',
    'ars_magna': 'documents geometry worlds',
    'sweeps': 'documents',
    'mdle': 'documents geometry worlds',
    'scout': 'documents geometry robots worlds',
    'servos': 'documents geometry robots',
    'virtual_robots': 'documents geometry robots mdle',
    'simulation': 'documents geometry terrain worlds robots legs mdle scout servos virtual_robots',
    'trials': 'documents geometry terrain worlds robots legs body gaits ars_magna mdle scout '
    'servos virtual_robots simulation',
    'learning': 'documents geometry robots gaits simulation trials',
    'viewer': 'geometry robots terrain worlds',
}
EVERYTHING = {'nodes', 'cli', 'systems', '__init__', '__main__'}
# A simulated leg moves like the real one, and knows as little of what is intended with it.
LEGS_FOR_SIMULATION = tuple(
    f'walking_robots.legs.{module}'
    for module in ('servo', 'kinematics', 'driven', 'articulated', 'dh')
)

ROS = re.compile(r'rclpy|rosidl_\w+|tf2_\w+|launch(_ros)?|\w+_(msgs|srvs|interfaces)')
HEAVY = re.compile(r'rclpy|mujoco|\w+_msgs|walking_robots_interfaces')


def module_name(path: Path) -> str:
    """Return the dotted name of a source file."""
    parts = path.relative_to(ROOT).with_suffix('').parts
    return '.'.join(parts[:-1] if parts[-1] == '__init__' else parts)


def room_of(module: str) -> str:
    """Return the room, or the module beside the rooms, that holds a module."""
    return [*module.split('.'), '__init__'][1]


SOURCES = {module_name(path): path for path in sorted(HOUSE.rglob('*.py'))}


@cache
def imports_of(module: str) -> set[str]:
    """Return the full names of all modules that a module imports, wherever in it."""
    found = set()
    for node in ast.walk(ast.parse(SOURCES[module].read_text())):
        if isinstance(node, ast.Import):
            found.update(alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            base = node.module or ''
            if node.level:
                is_package = SOURCES[module].name == '__init__.py'
                parents = module.split('.')[: -(node.level - is_package) or None]
                base = '.'.join([*parents, *filter(None, [base])])
            names = {f'{base}.{alias.name}' for alias in node.names}
            modules = names & SOURCES.keys()
            found |= modules
            if len(modules) < len(names):
                found.add(base)
    return found


def own_imports_of(module: str) -> set[str]:
    """Return the modules of this package that a module imports."""
    return {name for name in imports_of(module) if name.split('.')[0] == HOUSE.name}


def modules_in(room: str) -> list[str]:
    """Return the modules of a room, or skip where it is not built yet."""
    modules = [module for module in SOURCES if room_of(module) == room]
    if not modules:
        pytest.skip(f'The room {room} is not built yet.')
    return modules


def test_every_room_has_its_place():
    present = {room_of(module) for module in SOURCES}
    assert present <= ROOMS.keys() | EVERYTHING


@pytest.mark.parametrize('room', ROOMS)
def test_no_room_imports_one_above_it(room):
    allowed = {room, *ROOMS[room].split(), '__init__'}
    wrong = [
        f'{module} imports {name}'
        for module in modules_in(room)
        for name in own_imports_of(module)
        if room_of(name) not in allowed
    ]
    assert not wrong


FAMILIES = ('hexapod', 'biped', 'scout', 'mdle', 'ars_magna')
BY_FAMILY = ('nodes', 'trials', 'viewer')


def family_of(module: str) -> str:
    """Return the system that a module of a room divided by systems belongs to, or nothing."""
    parts = module.split('.')
    return parts[2] if len(parts) > 2 and parts[1] in BY_FAMILY else ''


@pytest.mark.parametrize('room', BY_FAMILY)
def test_a_room_divided_by_systems_has_their_folders_and_what_they_share(room):
    folders = {path.name for path in (HOUSE / room).iterdir() if path.is_dir()}
    assert folders - {'__pycache__'} <= {*FAMILIES, 'common'}


def test_no_folder_of_a_system_imports_that_of_another():
    wrong = [
        f'{module} imports {name}'
        for module in SOURCES
        if family_of(module) in (*FAMILIES, 'common')
        for name in own_imports_of(module)
        if room_of(name) == room_of(module)
        and family_of(name) in FAMILIES
        and family_of(name) != family_of(module)
    ]
    assert not wrong


def test_a_class_name_exists_once():
    where: dict[str, list[str]] = {}
    for module, path in SOURCES.items():
        for node in ast.parse(path.read_text()).body:
            if isinstance(node, ast.ClassDef) and not node.name.startswith('_'):
                where.setdefault(node.name, []).append(module)
    assert {name: found for name, found in where.items() if len(found) > 1} == {}


def test_simulation_takes_only_the_mechanics_of_legs():
    wrong = [
        f'{module} imports {name}'
        for module in modules_in('simulation')
        for name in own_imports_of(module)
        if room_of(name) == 'legs' and not name.startswith(LEGS_FOR_SIMULATION)
    ]
    assert not wrong


def test_no_circles_of_modules():
    graph = {module: own_imports_of(module) - {module} for module in SOURCES}
    try:
        TopologicalSorter(graph).prepare()
    except CycleError as error:
        pytest.fail(' -> '.join(error.args[1]))


def test_ros_only_in_the_nodes():
    wrong = [
        f'{module} imports {name}'
        for module in SOURCES
        if room_of(module) != 'nodes'
        for name in imports_of(module)
        if ROS.fullmatch(name.split('.')[0])
    ]
    assert not wrong


@pytest.mark.parametrize('room', [*ROOMS, 'cli'])
def test_a_library_room_loads_neither_ros_nor_mujoco(room):
    code = (
        'import importlib, sys\n'
        f'for name in {modules_in(room)!r}: importlib.import_module(name)\n'
        'print(*sorted({name.partition(".")[0] for name in sys.modules}))'
    )
    done = subprocess.run([sys.executable, '-c', code], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert not [name for name in done.stdout.split() if HEAVY.fullmatch(name)]


def setup_value(name: str) -> object:
    """Return a literal that setup.py names, or gives to setup()."""
    for node in ast.walk(ast.parse((ROOT / 'setup.py').read_text())):
        if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == name:
            return ast.literal_eval(node.value)
        if isinstance(node, ast.keyword) and node.arg == name:
            return ast.literal_eval(node.value)
    raise KeyError(name)


@pytest.mark.parametrize('module', executables().values())
def test_each_executable_has_its_module(module):
    assert module in SOURCES
    body = ast.parse(SOURCES[module].read_text()).body
    assert 'main' in [item.name for item in body if isinstance(item, ast.FunctionDef)]


def test_the_descriptions_of_the_package_agree():
    manifest = ElementTree.parse(ROOT / 'package.xml').getroot()
    for tag in ('version', 'license', 'description'):
        assert manifest.findtext(tag) == setup_value(tag)
    assert manifest.findtext('name') == setup_value('NAME')
    assert f"__version__ = '{setup_value('version')}'" in (HOUSE / '__init__.py').read_text()


def test_package_xml_names_every_ros_package_that_is_imported():
    manifest = ElementTree.parse(ROOT / 'package.xml').getroot()
    named = {item.text for tag in ('depend', 'exec_depend') for item in manifest.findall(tag)}
    imported = {name.split('.')[0] for module in SOURCES for name in imports_of(module)}
    assert {name for name in imported if ROS.fullmatch(name)} <= named
