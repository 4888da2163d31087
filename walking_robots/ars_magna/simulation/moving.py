"""The commands that move a robot (ars_magna.md §2.7, §13.4)."""

import math
from collections.abc import Generator, Iterable, Iterator
from contextlib import contextmanager
from itertools import count

from walking_robots.ars_magna.codes import Code
from walking_robots.ars_magna.sensing.noise import place_reading
from walking_robots.ars_magna.simulation.ground import PlaceCell, cell_of
from walking_robots.ars_magna.simulation.motion import OBJECT, WALL, advance, rotate
from walking_robots.ars_magna.simulation.processes import Answer, Process
from walking_robots.ars_magna.simulation.robots import Momentum, SimulatedCamera, SimulatedRobot
from walking_robots.ars_magna.simulation.world_state import WorldState
from walking_robots.geometry.se2 import wrap

_SHORTEST = 0.05
"""Cells that a robot which approaches something moves at least (ars_magna.md §13.4)."""
_CORNERS = ('convex', 'concave')
_FACING = math.pi / 4
_LEAST_TURN = 1e-6
"""Rotation of a tick, rad, below which a robot does not turn at all."""
_STRAIGHT = 1e-9
"""Angle, rad, or part of a turn, that is not worth a tick."""


def set_speed(world: WorldState, robot: SimulatedRobot, speed: float) -> Process:
    """Set the speed, clipped to 0 ... max_speed; gives the value in force."""
    yield 1
    most = world.parameters.max_speed
    robot.speed = min(max(speed, 0.0), most)
    code = Code.NEGATIVE_SPEED if speed < 0 else Code.TOO_HIGH_SPEED if speed > most else Code.NIL
    return Answer(code, (robot.speed,))


def set_turn_angle(world: WorldState, robot: SimulatedRobot, angle: float) -> Process:
    """Set the rotation of a tick, clipped to its limits; gives the value in force."""
    yield 1
    low, high = world.parameters.min_turn_angle, world.parameters.max_turn_angle
    robot.turn_angle = min(max(angle, low), high)
    code = Code.NIL
    if angle != robot.turn_angle:
        code = Code.TOO_LOW_TURN_ANGLE if angle < low else Code.TOO_HIGH_TURN_ANGLE
    return Answer(code, (robot.turn_angle,))


def turn(world: WorldState, robot: SimulatedRobot, angle: float) -> Process:
    """Turn in place; gives a reading of the rotation."""
    yield world.parameters.robot_turn_delay
    if _turn_step(world, robot) == 0:
        return Answer(Code.NOT_MOVING)
    reading = yield from _turning(world, robot, angle)
    return Answer(Code.NIL, (reading,))


def go_forward(world: WorldState, robot: SimulatedRobot, ticks: int) -> Process:
    """Move straight ahead for some ticks."""
    return _go_ahead(world, robot, range(ticks), Code.ROBOT_BLOCKED)


def goto_wall(world: WorldState, robot: SimulatedRobot) -> Process:
    """Move straight ahead up to a wall."""
    return _go_ahead(world, robot, count(), Code.NIL)


def _go_ahead(
    world: WorldState, robot: SimulatedRobot, ticks: Iterable[int], at_wall: Code
) -> Process:
    yield world.parameters.robot_move_delay
    if _speed(world, robot) == 0:
        return Answer(Code.NOT_MOVING)
    with _under_way(robot):
        for _ in ticks:
            robot.momentum = Momentum(_speed(world, robot), 0.0)
            yield 1
            block = advance(world, robot, _speed(world, robot))
            if block is not None:
                return Answer(at_wall if block == WALL else Code.ROBOT_BLOCKED)
    return Answer(Code.NIL)


