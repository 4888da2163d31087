"""The commands that move a robot (ars_magna.md §2.7, §13.4)."""

import math

from walking_robots.ars_magna.codes import Code
from walking_robots.ars_magna.sensing.noise import place_reading
from walking_robots.ars_magna.simulation.ground import PlaceCell, cell_of
from walking_robots.ars_magna.simulation.motion import OBJECT, WALL, advance, rotate
from walking_robots.ars_magna.simulation.processes import After, Answer, Process
from walking_robots.ars_magna.simulation.robots import Momentum, SimulatedCamera, SimulatedRobot
from walking_robots.ars_magna.simulation.things import DesignatorTruth
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
    return After(1, _set_speed, (speed,))


def _set_speed(world: WorldState, robot: SimulatedRobot, speed: float) -> Process:
    most = world.parameters.max_speed
    robot.speed = min(max(speed, 0.0), most)
    code = Code.NEGATIVE_SPEED if speed < 0 else Code.TOO_HIGH_SPEED if speed > most else Code.NIL
    return Answer(code, (robot.speed,))


def set_turn_angle(world: WorldState, robot: SimulatedRobot, angle: float) -> Process:
    """Set the rotation of a tick, clipped to its limits; gives the value in force."""
    return After(1, _set_turn_angle, (angle,))


def _set_turn_angle(world: WorldState, robot: SimulatedRobot, angle: float) -> Process:
    low, high = world.parameters.min_turn_angle, world.parameters.max_turn_angle
    robot.turn_angle = min(max(angle, low), high)
    code = Code.NIL
    if angle != robot.turn_angle:
        code = Code.TOO_LOW_TURN_ANGLE if angle < low else Code.TOO_HIGH_TURN_ANGLE
    return Answer(code, (robot.turn_angle,))


def turn(world: WorldState, robot: SimulatedRobot, angle: float) -> Process:
    """Turn in place; gives a reading of the rotation."""
    return After(world.parameters.robot_turn_delay, _turn, (angle,))


def _turn(world: WorldState, robot: SimulatedRobot, angle: float) -> Process:
    if _turn_step(world, robot) == 0:
        return Answer(Code.NOT_MOVING)
    return _turning(world, robot, angle)


def go_forward(world: WorldState, robot: SimulatedRobot, ticks: int) -> Process:
    """Move straight ahead for some ticks."""
    return After(world.parameters.robot_move_delay, _set_out, (ticks, Code.ROBOT_BLOCKED))


def goto_wall(world: WorldState, robot: SimulatedRobot) -> Process:
    """Move straight ahead up to a wall."""
    return After(world.parameters.robot_move_delay, _set_out, (math.inf, Code.NIL))


def _set_out(world: WorldState, robot: SimulatedRobot, ticks: float, at_wall: Code) -> Process:
    speed = _speed(world, robot)
    if speed == 0:
        return Answer(Code.NOT_MOVING)
    if ticks == 0:
        return Answer(Code.NIL)
    robot.momentum = Momentum(speed, 0.0)
    return After(1, _go_on, (world.now + ticks, at_wall), _rest)


def _go_on(world: WorldState, robot: SimulatedRobot, last: float, at_wall: Code) -> Process:
    speed, most = robot.speed, world.parameters.max_speed
    if speed > most:
        speed = most
    block = advance(world, robot, speed)
    if block is not None:
        return Answer(at_wall if block == WALL else Code.ROBOT_BLOCKED)
    if world.now >= last:
        return Answer(Code.NIL)
    if speed != robot.momentum.distance:
        robot.momentum = Momentum(speed, 0.0)
    return 1


def follow_wall(world: WorldState, robot: SimulatedRobot, side: str, ticks: int) -> Process:
    """Go on along the wall at one side until it ends, or another is ahead (ars_magna.md §12.1).

    side: left or right; ticks: for how many at most, 0 for no limit.
    """
    return After(world.parameters.robot_move_delay, _follow, (side, ticks or math.inf))


def _follow(world: WorldState, robot: SimulatedRobot, side: str, ticks: float) -> Process:
    if _speed(world, robot) == 0:
        return Answer(Code.NOT_MOVING)
    along = round(robot.heading / (math.pi / 2)) * math.pi / 2
    across = along + math.copysign(math.pi / 2, 1.0 if side == 'right' else -1.0)
    wall = round(math.cos(across)), round(math.sin(across))
    if not _beside(world, robot, *wall):
        return Answer(Code.NO_WALL)
    return After(1, _go_along, (along, wall, world.now + ticks), _rest)


def _go_along(
    world: WorldState, robot: SimulatedRobot, along: float, wall: tuple[int, int], last: float
) -> Process:
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
    ahead = round(math.cos(along)), round(math.sin(along))
    # To graze the wall at the side is not to be at another one.
    if block == WALL and _beside(world, robot, *ahead):
        return Answer(Code.NIL)
    return 1 if world.now < last and _beside(world, robot, *wall) else Answer(Code.NIL)


