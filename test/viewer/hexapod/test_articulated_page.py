"""Test the page of a hexapod on articulated legs without a browser."""

import math
from dataclasses import replace

import numpy as np
import pytest
import viser

from benchmarks.own_clock import wait_until
from walking_robots.geometry.pose import Quaternion
from walking_robots.legs.articulated import ArticulatedLegs
from walking_robots.nodes.hexapod.page_machine import hexapod_machine
from walking_robots.robots.aquarobot import AQUAROBOT
from walking_robots.robots.urdf.description import articulated_description
from walking_robots.terrain.generator import build
from walking_robots.viewer.common.colours import Grade, css
from walking_robots.viewer.hexapod.colours import LegPhase
from walking_robots.viewer.hexapod.machine import HexapodMachine
from walking_robots.viewer.hexapod.page import hexapod_board, hexapod_page
from walking_robots.viewer.hexapod.panel import BodyControls, GaitControls, HexapodPanel
from walking_robots.viewer.hexapod.scene import HexapodScene
from walking_robots.viewer.hexapod.state import Controls, ViewState
from walking_robots.viewer.hexapod.status import legend_html, legs_html, mode_html, motion_html

TURNED: Quaternion = (math.sqrt(0.5), 0.0, 0.0, math.sqrt(0.5))


@pytest.fixture(scope='module')
def machine() -> HexapodMachine:
    return hexapod_machine(AQUAROBOT, 'tripod')


@pytest.fixture
def stepping() -> ViewState:
    """Return a moment of a tripod gait: legs 1, 3, 5 carry, the others swing."""
    legs = ArticulatedLegs(AQUAROBOT)
    feet = np.array(AQUAROBOT.neutral_feet)
    feet[1::2, 2] += 0.1
    values = legs.values(legs.inverse(feet)).ravel().tolist()
    place = (2.0, 1.0, AQUAROBOT.height)
    footholds = feet + place
    footholds[1::2] = math.nan
    return ViewState(
        time=4.2,
        position=place,
        joints=dict(zip(AQUAROBOT.joint_names(), values, strict=True)),
        leg_states=('support', 'advance') * 3,
        footholds=footholds,
        support=(1, 3, 5),
        margin=0.5,
        planned_margin=0.5,
        mode='tripod',
        velocity=(0.02, 0.0, 0.0),
    )


@pytest.fixture
def scene(server: viser.ViserServer, machine: HexapodMachine) -> HexapodScene:
    return HexapodScene(server.scene, articulated_description(AQUAROBOT), machine)


def test_legs_stand_on_their_footholds_in_the_colour_of_their_phase(
    scene: HexapodScene, stepping: ViewState
) -> None:
    scene.show(stepping)
    for number, phase in ((1, LegPhase.CARRIES), (2, LegPhase.PLACED)):
        skin = scene._vehicle._skin[number]
        assert len(skin) == 7
        assert all(tuple(part.color) == phase.colour for part in skin)
    frame = viser.transforms.SE3.identity()
    for name in ('leg3_yaw', 'leg3_lift', 'leg3_knee'):
        handle = scene._vehicle._joints[name].frame
        frame = frame @ viser.transforms.SE3(np.concatenate((handle.wxyz, handle.position)))
    foot = frame.apply(np.array([1.0, 0.0, 0.0])) + stepping.position
    assert foot == pytest.approx(stepping.footholds[2], abs=1e-6)


def test_the_wire_frame_takes_the_place_of_solid_shapes(scene: HexapodScene) -> None:
    scene.show_terrain(build(rows=10, columns=10, cell=0.1))
    scene.show_wire_frame(True)
    assert scene._wire is not None
    lines = scene._wire._lines
    assert len(lines) == 2 + 3 * 6, 'outline, mark of the front, three lines a leg'
    assert all(line.visible for line in lines)
    assert not any(shape.visible for shape in scene._vehicle._shapes)
    assert not scene._plate.visible and not scene._plain.visible
    assert scene._ground is not None and not scene._ground.visible
    scene.show_terrain(build(rows=12, columns=10, cell=0.1))
    assert not scene._ground.visible, 'nor is the next ground seen'
    scene.show_wire_frame(False)
    assert not any(line.visible for line in lines)
    assert all(shape.visible for shape in scene._vehicle._shapes)
    assert scene._ground.visible
    assert scene._plate.visible and scene._plain.visible


def test_a_plate_fills_the_outline_of_the_body(scene: HexapodScene) -> None:
    corners, faces = scene._plate.vertices.astype(float), scene._plate.faces
    a, b, c = (corners[faces[:, k]] for k in range(3))
    area = np.linalg.norm(np.cross(b - a, c - a), axis=1).sum() / 2.0
    radius = math.hypot(*AQUAROBOT.outline[0])
    assert area == pytest.approx(1.5 * math.sqrt(3.0) * radius**2), 'of a hexagon'


def test_lines_of_a_leg_are_as_long_as_its_links(scene: HexapodScene) -> None:
    ends = [bone.end for bone in scene._vehicle.bones if bone.part == 4]
    assert [math.hypot(*end) for end in ends] == pytest.approx([0.2, 0.5, 1.0])


def test_views_follow_the_robot(scene: HexapodScene, stepping: ViewState) -> None:
    turned = replace(stepping, quaternion=TURNED)
    scene.show(turned)
    eye, _ = scene.thesis_view('Behind')
    assert eye[0] == pytest.approx(0.0, abs=1e-9)
    assert eye[1] < -3.0, 'it heads along y'
    scene.follow(False)
    scene.show(replace(turned, position=(2.0, 3.0, AQUAROBOT.height)))
    assert scene.thesis_view('Behind').eye[1] == pytest.approx(eye[1] + 2.0)


