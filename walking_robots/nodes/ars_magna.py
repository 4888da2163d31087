"""The world of ARS MAGNA: robots in it take commands as actions, and people see the truth."""

import sys
from collections.abc import Mapping
from typing import Any

from rosgraph_msgs.msg import Clock

from walking_robots.ars_magna.agent.messages import Report
from walking_robots.ars_magna.simulation.messages import ERROR
from walking_robots.ars_magna.simulation.robots import Robot
from walking_robots.ars_magna.simulation.simulator import Simulator
from walking_robots.nodes import convert
from walking_robots.nodes.ars_admin import Admin
from walking_robots.nodes.ars_display import Display
from walking_robots.nodes.ars_fluents import FluentTopics
from walking_robots.nodes.ars_goals import Goals
from walking_robots.nodes.ars_parameters import ArsParameters
from walking_robots.nodes.ars_readings import Readings
from walking_robots.nodes.ars_time import Ticks
from walking_robots.nodes.base import GraphNode
from walking_robots.nodes.health import OK, WARN, Health
from walking_robots.nodes.running import run_node

__all__ = ['ArsMagnaNode']

PICTURES = 0.05
"""Least wall time, s, between two pictures."""


class ArsMagnaNode(GraphNode):
    """Owns a world; tells robots what they may know, and experimenters everything."""

    def __init__(self, **options: Any) -> None:
        """Build the world; raise RefusedError for a wrong parameter or file."""
        super().__init__('ars_magna', **options)
        self._own = own = ArsParameters(self)
        self._simulator = Simulator(own.design, own.seed)
        self._realm = self._simulator.realm
        self._realm.parameters = own.parameters
        self._time, self._stale = 0, True
        self._time_topic = self.create_publisher(Clock, '/clock', 10)
        self._display = Display(self, self._simulator)
        self._goals: dict[str, Goals] = {}
        self._readings: list[Readings] = []
        for robot in self._realm.robots.values():
            self._serve(robot)
        Admin(self, own, self._simulator, self._display.forget, self._show_all)
        self._ticks = Ticks(self, own, self._simulator, self._goals, self._ticked)
        self._show_all()
        self.create_timer(PICTURES, self._show_picture, clock=self.steady)

    def _serve(self, robot: Robot) -> None:
        """Offer a robot's commands, and publish what it may know."""
        counts = {
            'camera': len(robot.cameras),
            'hand': len(robot.hands),
            'bin': len(robot.bins),
        }
        goals = Goals(self, robot.name, counts, self._simulator, lambda: self._ticks.go_on())
        fluents = FluentTopics(self, robot.name, counts)
        self.closing.append(goals.close)
        self._goals[robot.name] = goals
        self._readings.append(Readings(self, robot, self._simulator, goals))

        def tell(report: Report) -> None:
            fluents.tell(report)
            goals.tell(report)

        self._simulator.sinks[robot.name] = tell

    # Time

    def _ticked(self, last: bool) -> None:
        """Tell of a tick; all is told of the last one for now."""
        self._time += round(self._realm.parameters.tick_sim_seconds * 1e9)
        if self._time_topic.get_subscription_count():
            self._time_topic.publish(Clock(clock=convert.time(self._time)))
        for readings in self._readings:
            readings.show(self._time, always=last)
        self._say()
        self._stale = True

    def _show_picture(self) -> None:
        """Show people what has happened since the last picture."""
        if self._stale:
            self._stale = False
            self._display.show(self._time)

    def _show_all(self) -> None:
        self._say()
        for readings in self._readings:
            readings.show(self._time, always=True)
        self._stale = True

    def _say(self) -> None:
        silent = self._realm.parameters.flush_all_errors
        self._display.say(
            message
            for message in self._realm.messages.take()
            if not (silent and message.severity == ERROR)
        )

    # Parameters and health

    def changing(self, values: Mapping[str, Any]) -> None:
        """Refuse values that do not go together."""
        self._realm.parameters.with_values(**self._own.of_simulation(values))

    def changed(self) -> None:
        """Take new values over; they count from the next tick on."""
        self._realm.parameters = self._own.in_force(self._realm.parameters)
        self._ticks.set_pace()

    def health(self) -> Health:
        """Tell which tick it is, and what the next one waits for."""
        waits = self._ticks.waits_for
        tick = f'tick {self._simulator.now}'
        return (WARN, f'{tick} waits for {waits}') if waits else (OK, tick)

    def figures(self) -> Mapping[str, object]:
        """Tell what there is in the world."""
        return {
            'world': self._realm.name,
            'mode': self._own.mode,
            'seed': self._own.seed,
            'robots': ', '.join(self._goals),
            'things': len(self._realm.scene.things),
        }

    def halt(self) -> None:
        """Let nobody wait."""
        self._ticks.stop()


def main() -> int:
    """Run the node as a process."""
    return run_node(ArsMagnaNode)


if __name__ == '__main__':
    sys.exit(main())