def goto_designator(world: WorldState, robot: SimulatedRobot, camera_index: int) -> Process:
    """Turn to what a camera tracks and move until both are in one cell; gives the designator."""
    return After(world.parameters.robot_move_delay, _approach, (camera_index,))


def _approach(world: WorldState, robot: SimulatedRobot, camera_index: int) -> Process:
    camera = robot.cameras[camera_index]
    designation = camera.track
    if _speed(world, robot) == 0 or _turn_step(world, robot) == 0:
        return Answer(Code.NOT_MOVING)
    if designation is None:
        return Answer(Code.NOT_TRACKING)
    if designation.is_local:
        return Answer(Code.GOTO_LOCAL)
    return _nearer(world, robot, camera, designation, False)


def _nearer(
    world: WorldState,
    robot: SimulatedRobot,
    camera: SimulatedCamera,
    designation: DesignatorTruth,
    facing: bool,
) -> Process:
    """Wait for the next tick of an approach, or end it where the robot has arrived."""
    if not _arrived(world, robot, camera):
        return After(1, _go_nearer, (camera, designation, facing), _rest)
    found = designation.sighting
    world.lose_track(camera, f'{robot.name} has arrived')
    world.forget(robot, designation)
    return Answer(Code.NIL, (found,))


def _go_nearer(
    world: WorldState,
    robot: SimulatedRobot,
    camera: SimulatedCamera,
    designation: DesignatorTruth,
    facing: bool,
) -> Process:
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
    return _nearer(world, robot, camera, designation, facing)


def stop(world: WorldState, robot: SimulatedRobot) -> Process:
    """Stop: what moves goes on for the time of braking and then stands (ars_magna.md §2.7)."""
    # One stop after another in a tick finds the motion ended by the first.
    coasting = Momentum(*(robot.coasting or robot.momentum))
    robot.coasting = coasting
    return After(1, _brake, (coasting,), _coast_no_more)


def _coast_no_more(world: WorldState, robot: SimulatedRobot, coasting: Momentum) -> None:
    if robot.coasting is coasting:
        robot.coasting = None


def _brake(world: WorldState, robot: SimulatedRobot, coasting: Momentum) -> Process:
    _coast_no_more(world, robot, coasting)
    ticks = world.parameters.braking
    if ticks == 0:
        return Answer(Code.NIL)
    return _slow_down(world, robot, *coasting, world.now + ticks - 1)


def _slow_down(
    world: WorldState, robot: SimulatedRobot, distance: float, angle: float, last: int
) -> Process:
    robot.momentum = Momentum(distance, angle)
    if angle:
        rotate(world, robot, angle)
    if distance and advance(world, robot, distance) is not None:
        distance = 0.0
    if world.now < last:
        return After(1, _slow_down, (distance, angle, last), _rest)
    _rest(world, robot)
    return Answer(Code.NIL)


def align_place(world: WorldState, robot: SimulatedRobot) -> Process:
    """Turn to the nearest canonical direction of the place; gives a reading of the rotation."""
    return After(world.parameters.robot_align_delay, _align)


def _align(world: WorldState, robot: SimulatedRobot) -> Process:
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
    return After(world.parameters.robot_turn_delay, _turning, (angle,))


def turn_corner(world: WorldState, robot: SimulatedRobot) -> Process:
    """Turn around a convex or concave corner; gives a reading of the rotation."""
    return After(world.parameters.robot_turn_delay, _turn_corner)


def _turn_corner(world: WorldState, robot: SimulatedRobot) -> Process:
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
    return _turning(world, robot, angle)


def place(world: WorldState, robot: SimulatedRobot) -> Process:
    """Read the type of the place where the robot is; gives its name or None (§12.1)."""
    return After(1, _place)


def _place(world: WorldState, robot: SimulatedRobot) -> Process:
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


def _turning(world: WorldState, robot: SimulatedRobot, angle: float) -> Process:
    """Turn tick by tick, the last one for what is left; gives a reading of the rotation."""
    step = _turn_step(world, robot)
    full = math.ceil(abs(angle) / step - _STRAIGHT) - 1
    if full < 0:
        return Answer(Code.NIL, (0.0,))
    robot.momentum = Momentum(0.0, math.copysign(step, angle))
    return After(1, _turn_on, (angle, step, full, 0, 0.0, 0.0), _rest)


def _turn_on(
    world: WorldState,
    robot: SimulatedRobot,
    angle: float,
    step: float,
    full: int,
    tick: int,
    low: float,
    high: float,
) -> Process:
    rest = abs(angle) - full * step if tick == full else step
    bounds = rotate(world, robot, math.copysign(rest, angle))
    low, high = low + bounds[0], high + bounds[1]
    if tick == full:
        return Answer(Code.NIL, ((low + high) / 2,))
    return After(1, _turn_on, (angle, step, full, tick + 1, low, high), _rest)


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


def _rest(world: WorldState, robot: SimulatedRobot, *_: object) -> None:
    """Put a robot at rest."""
    robot.momentum = Momentum(0.0, 0.0)