def follow_wall(world: WorldState, robot: SimulatedRobot, side: str, ticks: int) -> Process:
    """Go on along the wall at one side until it ends, or another is ahead (ars_magna.md §12.1).

    side: left or right; ticks: for how many at most, 0 for no limit.
    """
    yield world.parameters.robot_move_delay
    if _speed(world, robot) == 0:
        return Answer(Code.NOT_MOVING)
    along = round(robot.heading / (math.pi / 2)) * math.pi / 2
    across = along + math.copysign(math.pi / 2, 1.0 if side == 'right' else -1.0)
    dx, dy = round(math.cos(across)), round(math.sin(across))
    if not _beside(world, robot, dx, dy):
        return Answer(Code.NO_WALL)
    ahead = round(math.cos(along)), round(math.sin(along))
    passed = 0
    with _under_way(robot):
        while _beside(world, robot, dx, dy) and (passed < ticks or not ticks):
            yield 1
            passed += 1
            error, step = along - robot.heading, _turn_step(world, robot)
            angle = math.copysign(min(abs(error), step), error) if abs(error) > _STRAIGHT else 0.0
            if angle:
                rotate(world, robot, angle)
            # Whoever moves at a slant runs into the wall that he is to follow.
            distance = _speed(world, robot) if abs(error) <= max(step, _STRAIGHT) else 0.0
            robot.momentum = Momentum(distance, angle)
            if not (angle or distance):
                return Answer(Code.NOT_MOVING)
            block = advance(world, robot, distance) if distance else None
            if block == OBJECT:
                return Answer(Code.ROBOT_BLOCKED)
            # To graze the wall at the side is not to be at another one.
            if block == WALL and _beside(world, robot, *ahead):
                break
    return Answer(Code.NIL)


def goto_designator(world: WorldState, robot: SimulatedRobot, camera_index: int) -> Process:
    """Turn to what a camera tracks and move until both are in one cell; gives the designator."""
    yield world.parameters.robot_move_delay
    camera = robot.cameras[camera_index]
    designation = camera.track
    if _speed(world, robot) == 0 or _turn_step(world, robot) == 0:
        return Answer(Code.NOT_MOVING)
    if designation is None:
        return Answer(Code.NOT_TRACKING)
    if designation.is_local:
        return Answer(Code.GOTO_LOCAL)
    facing = False
    with _under_way(robot):
        while not _arrived(world, robot, camera):
            yield 1
            if camera.track is not designation:
                return Answer(Code.NOT_TRACKING)
            bearing, step = wrap(designation.angle), _turn_step(world, robot)
            facing = facing or abs(bearing) <= step
            angle = distance = 0.0
            if abs(bearing) > _STRAIGHT:
                angle = math.copysign(min(abs(bearing), step), bearing)
                rotate(world, robot, angle)
            block = None
            if facing and abs(bearing) <= _FACING:
                distance = min(_speed(world, robot), max(designation.distance, _SHORTEST))
                block = advance(world, robot, distance)
            robot.momentum = Momentum(distance, angle)
            if block is not None and not _arrived(world, robot, camera):
                return Answer(Code.ROBOT_BLOCKED)
    found = designation.sighting
    world.lose_track(camera, f'{robot.name} has arrived')
    world.forget(robot, designation)
    return Answer(Code.NIL, (found,))


def stop(world: WorldState, robot: SimulatedRobot) -> Process:
    """Stop: what moves goes on for the time of braking and then stands (ars_magna.md §2.7)."""
    # One stop after another in a tick finds the motion ended by the first.
    coasting = Momentum(*(robot.coasting or robot.momentum))
    robot.coasting = coasting
    try:
        yield 1
    finally:
        if robot.coasting is coasting:
            robot.coasting = None
    distance, angle = coasting
    with _under_way(robot):
        for tick in range(world.parameters.braking):
            if tick:
                yield 1
            robot.momentum = Momentum(distance, angle)
            if angle:
                rotate(world, robot, angle)
            if distance and advance(world, robot, distance) is not None:
                distance = 0.0
    return Answer(Code.NIL)


def align_place(world: WorldState, robot: SimulatedRobot) -> Process:
    """Turn to the nearest canonical direction of the place; gives a reading of the rotation."""
    yield world.parameters.robot_align_delay
    if _turn_step(world, robot) == 0:
        return Answer(Code.NOT_MOVING)
    true, read = read_place(world, robot)
    if read is None:
        return Answer(Code.INCORRECT_PLACE_TYPE)
    if true is not None and true.type.name == read:
        angle = wrap(true.nearest(robot.heading) - robot.heading)
    elif robot.streams.place.random() < world.parameters.robot_align_error_prob:
        angle = robot.streams.place.uniform(-math.pi, math.pi)
    else:
        return Answer(Code.INCORRECT_PLACE_TYPE)
    yield world.parameters.robot_turn_delay
    reading = yield from _turning(world, robot, angle)
    return Answer(Code.NIL, (reading,))


