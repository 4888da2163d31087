"""The world of ARS MAGNA: robots in it take commands as actions, and people see the truth."""

from collections.abc import Mapping
from typing import Any

from rclpy.executors import Executor
from rosgraph_msgs.msg import Clock

from walking_robots.ars_magna.agent.messages import ERROR, CommandReport
from walking_robots.ars_magna.simulation.robots import SimulatedRobot
from walking_robots.ars_magna.simulation.simulator import Simulator
from walking_robots.nodes.ars_magna.admin import Admin
from walking_robots.nodes.ars_magna.clock import Ticks
from walking_robots.nodes.ars_magna.command_messages import WORLD_ENDS
from walking_robots.nodes.ars_magna.command_servers import CommandServers
from walking_robots.nodes.ars_magna.display import Display
from walking_robots.nodes.ars_magna.parameters import ArsParameters
from walking_robots.nodes.ars_magna.readings import FluentTopics, RobotReadings
from walking_robots.nodes.common.conversions import time_to_msg
from walking_robots.nodes.common.health import OK, WARN, Health
from walking_robots.nodes.common.node import GraphNode
from walking_robots.nodes.common.running import run_node, spin

PICTURES = 0.05
"""Least wall time, s, between two pictures."""
FIRST, LAST = 0.02, 0.2
"""Wall time, s, for what is due when the node is to end, and for last results to go out."""


class ArsMagnaNode(GraphNode):
    """Owns a world; robots learn what they may know, and experimenters everything."""

    def __init__(self, **options: Any) -> None:
        """Build the world; raise ConfigurationError for a wrong parameter or file."""
        super().__init__('ars_magna', **options)
        self._own = own = ArsParameters(self)
        self._simulator = Simulator(own.design, own.seed)
        self._world = self._simulator.world
        self._world.parameters = own.parameters
        self._time, self._stale = 0, True
        self.expect_single('display/picture', '/clock')
        self._time_topic = self.create_publisher(Clock, '/clock', 10)
        self._display = Display(self, self._simulator)
        self._goals: dict[str, CommandServers] = {}
        self._readings: list[RobotReadings] = []
        for robot in self._world.robots.values():
            self._serve(robot)
        Admin(self, own, self._simulator, self._display.forget, self._show_all)
        self._ticks = Ticks(self, own, self._simulator, self._goals, self._ticked)
        self._show_all()
        self.create_timer(PICTURES, self._show_picture, clock=self.steady)

    def _serve(self, robot: SimulatedRobot) -> None:
        """Offer a robot's commands, and publish what it may know."""
        counts = {kind: len(parts) for kind, parts in robot.parts.items()}
        goals = CommandServers(
            self, robot.name, counts, self._simulator, lambda: self._ticks.go_on()
        )
        fluents = FluentTopics(self, robot.name, counts)
        self.closing.append(goals.close)
        self._goals[robot.name] = goals
        self._readings.append(RobotReadings(self, robot, self._simulator, goals))

        def publish(report: CommandReport) -> None:
            fluents.publish(report)
            goals.publish(report)

        self._simulator.sinks[robot.name] = publish

    # Time

    def _ticked(self, last: bool) -> None:
        """Publish a tick, and everything after the last one of a batch."""
        self._time += round(self._world.parameters.tick_sim_seconds * 1e9)
        if self._time_topic.get_subscription_count():
            self._time_topic.publish(Clock(clock=time_to_msg(self._time)))
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
        silent = self._world.parameters.flush_all_errors
        self._display.say(
            message
            for message in self._world.messages.take()
            if not (silent and message.severity == ERROR)
        )

    # Parameters and health

    def changing(self, values: Mapping[str, Any]) -> None:
        """Refuse values that do not go together."""
        self._world.parameters.with_values(**self._own.of_simulation(values))

    def changed(self) -> None:
        """Take new values over; they count from the next tick on."""
        self._world.parameters = self._own.in_force(self._world.parameters)
        self._ticks.set_period()

    def health(self) -> Health:
        """Return which tick it is, and what the next one waits for."""
        tick, waits = f'tick {self._simulator.now}', self._ticks.waits_for
        return (WARN, f'{tick} waits for {waits}') if waits else (OK, tick)

    def figures(self) -> Mapping[str, object]:
        """Return what there is in the world."""
        return {
            'world': self._world.name,
            'mode': self._own.mode,
            'seed': self._own.seed,
            'robots': ', '.join(self._goals),
            'things': len(self._world.scene.things),
        }

    def halt(self) -> None:
        """Answer all that wait."""
        executor = self.executor
        if executor is None:
            return
        # First forget clients that are gone: nothing can reach them.
        self._spin(executor, FIRST)
        waiting = [goals.end(WORLD_ENDS) for goals in self._goals.values()]
        if self._ticks.stop() or any(waiting):
            self._spin(executor, LAST)

    def _spin(self, executor: Executor, duration: float) -> None:
        end = self.now() + duration
        spin(executor, lambda: self.now() > end)


def main() -> int:
    """Run the node as a process."""
    return run_node(ArsMagnaNode)
