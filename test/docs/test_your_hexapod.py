"""docs/your_hexapod.md: its files are a robot and its controllers, and its commands do it."""

import json
import re
import shlex
import xml.etree.ElementTree as ElementTree
from pathlib import Path

import pytest
import yaml

from walking_robots.cli import main
from walking_robots.robots.hexapod_files import parse_hexapod
from walking_robots.robots.hexapod_schema import REMEDIES
from walking_robots.robots.urdf.description import articulated_description

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / 'docs/your_hexapod.md').read_text('utf-8')


def blocks(kind):
    return re.findall(rf'^```{kind}\n(.*?)^```$', PAGE, re.MULTILINE | re.DOTALL)


FILE, SERVO, CONTROLLERS, SENSORS = blocks('yaml')
COMPLAINT, TABLE = blocks('text')
COMMANDS = [line for block in blocks('console') for line in block.splitlines()]
# The demonstrations are for test/graph/test_hexapod.py, with the file of the page.
OURS = [line for line in COMMANDS if re.match('walking_robots (?!demo)', line)]
ROS = [line for line in COMMANDS if line.startswith('ros2 ')]
LAUNCHES = [line for line in ROS if line.startswith('ros2 launch')]
GRAPH = ROS[ROS.index(LAUNCHES[0]) :]
CONTROL = ROS[: ROS.index(LAUNCHES[0])]
ROBOT = parse_hexapod(FILE)
URDF = articulated_description(ROBOT)


@pytest.fixture
def spoken(tmp_path, capsys, monkeypatch):
    """Return a function that runs a command beside the file: its exit code and what it says."""
    monkeypatch.chdir(tmp_path)

    def run(command, text=FILE):
        Path('my_hexapod.yaml').write_text(text)
        Path('my_hexapod.urdf').write_text(URDF)
        with pytest.raises(SystemExit) as end:
            main(shlex.split(command)[1:])
        captured = capsys.readouterr()
        return end.value.code, captured.out + captured.err

    return run


@pytest.mark.parametrize('command', OURS)
def test_the_commands_of_the_page_run_and_write_their_files(command, spoken, tmp_path):
    code, said = spoken(command)
    assert code == 0
    written = re.findall(r'(?:--picture|-o) (\S+)', command)
    assert written or said
    for name in written:
        assert (tmp_path / name).stat().st_size > 10_000


@pytest.mark.slow
def test_a_walk_keeps_its_speed_and_one_too_fast_is_lowered(spoken):
    slow, fast = (
        json.loads(spoken(f'{command} --json')[1])
        for command in OURS
        if ' trial ' in command and not re.search('--gait free|--physics', command)
    )
    assert slow['speed_m_s'] == pytest.approx(0.01)
    assert slow['distance_m'] == pytest.approx(0.3, rel=0.1)
    assert fast['speed_m_s'] == pytest.approx(fast['limit_m_s']) and fast['limit_m_s'] < 0.5
    for walk in (slow, fast):
        assert walk['min_static_margin_m'] > 0 and walk['min_limit_room_rad'] > 0


def test_the_free_gait_of_the_page_gets_where_it_should(spoken):
    for command in OURS:
        if '--gait free' in command:
            found = json.loads(spoken(f'{command.removesuffix(" --json")} --json')[1])
            assert found['reason'] == 'reached' and found['min_static_margin_m'] > 0.0


def test_the_check_says_what_the_page_shows(spoken):
    assert spoken('walking_robots robot check my_hexapod.yaml') == (0, TABLE)


def test_options_named_in_the_text_are_there(spoken):
    for option in re.findall(r'`(--(?:period|json)[^`]*)`', PAGE):
        assert spoken(f'walking_robots robot check my_hexapod.yaml {option}')[0] == 0


def test_a_length_without_its_unit_is_refused_as_the_page_shows(spoken):
    wrong = FILE.replace('femur: 80mm', 'femur: 80')
    assert spoken('walking_robots robot check my_hexapod.yaml', wrong) == (2, COMPLAINT)


def test_what_is_measured_are_fields_of_the_file():
    rows = re.findall(r'^\| \w+ \| .+ \| (`.+`) \|$', PAGE, re.MULTILINE)
    fields = {name for row in rows for name in re.findall(r'\w+', row)} - {'legs'}
    assert len(rows) == 10 and fields <= REMEDIES.keys()


