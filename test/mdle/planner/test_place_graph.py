"""Places joined by programs: routes, and the program of a route on a robot."""

import math

import numpy as np
import pytest

from walking_robots.documents.shipped_worlds import find_world
from walking_robots.geometry.se2 import Pose2, wrap
from walking_robots.mdle.analysis.checker import check
from walking_robots.mdle.knowledge.library import standard_library
from walking_robots.mdle.language.parser import parse_text
from walking_robots.mdle.planner.place_graph import Edge, PlaceGraph
from walking_robots.mdle.runtime.settings import ExecutorSettings
from walking_robots.mdle.session import RunRequest, Session
from walking_robots.simulation.planar.kinematic import KinematicRobot
from walking_robots.trials.mdle.known_world import places_in
from walking_robots.virtual_robots.scout import scout_spec
from walking_robots.worlds.files import load_world

OFFICE = load_world(str(find_world('office60')))
PLACES = {
    'start': OFFICE.start,
    'hall': Pose2(5.0, 3.25, 0.5),
    'kitchen': Pose2(9.0, 1.0, 0.5 * math.pi),
}


def edge(begin: str, end: str, seconds: float) -> Edge:
    return Edge(begin, end, 'mdle 1; import std.body2; plan go { do { stop(); } }', seconds, 0.0)


def test_a_route_takes_the_quickest_edges() -> None:
    graph = PlaceGraph({name: Pose2() for name in 'abcd'})
    for found in (edge('a', 'c', 9.0), edge('a', 'b', 2.0), edge('b', 'c', 3.0)):
        graph.add(found)
    graph.add(edge('a', 'b', 5.0))
    assert [found.name for found in graph.route('a', 'c')] == ['a_to_b', 'b_to_c']
    assert graph.route('a', 'a') == ()
    # Edges lead one way.
    with pytest.raises(ValueError, match="no programs lead from 'c' to 'a'"):
        graph.route('c', 'a')
    with pytest.raises(ValueError, match="no place 'e'; known places: a, b, c, d"):
        graph.route('a', 'e')
    for stops, why in ((['a'], 'two places'), (['a', 'a'], 'ends where it begins')):
        with pytest.raises(ValueError, match=why):
            graph.program(stops)


def test_a_place_on_the_way_parts_an_edge() -> None:
    graph = places_in(OFFICE, PLACES)
    assert ('start', 'kitchen') not in graph.edges
    route = graph.route('start', 'kitchen')
    assert [found.name for found in route] == ['start_to_hall', 'hall_to_kitchen']
    assert set(graph.plain()) == {'places', 'edges'}


@pytest.mark.parametrize('at', [OFFICE.start, Pose2(2.0, -7.0, 2.0)])
def test_the_program_of_a_route_leads_through_its_places_wherever_it_begins(at: Pose2) -> None:
    """Edges know no common frame: odometry may have begun anywhere."""
    source = places_in(OFFICE, PLACES).program(('start', 'kitchen', 'start'))
    report = check(parse_text(source), standard_library(), scout_spec())
    assert report.ok, report.diagnostics
    robot = KinematicRobot(scout_spec(), at)
    session = Session(robot, standard_library(), ExecutorSettings())
    handle = session.submit(RunRequest(source), 0)
    now, poses = 0, [at]
    while handle.result is None:
        session.tick(now)
        now += session.executor.settings.period
        poses.append(robot.true_pose)
    assert handle.result.outcome == 'DONE', handle.result
    to_map = OFFICE.start @ at.inverse()
    seen = np.array([(to_map @ pose)[:2] for pose in poses])
    for place in PLACES.values():
        assert np.hypot(*(seen - place[:2]).T).min() < 0.05
    assert poses[-1].distance(at) < 0.05
    assert abs(wrap(poses[-1].heading - at.heading)) < 0.05


@pytest.mark.parametrize(
    ('name', 'pose', 'why'),
    [
        ('my kitchen', Pose2(9.0, 1.0), 'not the name of a place'),
        ('wall', Pose2(0.0, 0.0), "'wall' at x 0 m, y 0 m is not on free ground"),
    ],
)
def test_what_is_no_place_is_one_sentence(name: str, pose: Pose2, why: str) -> None:
    with pytest.raises(ValueError, match=why):
        places_in(OFFICE, {'start': OFFICE.start, name: pose})
