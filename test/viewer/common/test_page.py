"""Test the page without a browser: what it draws, and that it draws for nobody but a visitor."""

import os
import re
import socket
import threading
import time
import urllib.request
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import trimesh
import viser

from benchmarks.own_clock import PATIENCE, Stopwatch
from walking_robots.robots.asv import PANTOGRAPH
from walking_robots.robots.urdf.description import robot_description
from walking_robots.terrain.generator import Ditch, build
from walking_robots.viewer.common.colours import Grade
from walking_robots.viewer.common.vehicle import Vehicle
from walking_robots.viewer.hexapod.colours import LegPhase
from walking_robots.viewer.hexapod.machine import HexapodMachine
from walking_robots.viewer.hexapod.overlay import nearest_edge_point
from walking_robots.viewer.hexapod.page import hexapod_board, hexapod_page
from walking_robots.viewer.hexapod.plots import MarginHistory, MarginPlot
from walking_robots.viewer.hexapod.scene import HexapodScene
from walking_robots.viewer.hexapod.state import ViewState


@pytest.fixture
def scene(server: viser.ViserServer, asv: HexapodMachine) -> HexapodScene:
    return HexapodScene(server.scene, robot_description(), asv)


def test_feet_stand_on_their_footholds(scene: HexapodScene, walking: ViewState) -> None:
    scene.show(walking)
    joints = scene._vehicle._joints
    frame = viser.transforms.SE3.identity()
    for name in ('leg1_abduction', 'leg1_lift', 'leg1_thigh', 'leg1_knee'):
        handle = joints[name].frame
        step = viser.transforms.SE3(np.concatenate((handle.wxyz, handle.position)))
        frame = frame @ step
    shank = PANTOGRAPH.shank
    foot = frame.apply(np.array([0.0, 0.0, -shank])) + walking.position
    assert foot == pytest.approx(walking.footholds[0], abs=1e-3)


def test_legs_wear_the_colour_of_their_phase(scene: HexapodScene, walking: ViewState) -> None:
    scene.show(walking)
    for number, name in enumerate(walking.leg_states, start=1):
        skin = scene._vehicle._skin[number]
        assert len(skin) == 6
        assert all(tuple(part.color) == LegPhase.of(name).colour for part in skin)


def test_only_what_changed_is_sent(
    server: viser.ViserServer, scene: HexapodScene, walking: ViewState
) -> None:
    sent: list[str] = []
    scene.show(walking)
    queue = server.scene._queue_scene_message

    def count(message: Any) -> None:
        sent.append(type(message).__name__)
        queue(message)

    server.scene._queue_scene_message = count  # type: ignore[method-assign]
    scene.show(replace(walking, time=12.4))
    assert sent == []
    knee = {**walking.joints, 'leg1_knee': walking.joints['leg1_knee'] + 0.1}
    scene.show(replace(walking, joints=knee))
    assert set(sent) == {'SetOrientationMessage'} and len(sent) <= 2


def test_ground_moves_under_the_vehicle_if_wanted(scene: HexapodScene, walking: ViewState) -> None:
    scene.show(walking)
    assert tuple(scene._root.position)[:2] == pytest.approx((-2.08788, -5.9436))
    scene.follow(False)
    scene.show(replace(walking, position=(3.0, 6.0, 1.6)))
    assert tuple(scene._root.position)[:2] == pytest.approx((-2.08788, -5.9436))
    scene.follow(True)
    assert tuple(scene._root.position)[:2] == pytest.approx((-3.0, -6.0))


def test_support_polygon_and_margin(scene: HexapodScene, walking: ViewState) -> None:
    overlay = scene.overlay
    scene.show(walking)
    assert overlay._area.visible
    assert tuple(overlay._area.color) == Grade.GOOD.value
    assert overlay._label.text == 'margin 0.40 m'
    assert [foot.visible for foot in overlay._feet] == [True] * 5 + [False]
    scene.show(replace(walking, margin=-3.0))
    assert overlay._label.text == 'not stable'
    assert tuple(overlay._area.color) == Grade.BAD.value
    scene.show(replace(walking, support=(1, 4)))
    assert not overlay._area.visible


def test_nearest_edge_point() -> None:
    square = np.array([(0.0, 0.0), (4.0, 0.0), (4.0, 2.0), (0.0, 2.0)])
    assert nearest_edge_point(square, np.array((1.5, 0.5))) == pytest.approx((1.5, 0.0))
    assert nearest_edge_point(square, np.array((5.0, 3.0))) == pytest.approx((4.0, 2.0))


def test_volumes_and_numbers_are_toggles(scene: HexapodScene) -> None:
    overlay = scene.overlay
    assert not any(volume.visible for volume in overlay._volumes)
    overlay.show_volumes(True)
    overlay.show_numbers(False)
    assert all(volume.visible for volume in overlay._volumes)
    assert not any(label.visible for label in overlay._numbers)


def test_new_terrain_replaces_the_old(scene: HexapodScene) -> None:
    scene.show_terrain(build(share=0.2, ditches=[Ditch(6.4, 2.1)]))
    ditch = scene._ground
    assert ditch is not None
    scene.show_terrain(build())
    assert scene._ground is not None and scene._ground.glb_data != ditch.glb_data


