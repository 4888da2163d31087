"""Hexapods are read from a URDF: our own as written, others with what they leave open."""

import re
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pytest

from walking_robots.legs.driven import DrivenLegs
from walking_robots.robots.hexapod_files import load_hexapod
from walking_robots.robots.urdf.description import articulated_description
from walking_robots.robots.urdf.hexapod_import import LINKS, import_hexapod
from walking_robots.robots.urdf.urdf_tree import read_urdf

FOLDER = Path(__file__).resolve().parents[3] / 'config/robots'
ROBOTS = {path.stem: load_hexapod(path) for path in sorted(FOLDER.glob('*.yaml'))}
INSECT = articulated_description(ROBOTS['insect18'])


def imported(folder, text, names=(), file='robot.urdf'):
    """Write a URDF and read it."""
    path = folder / file
    path.write_text(text)
    return import_hexapod(read_urdf(path), names)


def renamed(text):
    """Return a URDF whose legs are called as on other robots."""
    places = ('lf', 'rf', 'lm', 'rm', 'lr', 'rr')
    for number, place in enumerate(places, 1):
        text = re.sub(rf'leg{number}_(yaw|lift|knee)', rf'j_\1_{place}', text)
        text = re.sub(rf'leg{number}_(coxa|femur|tibia|foot)', rf'\1_{place}', text)
    return text


def without(text, *tags):
    """Return a URDF without parts of its links."""
    tree = ElementTree.fromstring(text)
    for link in tree.iter('link'):
        for part in [part for part in link if part.tag in tags]:
            link.remove(part)
    return ElementTree.tostring(tree, 'unicode')


@pytest.mark.parametrize('name', ROBOTS)
def test_feet_of_shipped_robots_are_where_they_were_written(name, tmp_path):
    written = ROBOTS[name]
    found = imported(tmp_path, articulated_description(written))
    read = found.robot()
    legs, again = DrivenLegs(written), DrivenLegs(read)
    random = np.random.default_rng(20)
    canonical = random.uniform(legs.canonical.low, legs.canonical.high, (50, 6, 3))
    values = legs.canonical.values(canonical)
    assert again.forward(values) == pytest.approx(legs.forward(values), abs=1e-9)
    assert again.canonical.values(again.canonical.low) == pytest.approx(
        legs.canonical.values(legs.canonical.low), abs=1e-9
    )
    assert found.greatest_error(read) < 1e-9
    assert read.joint_speed == pytest.approx(written.joint_speed, rel=1e-12)
    masses = (read.masses.body, read.masses.coxa, read.masses.femur, read.masses.tibia)
    own = (written.masses.body, written.masses.coxa, written.masses.femur, written.masses.tibia)
    assert masses == pytest.approx(own, abs=1e-6)
    assert read.foot_radius == pytest.approx(written.foot_radius)


def test_legs_of_any_name_are_numbered_from_front_to_rear(tmp_path):
    text = renamed(INSECT)
    found = imported(tmp_path, text)
    firsts = [leg.joints[0].name for leg in found.legs]
    assert firsts == ['j_yaw_lf', 'j_yaw_rf', 'j_yaw_lm', 'j_yaw_rm', 'j_yaw_lr', 'j_yaw_rr']
    assert '#   j_yaw_lf, j_lift_lf, j_knee_lf\n' in found.text()
    shown = ElementTree.fromstring(found.urdf())
    turning = [part.get('name') for part in shown.findall('joint') if part.get('type') != 'fixed']
    assert sorted(turning) == sorted(found.robot().joint_names())
    names = [*reversed(firsts[1:]), 'coxa_lf']
    assert [leg.joints[0].name for leg in imported(tmp_path, text, names).legs] == [
        *reversed(firsts[1:]), 'j_yaw_lf',
    ]  # fmt: skip


def test_legs_of_a_hexagon_are_numbered_clockwise_from_ahead(tmp_path):
    text = renamed(articulated_description(ROBOTS['aquarobot']))
    headings = [leg.heading for leg in imported(tmp_path, text).legs]
    assert np.degrees(np.unwrap(headings)) == pytest.approx([0, -60, -120, -180, -240, -300])


def test_what_a_file_leaves_open_is_told(tmp_path):
    bare = without(INSECT, 'inertial', 'collision', 'visual')
    bare = re.sub(r'velocity="[^"]*"|effort="[^"]*"', '', bare)
    found = imported(tmp_path, bare)
    told = '\n'.join(found.notes)
    for words in (
        'no speed',
        'no torque',
        'no mass of the body',
        'no masses of the legs',
        'thick',
    ):
        assert words in told
    robot = found.robot()
    assert robot.masses.guessed and robot.masses.total > 0.1
    # A whole file leaves nothing open but what no URDF knows.
    assert len(imported(tmp_path, INSECT).notes) == 2


