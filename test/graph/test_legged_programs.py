"""Motion programs on the graphs of hexapods and bipeds end as in plain Python (AC-40)."""

from pathlib import Path
from typing import Any

import pytest

from benchmarks.own_clock import wait_until
from walking_robots.geometry.se2 import Pose2

pytestmark = pytest.mark.graph

PROGRAM = """
mdle 1;
import std.body2;
plan ahead_of_it(east: m, north: m) { do { go_to(point(east, north)); stop(); } }
"""
WORLD = """
ars_schema: 1
world:
  name: step
  size: [3m, 2m]
  cell: 5cm
  y_axis: up
  walls:
    - rect: {from: [0m, 0m], to: [2.95m, 1.95m], type: plaster}
    - wall: {from: [1.4m, 0.05m], to: [1.4m, 1.9m], type: step, params: [0.01]}
  start: {at: [1m, 1m], heading: 0deg}
"""


def run(graph: Any, system: str, overrides: dict[str, dict[str, Any]], without: tuple[str, ...],
        **arguments: str) -> Any:  # fmt: skip
    """Run the program on the composed graph of a system, as fast as it goes; give its result."""
    from rclpy.action import ActionClient
    from rclpy.node import Node
    from walking_robots_interfaces.action import RunPlan
    from walking_robots_interfaces.msg import PlanValue

    from walking_robots.nodes.common.composition import Composition

    found = Composition(
        system, overrides, without=('viewer', *without), also=('mdle_executor',),
        domain=graph.private_domain(),
    )  # fmt: skip
    person = found.add('person', lambda **options: Node('person', **options))
    client: Any = ActionClient(person, RunPlan, 'mdle_executor/run_plan')
    try:

        def answer(future: Any) -> Any:
            wait_until(future.done, spin=found.spin)
            return future.result()

        wait_until(client.server_is_ready, spin=found.spin)
        given = [PlanValue(name=name, value=value) for name, value in arguments.items()]
        handle = answer(client.send_goal_async(RunPlan.Goal(source=PROGRAM, arguments=given)))
        return answer(handle.get_result_async()).result
    finally:
        found.close()
        # An executor that runs can lose no client safely.
        client.destroy()


def hexapod(world: Path) -> dict[str, dict[str, Any]]:
    """Return the parameters of a hexapod in a world."""
    place = {'robot': 'insect18', 'world': str(world)}
    return {
        'terrain': place,
        'hexapod_sim': {**place, 'real_time_factor': 0.0},
        'periodic_gait': {'robot': 'insect18'},
        'leg_servo': {'robot': 'insect18'},
        'mdle_executor': {'robot': 'insect18', 'use_sim_time': True},
    }


@pytest.mark.parametrize(
    ('x', 'ending'), [('1.8 m', ('DONE', 'done')), ('2.9 m', ('FAIL', 'contact'))]
)
def test_a_hexapod_walks_over_a_step_to_a_place_or_to_a_wall(
    graph: Any, tmp_path: Path, x: str, ending: tuple[str, str]
) -> None:
    from walking_robots.trials.mdle.trial import MdleTrial
    from walking_robots.trials.mdle.trial import run as run_trial
    from walking_robots.trials.program_robots import program_robot

    world = tmp_path / 'step.yaml'
    world.write_text(WORLD)
    result = run(graph, 'hexapod', hexapod(world), ('free_gait',), east=x, north='1 m')
    assert (result.outcome, result.message) == ending
    trial = MdleTrial(
        PROGRAM, robot='insect18', world=str(world), arguments={'east': x, 'north': '1 m'}
    )
    plain = run_trial(trial, robot=program_robot(trial))
    assert (plain.outcome, plain.message) == ending
    assert result.duration == pytest.approx(plain.duration_s, abs=0.5)


@pytest.mark.parametrize(('robot', 'north'), [('b', '0 m'), ('b3d', '0.2 m')])
def test_a_biped_walks_to_a_place(graph: Any, robot: str, north: str) -> None:
    from walking_robots.trials.mdle.trial import MdleTrial
    from walking_robots.trials.mdle.trial import run as run_trial
    from walking_robots.trials.program_robots import program_robot

    overrides = {
        'biped_sim': {'robot': robot, 'real_time_factor': 0.0},
        'biped_gait': {'robot': robot},
        'mdle_executor': {'robot': f'kwalk{robot}', 'use_sim_time': True},
    }
    result = run(graph, 'biped', overrides, ('joint_servo',), east='2 m', north=north)
    assert (result.outcome, result.message) == ('DONE', 'done')
    trial = MdleTrial(PROGRAM, robot=f'kwalk{robot}', arguments={'east': '2 m', 'north': north})
    plain = run_trial(trial, robot=program_robot(trial))
    assert result.duration == pytest.approx(plain.duration_s, abs=1.0)


