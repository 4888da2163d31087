"""Robots of ARS MAGNA in a world elsewhere: programs run here as they do beside the world.

All is to be called from outside the executor's callbacks, since it spins.
"""

from collections.abc import Callable
from typing import Any

from rclpy.node import Node
from walking_robots_interfaces.srv import ArsStep

from walking_robots.ars_magna.agent.robot import Robot
from walking_robots.nodes.ars_magna.remote_port import RemotePort, Spin


class RemoteWorld:
    """Robots of a world elsewhere, in lock-step with their programs or free-running."""

    def __init__(self, node: Node, spin: Spin) -> None:
        """Begin without robots; ``spin`` runs the executor that ``node`` is on."""
        self._node, self._spin = node, spin
        self._robots: dict[str, tuple[RemotePort, Robot]] = {}
        self._step: Any = node.create_client(ArsStep, 'admin/step')
        self._ticks: dict[str, int] = {}

    def connect(self, name: str) -> Robot:
        """Return the handle of a robot; raise TimeoutError when there is none of that name."""
        port = RemotePort(self._node, name, self._spin)
        robot = Robot(port)
        self._robots[name] = port, robot
        self._ticks[name] = port.now
        return robot

    def advance(self, ticks: int = 1) -> None:
        """Let ticks pass in lock-step, programs going on after each of them.

        Raises ValueError when a command was refused, or no tick can pass.
        """
        port = next(iter(self._robots.values()))[0]
        port.wait(self._step.service_is_ready, 'the service admin/step')
        for _ in range(ticks):
            request = ArsStep.Request(
                ticks=1,
                robots=list(self._robots),
                requests=[port.requests for port, _ in self._robots.values()],
            )
            answer = port.answer(self._step.call_async(request), 'the answer to a step')
            if not answer.success:
                raise ValueError(answer.message)
            for (one, _), reports in zip(self._robots.values(), answer.reports, strict=True):
                one.wait(lambda: one.has(reports, answer.tick), 'reports of a tick')  # noqa: B023
            self.deliver()

    def follow(self, done: Callable[[], bool]) -> None:
        """Let programs go on with a world that runs free, until something holds."""

        def over() -> bool:
            self.deliver()
            for port, _ in self._robots.values():
                port.check_world()
            return done()

        self._spin(over)

    def deliver(self) -> None:
        """Let programs go on with what has come in; raise ValueError for a refused command."""
        for name, (port, robot) in self._robots.items():
            port.deliver(robot.receive)
            if port.now < self._ticks[name]:
                raise ValueError('the world has begun anew; so must the program')
            if port.now > self._ticks[name]:
                self._ticks[name] = port.now
                robot.ticked()

    def close(self) -> None:
        """Take the clients away."""
        for port, _ in self._robots.values():
            port.close()
