"""Places joined by programs: a graph in which a route is found without a map (mdle.md §5.1).

The vertices are places, the edges programs that lead from one place to another (Hristu-Varsakelis
and Andersson, Directed graphs and motion description languages for robot navigation, 2001). The
program of an edge consists of moves relative to the place where it begins; it says nothing of a
common frame.
"""

import heapq
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise, permutations
from typing import Any, NamedTuple

import numpy as np

from walking_robots.geometry.se2 import Pose2
from walking_robots.mdle.language.ast import Encapsulation, Program
from walking_robots.mdle.language.formatter import format_program
from walking_robots.mdle.language.parser import parse_text
from walking_robots.mdle.planner.ground import KnownGround
from walking_robots.mdle.planner.navigator import Navigator
from walking_robots.mdle.planner.program_text import write_program

PASSED = 0.5
"""Distance, m, within which a way passes a place: that place is then on the route, and no edge
joins the two beyond it; a choice."""
NAMES = 'use letters, digits and underscores, a letter first'


class Edge(NamedTuple):
    """A program from one place to another; seconds, length: its time, s, and way, m."""

    begin: str
    end: str
    source: str
    seconds: float
    length: float

    @property
    def name(self) -> str:
        """Return the name of its behavior."""
        return f'{self.begin}_to_{self.end}'


@dataclass
class PlaceGraph:
    """Places by name, with their edges by begin and end."""

    places: dict[str, Pose2] = field(default_factory=dict)
    edges: dict[tuple[str, str], Edge] = field(default_factory=dict)

    def add(self, edge: Edge) -> None:
        """Add an edge, or put it in the place of a slower one."""
        known = self.edges.get((edge.begin, edge.end))
        if known is None or edge.seconds < known.seconds:
            self.edges[edge.begin, edge.end] = edge

    def route(self, begin: str, end: str) -> tuple[Edge, ...]:
        """Return the quickest edges from one place to another (Dijkstra), none for the same one.

        Raises ValueError, one sentence, for a place that is not known or not joined.
        """
        for name in (begin, end):
            if name not in self.places:
                known = ', '.join(sorted(self.places)) or 'none'
                raise ValueError(f"there is no place '{name}'; known places: {known}")
        heap: list[tuple[float, str, tuple[Edge, ...]]] = [(0.0, begin, ())]
        done = set[str]()
        while heap:
            seconds, here, way = heapq.heappop(heap)
            if here == end:
                return way
            if here in done:
                continue
            done.add(here)
            for edge in self.edges.values():
                if edge.begin == here and edge.end not in done:
                    heapq.heappush(heap, (seconds + edge.seconds, edge.end, (*way, edge)))
        raise ValueError(f"no programs lead from '{begin}' to '{end}'")

    def program(self, stops: Sequence[str], entry: str = 'route') -> str:
        """Return one program through places, edge after edge.

        Raises ValueError for fewer than two places, and as `route` does.
        """
        if len(stops) < 2:
            raise ValueError('a route needs two places')
        edges = [edge for pair in pairwise(stops) for edge in self.route(*pair)]
        if not edges:
            raise ValueError('the route ends where it begins')
        parts = {edge.name: parse_text(edge.source) for edge in edges}
        behaviors = []
        for name, part in parts.items():
            (plan,) = part.plans
            behaviors.append(_renamed(plan, name))
        calls = ' '.join(f'{edge.name}();' for edge in edges)
        (whole,) = parse_text(f'mdle 1; plan {entry} {{ do {{ {calls} }} }}').plans
        imports = {item.path: item for part in parts.values() for item in part.imports}
        program = Program(
            1, imports=tuple(imports.values()), behaviors=tuple(behaviors), plans=(whole,)
        )
        return f'# {" - ".join(stops)}\n{format_program(program)}'

    def plain(self) -> dict[str, Any]:
        """Return it as JSON holds it."""
        return {
            'places': {name: list(pose) for name, pose in self.places.items()},
            'edges': [edge._asdict() for edge in self.edges.values()],
        }


def _renamed(plan: Encapsulation, name: str) -> Encapsulation:
    return Encapsulation(
        'behavior', name, plan.steps, guards=plan.guards, timeout=plan.timeout, place=plan.place
    )


def graph_of(ground: KnownGround, navigator: Navigator, places: Mapping[str, Pose2]) -> PlaceGraph:
    """Return the graph of places on known ground.

    navigator: of the robot. Two places are joined where a way leads from one to the other that
    passes no third one. Raises ValueError, one sentence, for a name that no place may have.
    """
    for name in places:
        if not re.fullmatch(r'[A-Za-z]\w*', name):
            raise ValueError(f"'{name}' is not the name of a place: {NAMES}")
    graph = PlaceGraph(dict(places))
    for begin, end in permutations(places, 2):
        navigator.retarget(places[end], heading_matters=True)
        decision = navigator.step(ground, places[begin], None)
        plan = decision.plan
        if plan is None or not plan.now.whole:
            continue
        poses = plan.program.trajectory
        others = [pose for name, pose in places.items() if name not in (begin, end)]
        if any(np.hypot(*(poses[:, :2] - pose[:2]).T).min() < PASSED for pose in others):
            continue
        program = write_program(
            plan.now.moves,
            places[begin],
            navigator.model,
            has_contact=navigator.has_contact,
            frame=None,
            atoms=navigator.atoms,
        )
        graph.add(Edge(begin, end, program.source, plan.now.seconds, plan.now.length))
    return graph