def test_the_stance_of_the_page_is_near_the_best():
    [best] = re.findall(r'best of these: height ([\d.]+) m, reach ([\d.]+) m', TABLE)
    stance = ROBOT.stance
    assert (stance.height, stance.reach) == pytest.approx(tuple(map(float, best)), abs=0.005)


def test_controllers_command_what_the_hardware_offers():
    document = yaml.safe_load(CONTROLLERS)
    manager = document.pop('controller_manager')['ros__parameters']
    [(name, section)] = document.items()
    assert manager[name]['type'] == 'joint_trajectory_controller/JointTrajectoryController'
    given = section['ros__parameters']
    assert given['joints'] == list(ROBOT.joint_names())
    tree = ElementTree.fromstring(articulated_description(ROBOT, 'topic'))
    for joint in tree.findall('ros2_control/joint'):
        for kind in ('command', 'state'):
            offered = [part.get('name') for part in joint.findall(f'{kind}_interface')]
            assert given[f'{kind}_interfaces'] == offered
    hardware = tree.find('ros2_control/hardware')
    assert hardware.findtext('plugin').split('/')[0] in PAGE
    for topic in hardware.findall('param'):
        assert f'`{topic.text}`' in PAGE


def test_names_of_frames_are_those_of_the_urdf():
    tree = ElementTree.fromstring(articulated_description(ROBOT))
    names = {part.get('name') for kind in ('link', 'joint') for part in tree.findall(kind)}
    reported = set(re.findall(r'`(leg\d_\w+|base_link)`', PAGE))
    assert len(reported) >= 8 and reported <= names


def test_ros_commands_name_the_files_and_controllers_of_the_page():
    publisher, node, spawner, message = map(shlex.split, CONTROL)
    urdf = articulated_description(ROBOT, 'mock')
    # A parameter on the command line is read as YAML, which must leave the text whole.
    assert publisher[-1] == 'robot_description:=$(cat my_hexapod.urdf)'
    assert yaml.safe_load(urdf).split() == urdf.split()
    assert node[-1] == spawner[-1] == 'my_controllers.yaml' and f'`{node[-1]}`:' in PAGE
    controllers = yaml.safe_load(CONTROLLERS)['controller_manager']['ros__parameters']
    assert set(spawner[4:-2]) == controllers.keys() - {'update_rate'}
    assert message[4] == f'/{spawner[5]}/joint_trajectory'


def test_the_message_of_the_page_lifts_the_left_front_leg():
    message = yaml.safe_load(shlex.split(CONTROL[-1])[-1])
    [name], [point] = message['joint_names'], message['points']
    [value] = point['positions']
    leg = ROBOT.legs[0]
    index = list(leg.joint_names()).index(name)
    joints = list(leg.home)
    joints[index] = (value - leg.offsets[index]) * leg.directions[index]
    assert leg.ranges[index].holds(joints[index])
    assert leg.forward(joints)[2] > leg.forward(leg.home)[2] + 0.01


@pytest.mark.parametrize('command', LAUNCHES)
def test_launch_arguments_of_the_page_are_those_of_the_launch_file(command):
    _, _, package, file, *arguments = shlex.split(command)
    assert package == 'walking_robots'
    files = (f'launch/{file}', 'walking_robots/nodes/common/launch_files.py')
    text = '\n'.join((ROOT / name).read_text() for name in files)
    for name, _, value in (argument.partition(':=') for argument in arguments):
        [line] = [line for line in text.splitlines() if f"    ('{name}'," in line]
        if name in ('gait', 'backend'):
            assert f"'{value}'" in line
    assert "'output', 'joint_command', 'messages that drive the joints', OUTPUTS" in text


def test_other_commands_for_the_graph_name_what_nodes_offer():
    nodes = '\n'.join(path.read_text() for path in (ROOT / 'walking_robots/nodes').rglob('*.py'))
    others = [shlex.split(line) for line in GRAPH if line not in LAUNCHES]
    topics = [
        words[words.index(kind) - 1] for words in others for kind in words if '/msg/' in kind
    ]
    assert topics == ['/cmd_vel', '/body_pose']
    assert all(f"'{topic[1:]}'" in nodes for topic in topics)
    assert ['ros2', 'param', 'set', '/periodic_gait', 'gait', 'wave'] in others
    for name in re.findall(r'^\| `(\w[\w/]*)`', PAGE, re.MULTILINE):
        assert f"'{name}'" in nodes, name


def test_the_servo_of_the_page_is_one():
    assert parse_hexapod(FILE + SERVO).servo.backlash == pytest.approx(0.0175, abs=1e-4)
