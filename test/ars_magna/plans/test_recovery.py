"""The program that fetches recovers from every error code, whatever command ends with it."""

import itertools
import math

import pytest

from walking_robots.ars_magna.agent.futures import Task
from walking_robots.ars_magna.agent.messages import DONE, STARTED
from walking_robots.ars_magna.codes import Code
from walking_robots.ars_magna.design.files import load_design
from walking_robots.ars_magna.plans.robust import fetch_robustly
from walking_robots.ars_magna.simulation.local import connect
from walking_robots.ars_magna.simulation.simulator import Simulator
from walking_robots.documents.shipped_worlds import find_world

DESIGN = load_design(find_world('big_room'))
EVERY = 7
"""One of so many commands that start or succeed ends with the code, whatever it did."""


def spoil(simulator, code):
    """Report some of a robot's commands to it as ended with a code; return what was spoilt."""
    turns, deliver = itertools.count(simulator.world.seed), simulator.sinks['robbie']
    spoilt = {}

    def receive(report):
        if report.number in spoilt:
            return
        went_well = report.kind == STARTED or report.code == Code.NIL
        if went_well and next(turns) % EVERY == 0:
            spoilt[report.number] = report.command
            values = (None,) * len(report.values)
            report = report._replace(kind=DONE, code=str(code), values=values)
        deliver(report)

    simulator.sinks['robbie'] = receive
    return spoilt


@pytest.mark.parametrize('code', [code for code in Code if code is not Code.NIL], ids=str)
@pytest.mark.parametrize('seed', [811, 817])
def test_the_thing_comes_home_although_every_seventh_command_ends_with(code, seed):
    simulator = Simulator(DESIGN, seed)
    robot, truth = connect(simulator, 'robbie'), simulator.world.robots['robbie']
    home, spoilt = (truth.x, truth.y), spoil(simulator, code)
    task = Task(fetch_robustly(robot, {'color': 'lightred'}))
    while not task.done and simulator.now < 20_000:
        simulator.tick()
    task.result()
    (lamp,) = simulator.world.scene.find('lamp')
    assert math.dist(simulator.world.scene.position(lamp), home) < 1.0
    assert spoilt