def test_the_demo_on_legs_goes_over_the_step(graph: Any) -> None:
    from walking_robots.nodes.common.composition import Composition
    from walking_robots.nodes.mdle.demo_legs import show_legs

    said: list[str] = []
    show = show_legs('insect18')
    values = {name: dict(found) for name, found in show.overrides(0.0).items()}
    found = Composition(
        show.system, values, without=('viewer', *show.without), also=show.also,
        domain=graph.private_domain(),
    )  # fmt: skip
    try:
        presenter = found.add('presenter', lambda **options: show.make(said.append, **options))
        wait_until(lambda: presenter._arrived, lambda: said, spin=found.spin)
    finally:
        found.close()
    assert said[-1] == 'The robot is at x 3.8 m, y 1.35 m.'
    assert 'std.body2' in said[0]


def test_a_hexapod_finds_its_way_through_a_world_that_it_does_not_know(graph: Any) -> None:
    """Cartographer and planner serve it as they serve a Scout: by a lidar, over a step."""
    from rclpy.node import Node
    from walking_robots_interfaces.action import PlanTask

    from walking_robots.documents.shipped_worlds import find_world
    from walking_robots.nodes.common.composition import Composition
    from walking_robots.nodes.common.goal_client import GoalClient

    values = hexapod(Path(find_world('step_room')))
    start = [1.2, 1.35, 0.0]
    values['hexapod_sim'] |= {'lidar': True, 'real_time_factor': 10.0}
    timed = {'use_sim_time': True}
    values['mdle_cartographer'] = {'sonars': 0, 'slip': 0.0, 'start': start} | timed
    values['mdle_planner'] = {'robot': 'insect18'} | timed
    found = Composition(
        'hexapod', values, without=('viewer', 'free_gait'),
        also=('mdle_executor', 'mdle_cartographer', 'mdle_planner'),
        domain=graph.private_domain(),
    )  # fmt: skip
    person = found.add('person', lambda **options: Node('person', **options))
    client: Any = GoalClient(person, PlanTask, 'mdle_planner/plan_task')
    try:

        def answer(future: Any) -> Any:
            wait_until(future.done, lambda: found.nodes['mdle_planner'].health(), spin=found.spin)
            return future.result()

        wait_until(client.server_is_ready, spin=found.spin)
        planner = found.nodes['mdle_planner']
        wait_until(lambda: not planner._refusal(), planner._refusal, spin=found.spin)
        assert (planner._inputs.ground.classes == -1).any(), 'the world is not known'
        handle = answer(client.send_goal_async(PlanTask.Goal(task='3.8,1.35')))
        assert handle.accepted
        result = answer(handle.get_result_async()).result
        assert result.succeeded, result.reason
        x, y, _ = found.nodes['hexapod_sim']._backend.state.position
        assert Pose2(x, y).distance(Pose2(3.8, 1.35)) < 0.15
        assert result.way < 4.0, 'over the step: wheels go 5.3 m'
    finally:
        client.destroy()
        found.close()


@pytest.mark.parametrize(
    ('node', 'robot', 'sentence'),
    [
        ('mdle_planner', 'kwalkb', 'kwalkb does not turn'),
        ('mdle_planner', 'kwalkb3d', 'kwalkb3d does not turn on the spot'),
        ('mdle_planner', 'nobody', "there is no robot 'nobody'"),
        ('mdle_cartographer', 'nobody', "there is no robot 'nobody'"),
    ],
)
def test_robots_for_which_no_way_can_be_planned_are_refused(
    graph: Any, node: str, robot: str, sentence: str
) -> None:
    from walking_robots.nodes.common.composition import Composition
    from walking_robots.nodes.common.node import ConfigurationError
    from walking_robots.systems import SYSTEMS

    with pytest.raises(ConfigurationError, match=sentence):
        Composition(
            'mdle', {node: {'robot': robot}}, without=tuple(SYSTEMS['mdle'].nodes), also=(node,),
            domain=graph.private_domain(),
        )  # fmt: skip