def test_small_robots_have_small_signs(server: viser.ViserServer, machine: HexapodMachine) -> None:
    small = replace(machine, radius=machine.radius / 10.0, foothold=machine.foothold / 10.0)
    text = articulated_description(AQUAROBOT)
    large = HexapodScene(server.scene, text, machine).overlay
    tiny = HexapodScene(server.scene, text, small).overlay
    assert tiny._feet[0].radius == pytest.approx(large._feet[0].radius / 10.0)
    assert tiny._border.thickness == pytest.approx(large._border.thickness / 10.0)


def test_status_shows_room_posture_and_what_the_gait_waits_for(
    machine: HexapodMachine, stepping: ViewState
) -> None:
    near = {**stepping.joints, 'leg4_yaw': math.radians(59.0)}
    text = legs_html(replace(stepping, joints=near), machine)
    assert '1°' in text and css(Grade.BAD.value) in text
    order = [text.index(f'Leg {number}') for number in (1, 6, 2, 5, 3, 4)]
    assert order == sorted(order), 'placed as on the robot'
    tilted = replace(stepping, quaternion=(math.cos(0.05), math.sin(0.05), 0.0, 0.0))
    assert 'roll</span> <b>5.7°' in motion_html(tilted, machine)
    waits = replace(stepping, state='waits for ground', stop_reason='waits for ground')
    text = mode_html(waits, (), machine)
    assert 'Tripod gait' in text and 'Three legs step' in text
    assert 'Waits for ground' in text and '>waits for ground' not in text
    assert 'superseded' in mode_html(replace(stepping, stop_reason='superseded'), (), machine)
    assert 'leaves the ground' not in legend_html(machine)


def test_board_notes_what_was_waited_for(
    server: viser.ViserServer, machine: HexapodMachine, stepping: ViewState
) -> None:
    board = hexapod_board(server.gui, machine)
    board.note(replace(stepping, state='waits for margin'))
    board.note(replace(stepping, time=4.3))
    board.show(replace(stepping, time=4.3), 1.0)
    assert '4.2 s' in board.texts[0].content and 'stand safely' in board.texts[0].content


def test_the_body_is_commanded_in_six_axes(
    server: viser.ViserServer, machine: HexapodMachine
) -> None:
    requested: list[tuple[float, ...]] = []
    assert machine.body is not None
    controls = BodyControls(server.gui, machine.body, lambda *axes: requested.append(axes))
    controls._sliders[2].value = -0.05
    controls._sliders[4].value = 9.0
    assert requested[-1] == pytest.approx((0.0, 0.0, -0.05, 0.0, math.radians(9.0), 0.0))
    controls.reset()
    assert len(requested) == 3, 'asked for once, not slider by slider'
    assert requested[-1] == (0.0,) * 6


def test_a_gait_is_requested_with_its_period(
    server: viser.ViserServer, machine: HexapodMachine
) -> None:
    requested: list[tuple[str, float]] = []
    speeds: list[float] = []
    wave = machine.gaits[2]
    controls = GaitControls(
        server.gui,
        machine.gaits,
        lambda *wanted: requested.append(wanted),
        lambda gait: speeds.append(gait.speed),
    )
    controls._choice.value = 'wave'
    controls._period.value = 45.0
    assert requested == [('wave', 0.0), ('wave', 45.0)]
    assert speeds == pytest.approx([wave.speed, wave.speed * wave.period / 45.0])
    controls.follow('tripod')
    assert controls._choice.value == 'tripod', 'somebody else has asked for it'
    controls._choice.value = 'ripple'
    controls.follow('tripod')
    assert controls._choice.value == 'ripple', 'not back, before the robot has answered'
    assert requested[2:] == [('ripple', 45.0)]


def test_sliders_end_where_the_gait_does(
    server: viser.ViserServer, machine: HexapodMachine
) -> None:
    requested: list[float] = []
    controls = Controls(walk=lambda forward, *_: requested.append(forward))
    panel = HexapodPanel(server.gui, controls, machine, {})
    tripod, _, wave = machine.gaits
    assert panel._forward.value > wave.speed
    panel._limit(wave)
    assert requested == [], 'nobody has asked to walk'
    for slider, limit in ((panel._forward, wave.speed), (panel._turn, wave.turn)):
        assert limit - slider.step < slider.max == -slider.min <= limit
        assert slider.value <= slider.max
    panel._start()
    assert requested == [panel._forward.max]
    panel.drive(1.0, 0.0, 0.0)
    panel._limit(tripod)
    assert requested[-1] == panel._forward.max > wave.speed, 'a share of the present limit'
    panel.stop()
    panel._limit(wave)
    assert requested[-1] > wave.speed, 'nobody drives any more'


def test_a_motion_ends_where_no_page_is_open(machine: HexapodMachine, monkeypatch) -> None:
    panels, stops = [], []

    def begun(panel: HexapodPanel, *what: object) -> None:
        made(panel, *what)
        panels.append(panel)

    made = HexapodPanel.__init__
    monkeypatch.setattr(HexapodPanel, '__init__', begun)
    controls = Controls(stop=lambda: stops.append(True))
    page = hexapod_page(articulated_description(AQUAROBOT), machine, controls, port=0)
    try:
        page._content.leave()
        assert not stops, 'what others asked for goes on'
        panels[0]._start()
        wait_until(lambda: stops, 'the end of a walk when no page is open')
        assert not panels[0]._walking
        stops.clear()
        panels[0]._pose(0.0, 0.0, 0.01, 0.0, 0.0, 0.0)
        wait_until(lambda: stops, 'the end of a motion of the body when no page is open')
    finally:
        page.close()
