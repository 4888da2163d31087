"""Trials of hexapods on articulated legs in the real graph: the same walks to the last bit."""

import math
from collections.abc import Callable
from pathlib import Path

import numpy as np

from walking_robots.gaits.gait_step import GaitStep
from walking_robots.nodes.common.trial import How
from walking_robots.nodes.hexapod.robot import (
    FREE,
    battery_timeout,
    left_out,
    lift_margin,
    simulation_parameters,
)
from walking_robots.nodes.hexapod.trial_free import GraphWalk, walk_in_graph
from walking_robots.terrain.cells import TernaryTerrain
from walking_robots.terrain.generator import build
from walking_robots.terrain.level import LevelGround
from walking_robots.trials.hexapod.free import FreeGaitResult, FreeGaitTrial, result_of
from walking_robots.trials.hexapod.periodic import GaitFigures, HexapodResult, HexapodTrial
from walking_robots.trials.hexapod.referee import Referee

SIDE = 10
"""Cells along a side of level ground."""


def run_periodic_in_graph(
    robot: str,
    trial: HexapodTrial,
    how: How,
    *,
    domain: int | None = None,
    record: Path | None = None,
) -> HexapodResult:
    """Walk for the time of a trial by a periodic gait; ``robot``: as nodes find it.

    Raises ValueError, one sentence, for a trial that the graph cannot run, and TrialError when it
    does not get to the end.
    """
    x, y = trial.place
    walks = {'robot': robot, 'gait': trial.gait}
    walk = GraphWalk(
        system='hexapod',
        terrain=_terrain(trial),
        command=trial.command,
        referee=Referee((x, y), math.inf, trial.steps, trial.step, may_halt=False),
        overrides={
            'periodic_gait': walks
            | {
                'period': trial.period or 0.0,
                'path': trial.path,
                'body_height': 0.0 if trial.height is None else trial.height - trial.robot.height,
                'body_roll': trial.roll,
                'body_pitch': trial.pitch,
                # On a busy machine the servo may answer late, and the walk goes on all the same.
                'command_timeout': 10.0,
                'hold_path': trial.physics is not None,
                'battery_timeout': battery_timeout(trial.robot, trial.physics, trial.step),
            },
            'leg_servo': walks,
            'hexapod_sim': walks
            | {'start_x': x, 'start_y': y}
            | simulation_parameters(trial.physics, trial.odometry, trial.seed),
        },
        without=left_out(trial.gait),
    )
    figures = GaitFigures(trial.step)
    walk_in_graph(walk, how, domain=domain, record=record, watch=figures.add)
    return figures.result(trial, trial.plan())


def run_free_in_graph(
    robot: str,
    trial: FreeGaitTrial,
    how: How,
    *,
    domain: int | None = None,
    record: Path | None = None,
    watch: Callable[[GaitStep], None] | None = None,
) -> FreeGaitResult:
    """Run a trial of the free gait; the rest as in `run_periodic_in_graph`."""
    terrain, model = trial.ground()
    x, y, _ = model.start_position
    dt = model.timing.dt
    walks = {'robot': robot, 'gait': FREE}
    walk = GraphWalk(
        system='hexapod',
        terrain=terrain,
        command=trial.command,
        referee=Referee(
            (x, y), trial.goal(x), round(trial.time_limit() / dt), dt, may_halt=any(trial.command)
        ),
        overrides={
            'free_gait': walks
            | {
                'coordinator': trial.gait,
                'cross_ditches': True,
                'lift_margin': lift_margin(forces=trial.physics is not None),
                'battery_timeout': battery_timeout(model, trial.physics, dt),
            },
            'leg_servo': walks,
            'hexapod_sim': walks
            | {'start_x': x, 'start_y': y}
            | simulation_parameters(trial.physics, trial.odometry, trial.seed),
        },
        without=left_out(FREE),
        eyes=trial.eyes,
    )
    return result_of(
        trial, model, walk_in_graph(walk, how, domain=domain, record=record, watch=watch)
    )


def _terrain(trial: HexapodTrial) -> TernaryTerrain:
    """Return the terrain of a trial; level ground is as large as the walk."""
    if isinstance(trial.terrain, TernaryTerrain):
        return trial.terrain
    assert isinstance(trial.terrain, LevelGround)
    # What is before the start is behind it as well.
    cell = (2.0 * max(trial.place) + trial.way) / SIDE
    return build(SIDE, SIDE, cell, heights=np.full(SIDE + 1, trial.terrain.elevation))
