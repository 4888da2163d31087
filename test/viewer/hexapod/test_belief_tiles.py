"""Test the drawing of what a robot with eyes believes, and of what it bears."""

import math
from dataclasses import replace

import numpy as np
import pytest
import viser

from walking_robots.gaits.commands.charge import EMPTY, LOW
from walking_robots.robots.urdf.description import robot_description
from walking_robots.terrain.cells import FORBIDDEN, PERMITTED, UNSEEN, TernaryTerrain
from walking_robots.terrain.elevation_map import CEILING, HEIGHT, UNKNOWN, VARIANCE, MapWindow
from walking_robots.viewer.hexapod import colours
from walking_robots.viewer.hexapod.belief_tiles import CHUNK, COARSE, BeliefTiles
from walking_robots.viewer.hexapod.machine import HexapodMachine
from walking_robots.viewer.hexapod.page import joint_strengths
from walking_robots.viewer.hexapod.scene import HexapodScene
from walking_robots.viewer.hexapod.state import Belief, ViewState
from walking_robots.viewer.hexapod.status import (
    EMPTY_BATTERY,
    LOW_BATTERY,
    battery_html,
    legend_html,
    legs_html,
)

CELL, SIDE, PARTS = 0.1, 32, 4


def belief(first: int = 0, kind: int = PERMITTED) -> Belief:
    """Return a belief in which one cell of a foothold is known, the second along x."""
    layers = np.empty((len(UNKNOWN), SIDE, SIDE), np.float32)
    layers[:] = np.array(UNKNOWN)[:, None, None]
    layers[HEIGHT, PARTS : 2 * PARTS, :PARTS] = 0.5
    layers[VARIANCE, PARTS : 2 * PARTS, :PARTS] = 1e-6
    cells = np.full((SIDE // PARTS, SIDE // PARTS), kind, np.int8)
    heights = np.zeros((len(cells) + 1, len(cells) + 1))
    terrain = TernaryTerrain(cells, heights, PARTS * CELL, first // PARTS, 0)
    return Belief(MapWindow(CELL, (first, 0), layers), terrain)


@pytest.mark.parametrize(
    ('kind', 'colour'),
    [
        (PERMITTED, colours.PERMITTED_CELL),
        (FORBIDDEN, colours.FORBIDDEN_CELL),
        (UNSEEN, colours.UNSEEN_CELL),
    ],
)
def test_a_tile_has_place_and_class_of_its_cell(
    server: viser.ViserServer, kind: int, colour: tuple[int, int, int]
) -> None:
    tiles = BeliefTiles(server.scene, '/odom')
    tiles.show(belief(first=-PARTS, kind=kind))
    (piece,) = tiles._pieces.values()
    places = piece.points.astype(float) + piece.position
    assert len(places) == (PARTS // COARSE) ** 2
    assert places[:, 0].min() > 0.0 and places[:, 0].max() < PARTS * CELL
    assert 0.3 < places[:, 2].max() < 0.5
    # Darker only by the light, which falls on level ground nearly from above.
    assert np.abs(piece.colors[0].astype(int) - colour).max() < 30


def test_only_pieces_that_have_changed_are_sent(server: viser.ViserServer) -> None:
    tiles = BeliefTiles(server.scene, '/odom')
    tiles.show(belief())
    (piece,) = tiles._pieces.values()
    slightly = belief()
    slightly.window.layers[HEIGHT] += np.float32(0.01 * CELL)
    tiles.show(slightly)
    assert tiles._pieces[0, 0] is piece
    higher = belief()
    higher.window.layers[HEIGHT] += np.float32(CELL)
    tiles.show(higher)
    assert tiles._pieces[0, 0] is not piece
    tiles.show(belief(first=10 * CHUNK * COARSE))
    assert list(tiles._pieces) == [(10, 0)]
    tiles.show(None)
    assert not tiles._pieces


def test_below_a_forbidden_edge_a_tile_is_where_rays_have_passed(
    server: viser.ViserServer,
) -> None:
    tiles, deep = BeliefTiles(server.scene, '/odom'), belief(kind=FORBIDDEN)
    deep.window.layers[CEILING, : 2 * COARSE, : 2 * COARSE] = -0.3
    tiles.show(deep)
    heights = tiles._pieces[0, 0].points[:, 2].astype(float)
    assert len(heights) == 8 and -0.6 < heights.min() < -0.3 and heights.max() > 0.3
    assert math.isclose(tiles.lowest, heights.min(), abs_tol=1e-3)


def test_truth_takes_the_place_of_belief(server: viser.ViserServer, asv: HexapodMachine) -> None:
    scene = HexapodScene(server.scene, robot_description(), replace(asv, sees=True))
    scene.show_terrain(belief().terrain)
    scene.show(ViewState(belief=belief(), rays=np.ones((3, 2, 3), np.float32)))
    (piece,) = scene._tiles._pieces.values()
    assert scene._ground is not None
    assert piece.visible and not scene._ground.visible and scene.rays._lines.visible
    scene.show_truth(True)
    assert scene._ground.visible and not piece.visible
    scene.show_truth(False)
    scene.show_terrain(belief().terrain)
    assert not scene._ground.visible and piece.visible
    scene.rays.switch(False)
    scene.show(ViewState(belief=belief(), rays=np.ones((3, 2, 3), np.float32)))
    assert not scene.rays._lines.visible


def test_what_is_borne_is_drawn_and_graded(server: viser.ViserServer, asv: HexapodMachine) -> None:
    scene = HexapodScene(server.scene, robot_description(), asv)
    scene.show(ViewState())
    assert not scene._forces._arrows.visible
    feet, forces = np.zeros((6, 3)), np.zeros((6, 3))
    forces[:3, 2] = 100.0
    scene.show(ViewState(forces=(feet, forces)))
    assert scene._forces._arrows.visible
    arrows = scene._forces._arrows.points
    assert arrows.shape == (3, 2, 3)
    assert np.allclose(arrows[:, 1, 2], 0.5 * asv.radius)
    strong = replace(asv, strengths=joint_strengths(robot_description()))
    efforts = {'leg1_lift': -0.5 * strong.strengths['leg1_lift'], 'leg1_abduction': 0.0}
    assert '50 %' in legs_html(ViewState(efforts=efforts), strong)
    assert 'load' not in legs_html(ViewState(), strong)


def test_the_bar_of_the_battery_changes_colour_where_gaits_slow_down_and_rest() -> None:
    assert (round(100 * LOW_BATTERY), round(100 * EMPTY_BATTERY)) == (LOW, EMPTY)


def test_a_battery_is_shown_where_it_is_measured() -> None:
    assert battery_html(ViewState()) == ''
    assert '25 %' in battery_html(ViewState(battery=0.25))


def test_the_legend_explains_rays_where_there_are_any(asv: HexapodMachine) -> None:
    assert 'rays of' not in legend_html(asv)
    assert 'rays of' in legend_html(replace(asv, sees=True))
