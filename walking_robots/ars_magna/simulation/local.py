"""Connect robot programs with a simulator in the same process."""

from walking_robots.ars_magna.agent.messages import CommandRequest, DesignatorReport
from walking_robots.ars_magna.agent.port import Build, PortReadings
from walking_robots.ars_magna.agent.robot import Robot as Handle
from walking_robots.ars_magna.geometry.interval import Box, Interval
from walking_robots.ars_magna.geometry.odometer import IntervalOdometer
from walking_robots.ars_magna.sensing.sensor_model import SensorModel
from walking_robots.ars_magna.simulation.robots import SimulatedRobot
from walking_robots.ars_magna.simulation.simulator import Simulator


def connect(simulator: Simulator, name: str) -> Handle:
    """Return the handle of a robot, once; raise ValueError when there is none of that name."""
    robot = simulator.world.robots.get(name)
    if robot is None:
        known = ', '.join(simulator.world.robots)
        raise ValueError(f'there is no robot {name!r}; the world has {known}')
    if name in simulator.sinks:
        raise ValueError(f'{name} has a program already; command it by the handle of that')
    handle = Handle(_LocalPort(robot, simulator))
    simulator.sinks[name] = handle.receive
    simulator.clocks.append(handle)
    return handle


class _LocalPort:
    """Hands over requests, and returns what the robot may know."""

    def __init__(self, robot: SimulatedRobot, simulator: Simulator) -> None:
        self._robot, self._simulator = robot, simulator
        self.build = Build(
            robot.name,
            tuple((camera.fov, camera.resolution) for camera in robot.cameras),
            tuple(hand.strength for hand in robot.hands),
            tuple(found.capacity for found in robot.bins),
        )

    def issue(self, request: CommandRequest) -> None:
        self._simulator.submit(request)

    @property
    def now(self) -> int:
        return self._simulator.now

    def sighting(self, number: int) -> DesignatorReport | None:
        found = self._robot.designation(number)
        return None if found is None else found.sighting

    @property
    def readings(self) -> PortReadings:
        robot = self._robot
        return PortReadings(
            robot.speed,
            robot.turn_angle,
            tuple(camera.angle for camera in robot.cameras),
            tuple(camera.view for camera in robot.cameras),
            tuple(found.closed for found in robot.bins),
            tuple(found.free for found in robot.bins),
        )

    def sensor_model(self) -> SensorModel:
        world = self._simulator.world
        return SensorModel(world.definitions.attributes, world.parameters)

    def say(self, severity: str, text: str) -> None:
        self._simulator.world.messages.put(severity, text, self._robot.name)

    def odometers(self) -> tuple[str, ...]:
        return tuple(self._robot.odometers)

    def new_odometer(self, name: str) -> int:
        return self._robot.new_odometer(name)

    def reset_odometer(self, name: str, generation: int, position: bool, angle: bool) -> None:
        self._odometer(name, generation).reset(position, angle)

    def odometry(self, name: str, generation: int) -> tuple[Box, Interval]:
        odometer = self._odometer(name, generation)
        return odometer.position(), odometer.angle()

    def _odometer(self, name: str, generation: int) -> IntervalOdometer:
        robot = self._robot
        if robot.generations.get(name, 0) != generation:
            raise ValueError(f'odometer {name!r} was replaced by another of that name')
        found = robot.odometers.get(name)
        if found is None:
            raise ValueError(f'there is no odometer {name!r}; make it first')
        return found