def test_legs_that_differ_get_the_mean_and_limits_that_all_can_do(tmp_path):
    [femur] = set(re.findall(r'<origin rpy="[^"]*" xyz="(0\.066 0\.0 0\.0)"', INSECT))
    longer = INSECT.replace(f'xyz="{femur}"', 'xyz="0.078 0.0 0.0"', 1)
    narrow = longer.replace('lower="-1.3962634015954636"', 'lower="-1.0"', 1)
    found = imported(tmp_path, narrow)
    told = '\n'.join(found.notes)
    assert 'The femur is 66 to 78 mm long: all legs get the mean.' in told
    assert 'The lift joints have different limits: all legs get what each can do.' in told
    robot = found.robot()
    assert robot.legs[0].femur == pytest.approx(0.068)
    assert robot.legs[0].ranges[1].low == pytest.approx(-1.0)
    assert found.greatest_error(robot) == pytest.approx(0.01, abs=0.002)


def test_the_foot_of_a_mesh_is_its_farthest_point(tmp_path):
    trimesh = pytest.importorskip('trimesh')
    rod = trimesh.creation.box((130.0, 2.0, 2.0))
    rod.apply_translation((65.0, 0.0, 0.0))
    (tmp_path / 'pack/meshes').mkdir(parents=True)
    rod.export(tmp_path / 'pack/meshes/shank.stl')
    mesh = (
        '<visual><geometry><mesh filename="package://pack/meshes/shank.stl" '
        'scale="0.001 0.001 0.001"/></geometry></visual>'
    )
    bare = without(INSECT, 'collision', 'visual')
    tree = ElementTree.fromstring(bare)
    for part in [part for part in tree if re.search('foot|tip', part.get('name', ''))]:
        tree.remove(part)
    bare = ElementTree.tostring(tree, 'unicode')
    with pytest.raises(ValueError, match=r"foot of link 'leg1_tibia' ends, .* add a link 'foot'"):
        imported(tmp_path, bare)
    (tmp_path / 'pack/urdf').mkdir()
    shanks = re.sub(r'(<link name="leg\d_tibia">)', rf'\1{mesh}', bare)
    assert shanks.count('shank.stl') == 6
    found = imported(tmp_path / 'pack/urdf', shanks)
    assert found.robot().legs[0].tibia == pytest.approx(0.130, abs=1e-4)
    shown = ElementTree.fromstring(found.urdf())
    meshes = {part.get('filename') for part in shown.iter('mesh')}
    assert meshes == {(tmp_path / 'pack/meshes/shank.stl').as_uri()}


def with_meshes(folder, text):
    """Return a URDF of other names, on a footprint, that shows its links by meshes of a folder."""
    trimesh = pytest.importorskip('trimesh')
    trimesh.creation.box((60.0, 8.0, 8.0)).export(folder / 'link.stl')
    tree = ElementTree.fromstring(renamed(without(text, 'visual')).replace('base_link', 'thorax'))
    for link in tree.findall('link'):
        geometry = ElementTree.SubElement(ElementTree.SubElement(link, 'visual'), 'geometry')
        ElementTree.SubElement(geometry, 'mesh', filename='link.stl', scale='0.001 0.001 0.001')
    ElementTree.SubElement(tree, 'link', name='base_footprint')
    stand = ElementTree.SubElement(tree, 'joint', name='stand', type='fixed')
    ElementTree.SubElement(stand, 'parent', link='base_footprint')
    ElementTree.SubElement(stand, 'child', link='thorax')
    ElementTree.SubElement(stand, 'origin', xyz='0 0 0.1')
    return ElementTree.tostring(tree, 'unicode')


def test_a_robot_is_shown_by_its_own_urdf_and_meshes(tmp_path):
    found = imported(tmp_path, with_meshes(tmp_path, INSECT))
    (tmp_path / 'shown').mkdir()
    (tmp_path / 'shown/mine.urdf').write_text(found.urdf())
    file = tmp_path / 'mine.yaml'
    file.write_text(found.text(description='shown/mine.urdf'))
    robot = load_hexapod(file)
    tree = read_urdf(robot.description)
    assert tree.root == 'base_link' and 'base_footprint' not in tree.links
    assert {f'leg{n}_{part}' for n in range(1, 7) for part in LINKS} <= {*tree.links}
    # Read again, it is the same robot, with the joints of topics.
    again = import_hexapod(tree)
    assert again.greatest_error(robot) < 1e-9
    assert [joint.name for leg in again.legs for joint in leg.joints] == [*robot.joint_names()]
    text = articulated_description(robot)
    assert text.count((tmp_path / 'link.stl').as_uri()) == len(tree.links)
    # With the block of ros2_control it is written anew.
    assert 'link.stl' not in articulated_description(robot, 'mock')