def test_board_changes_only_as_often_as_one_can_read(
    server: viser.ViserServer, asv: HexapodMachine, walking: ViewState
) -> None:
    board = hexapod_board(server.gui, asv)
    later = replace(walking, time=12.4)
    board.note(walking)
    board.show(walking, 100.0)
    assert '12.3 s' in board.texts[3].content
    assert not board.is_behind(walking)
    board.note(later)
    board.show(later, 100.1)
    assert '12.3 s' in board.texts[3].content
    assert board.is_behind(later)
    board.show(later, 100.6)
    assert '12.4 s' in board.texts[3].content
    assert not board.is_behind(later)


def test_plot_grows_with_the_margin(
    server: viser.ViserServer, asv: HexapodMachine, walking: ViewState
) -> None:
    plot, history = MarginPlot(server.gui, asv), MarginHistory()
    history.add(walking.time, 0.2, 0.2)
    history.add(walking.time + 1.0, 1.8, 0.2)
    plot.show(history)
    assert len(plot._handle.data[0]) == 2
    assert plot._handle.scales['y']['range'][1] > 1.8


def test_page_serves_on_loopback_and_closes(
    asv: HexapodMachine, walking: ViewState, capsys: pytest.CaptureFixture[str]
) -> None:
    page = hexapod_page(robot_description(), asv, port=0)
    page.show_terrain(build())
    page.show(walking)
    with urllib.request.urlopen(page.url, timeout=10) as answer:
        assert b'<html' in answer.read()
    assert page.url.startswith('http://127.0.0.1:') and not page.detour
    port = int(page.origin.rsplit(':', 1)[1])
    time.sleep(0.2)
    assert page._terrain is not None, 'nothing is drawn while nobody looks'
    page.close()
    page.close()
    with socket.socket() as probe:
        assert probe.connect_ex(('127.0.0.1', port)) != 0
    assert capsys.readouterr().out == '', 'the terminal belongs to the program'


@pytest.mark.filterwarnings('ignore:Queued a .* on a closed connection')
def test_a_drawing_that_takes_long_does_not_hold_up_the_end_of_a_page(
    asv: HexapodMachine, walking: ViewState, monkeypatch: pytest.MonkeyPatch
) -> None:
    page = hexapod_page(robot_description(), asv, port=0)
    drawn, begun, goes_on = page._content.scene.show, threading.Event(), threading.Event()

    def draw(state: ViewState) -> None:
        begun.set()
        assert goes_on.wait(PATIENCE)
        drawn(state)

    monkeypatch.setattr(page._content.scene, 'show', draw)
    monkeypatch.setattr(page, 'is_visited', lambda: True)
    page.show(walking)
    assert begun.wait(PATIENCE)
    watch = Stopwatch(os.getpid())
    page.close()
    assert watch.elapsed() < 0.9
    goes_on.set()
    page._thread.join(PATIENCE)
    assert not page._thread.is_alive()


def test_a_taken_port_makes_way_and_the_page_says_so(asv: HexapodMachine) -> None:
    with socket.socket() as taken:
        taken.bind(('127.0.0.1', 0))
        taken.listen()
        port = taken.getsockname()[1]
        page = hexapod_page(robot_description(), asv, port=port)
        page.close()
    assert page.detour == f'port {port} is taken: the page is at {page.url}'
    assert str(port) not in page.origin


def test_unknown_shapes_and_colours_do_no_harm(
    server: viser.ViserServer, asv: HexapodMachine
) -> None:
    text = """<robot name="r"><link name="a"><visual><geometry><box size="1 1 1"/></geometry>
    </visual><visual><geometry><mesh filename="none.stl"/></geometry></visual></link>
    <link name="b"/><joint name="j" type="fixed"><parent link="a"/><child link="b"/></joint>
    </robot>"""
    assert HexapodScene(server.scene, text, asv)._vehicle.path == '/odom/a'


def test_meshes_are_drawn_to_scale_and_broken_ones_are_one_sentence(
    server: viser.ViserServer, tmp_path: Path
) -> None:
    file = tmp_path / 'my shell.stl'
    trimesh.creation.box((10.0, 20.0, 30.0)).export(file)
    text = f"""<robot name="r"><link name="leg1_coxa"><visual><geometry>
    <mesh filename="{file.as_uri()}" scale="0.001 0.001 0.002"/></geometry></visual></link>
    </robot>"""
    vehicle = Vehicle(server.scene, text, '/r', re.compile(r'leg(\d)'))
    [shape] = vehicle._shapes
    assert np.ptp(shape.vertices, axis=0) == pytest.approx((0.01, 0.02, 0.06))
    vehicle.paint(1, (1, 2, 3))
    assert tuple(shape.color) == (1, 2, 3)
    file.write_text('solid')
    with pytest.raises(ValueError, match=r'my shell.stl: this mesh cannot be read .* to STL$'):
        Vehicle(server.scene, text, '/r')


def test_joints_turn_about_an_axis_of_a_turned_frame(server: viser.ViserServer) -> None:
    text = """<robot name="r"><link name="a"/><link name="b"/><joint name="j" type="revolute">
    <parent link="a"/><child link="b"/><origin rpy="0.3 -0.5 0.9"/><axis xyz="0 0.6 0.8"/>
    <limit lower="-1" upper="1" effort="1" velocity="1"/></joint></robot>"""
    vehicle = Vehicle(server.scene, text, '/r')
    joint = vehicle._joints['j']
    vehicle.move((0.0, 0.0, 0.0), (1.0, 0.0, 0.0, 0.0), {'j': 0.7})
    turn = viser.transforms.SO3.exp(np.array([0.0, 0.6, 0.8]) * 0.7)
    expected = viser.transforms.SO3(np.array(joint.rest)) @ turn
    assert joint.frame.wxyz == pytest.approx(expected.wxyz)