def turn_corner(world: WorldState, robot: SimulatedRobot) -> Process:
    """Turn around a convex or concave corner; gives a reading of the rotation."""
    yield world.parameters.robot_turn_delay
    if _turn_step(world, robot) == 0:
        return Answer(Code.NOT_MOVING)
    true, read = read_place(world, robot)
    angle = None
    if true is not None and true.type.name == read:
        angle = _around(true, robot.heading)
    elif read in _CORNERS:
        angle = robot.streams.place.uniform(-math.pi, math.pi)
    if angle is None:
        return Answer(Code.NO_CORNER)
    reading = yield from _turning(world, robot, angle)
    return Answer(Code.NIL, (reading,))


def place(world: WorldState, robot: SimulatedRobot) -> Process:
    """Read the type of the place where the robot is; gives its name or None (§12.1)."""
    yield 1
    return Answer(Code.NIL, (read_place(world, robot)[1],))


def read_place(world: WorldState, robot: SimulatedRobot) -> tuple[PlaceCell | None, str | None]:
    """Return the true place of the robot, and the type that it reads (ars_magna.md §7.6)."""
    true = world.ground.place(*robot.cell)
    kinds = tuple(world.definitions.place_types)
    name = true.type.name if true is not None else None
    return true, place_reading(name, kinds, world.parameters, robot.streams.place)


def _speed(world: WorldState, robot: SimulatedRobot) -> float:
    """Return the speed in force, cells a tick; its limit may have become less since it was set."""
    return min(robot.speed, world.parameters.max_speed)


def _turn_step(world: WorldState, robot: SimulatedRobot) -> float:
    """Return the rotation of a tick in force, rad; 0 for one that would never come to an end."""
    step = min(robot.turn_angle, world.parameters.max_turn_angle)
    return step if step > _LEAST_TURN else 0.0


def _turning(
    world: WorldState, robot: SimulatedRobot, angle: float
) -> Generator[int, None, float]:
    """Turn tick by tick, the last one for what is left; gives a reading of the rotation."""
    low = high = 0.0
    step = _turn_step(world, robot)
    full = math.ceil(abs(angle) / step - _STRAIGHT) - 1
    with _under_way(robot):
        for tick in range(full + 1):
            robot.momentum = Momentum(0.0, math.copysign(step, angle))
            yield 1
            rest = abs(angle) - full * step if tick == full else step
            bounds = rotate(world, robot, math.copysign(rest, angle))
            low, high = low + bounds[0], high + bounds[1]
    return (low + high) / 2


def _around(corner: PlaceCell, heading: float) -> float | None:
    """Return the rotation that leads around a corner, None where the robot faces none (§2.7)."""
    if corner.type.name not in _CORNERS:
        return None
    convex = corner.type.name == 'convex'
    first, second = corner.directions[:2]
    # Along which wall the robot comes, and which way it leaves by.
    ways = (
        ((first, second + math.pi), (second, first + math.pi))
        if convex
        else ((first + math.pi, second), (second + math.pi, first))
    )
    coming, leaving = min(ways, key=lambda way: abs(wrap(way[0] - heading)))
    if abs(wrap(coming - heading)) > _FACING:
        return None
    return wrap(leaving - heading)


def _beside(world: WorldState, robot: SimulatedRobot, dx: int, dy: int) -> bool:
    """Return whether there is a wall in the neighbour of the robot's cell at (dx, dy)."""
    column, row = robot.cell
    return world.ground.is_filled(column + dx, row + dy)


def _arrived(world: WorldState, robot: SimulatedRobot, camera: SimulatedCamera) -> bool:
    """Return whether the robot is in the cell of what a camera tracks."""
    designation = camera.track
    if designation is None:
        return False
    x, y = world.where(designation)
    return robot.cell == cell_of(x, y)


@contextmanager
def _under_way(robot: SimulatedRobot) -> Iterator[None]:
    """Put a robot at rest when a motion ends, in whichever way."""
    try:
        yield
    finally:
        robot.momentum = Momentum(0.0, 0.0)