@pytest.mark.parametrize(
    ('change', 'sentence'),
    [
        (lambda text: text.replace('leg1_yaw', 'hip'), 'has no joint leg1_yaw; write it by'),
        (lambda text: text.replace('base_link', 'thorax'), 'begins with thorax; write it by'),
        (lambda text: '', 'is not XML'),
    ],
)
def test_a_description_of_another_robot_is_one_sentence(tmp_path, change, sentence):
    file = tmp_path / 'mine.yaml'
    file.write_text(imported(tmp_path, INSECT).text(description='mine.urdf'))
    (tmp_path / 'mine.urdf').write_text(change(INSECT))
    with pytest.raises(ValueError, match=r'mine\.urdf') as refused:
        articulated_description(load_hexapod(file))
    assert sentence in str(refused.value) and '\n' not in str(refused.value)


def test_meshes_that_cannot_be_drawn_are_named(tmp_path):
    text = with_meshes(tmp_path, INSECT)
    (tmp_path / 'link.dae').write_text('<COLLADA/>')
    text = text.replace('link.stl', 'link.dae', 1).replace('link.stl', 'gone.stl', 1)
    notes = imported(tmp_path, text).notes
    assert 'The mesh link.dae is not drawn on the page: convert it to STL.' in notes
    assert 'The mesh gone.stl is not found, so that it is not drawn.' in notes


def test_legs_on_two_links_of_a_body_count_from_the_one_that_carries_both(tmp_path):
    halves = (
        '<link name="front"/><joint name="f" type="fixed"><parent link="base_link"/>'
        '<child link="front"/><origin xyz="0.01 0 0"/></joint></robot>'
    )
    text = INSECT.replace('</robot>', halves)
    legs = re.compile(r'(<joint name="leg[12]_yaw".*?<parent link=")base_link', re.DOTALL)
    text = legs.sub(r'\1front', text).replace('base_link', 'chassis')
    found = imported(tmp_path, text)
    assert found.base == 'chassis'
    assert found.legs[0].mount[0] - found.legs[4].mount[0] == pytest.approx(0.25)


def test_xacro_is_rendered_with_packages_above_it(tmp_path):
    package = tmp_path / 'my_robot'
    (package / 'urdf').mkdir(parents=True)
    (package / 'package.xml').write_text('<package/>')
    (package / 'urdf/legs.urdf').write_text(INSECT)
    text = (
        '<robot name="mine" xmlns:xacro="http://www.ros.org/wiki/xacro">'
        '<xacro:include filename="$(find my_robot)/urdf/legs.urdf"/></robot>'
    )
    found = imported(package / 'urdf', text, file='mine.urdf.xacro')
    assert found.robot().name == 'mine'
    with pytest.raises(ValueError, match=r"xacro cannot render it here .*nowhere.*; run 'xacro "):
        imported(package / 'urdf', text.replace('my_robot', 'nowhere'), file='other.xacro')


@pytest.mark.parametrize(
    ('change', 'sentence'),
    [
        (lambda text: text[:500], 'is not XML'),
        (lambda text: text.replace('<robot', '<!DOCTYPE robot><robot', 1), 'has a DOCTYPE'),
        (lambda text: text.replace('robot', 'sdf'), 'is <sdf>, no <robot>'),
        (lambda text: text.replace('"leg1_coxa"', '"coxa"', 1), 'there is not'),
        (
            lambda text: text.replace('axis xyz="0.0 0.0 1.0"', 'axis xyz="1 0 0"', 1),
            "joint 'leg1_yaw' is 90 degrees from vertical; legs turn",
        ),
        (
            lambda text: text.replace('type="revolute"', 'type="fixed"', 1),
            'has 5 legs of three rotary joints one after the other, not six; name',
        ),
        (lambda text: text.replace('0.066', 'nan'), 'is not 3 finite numbers; correct it'),
        (
            lambda text: text.replace('<robot', '<robot xmlns:xacro="http://x"><xacro:arg/', 1),
            'robot.urdf',
        ),
    ],
)
def test_what_is_no_hexapod_is_one_sentence(tmp_path, change, sentence):
    with pytest.raises(ValueError, match=r'robot\.urdf') as refused:
        imported(tmp_path, change(INSECT))
    assert sentence in str(refused.value) and '\n' not in str(refused.value)


@pytest.mark.parametrize('names', [('leg1_yaw',) * 6, ('leg1_yaw',), tuple('abcdef')])
def test_legs_that_are_none_are_refused(tmp_path, names):
    with pytest.raises(ValueError, match=r'not six different|begins with'):
        imported(tmp_path, INSECT, names)
