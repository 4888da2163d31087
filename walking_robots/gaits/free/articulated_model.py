"""What the free gait needs to know of any hexapod on articulated legs.

Its rules and their numbers are those of the Adaptive Suspension Vehicle. Lengths on the ground
are scaled by how firmly the two stand on three feet, heights by the room that a foot has above its
neutral place, and speeds by the way that it has below the body. Times stay the ASV's, but for
moves that the joints of a robot do not make as fast (asv.md §3 to §12, §22).
"""

import math
from collections.abc import Sequence
from dataclasses import replace

from walking_robots.gaits.free.asv_scaling import (
    ASV_FIRMNESS,
    FORWARD,
    LATERAL,
    LIFT_OF_HEIGHT,
    LIFT_OF_ROOM,
    STEADY,
    STICK,
    TURN,
    firmness,
    transfer_time,
    way_of_foot,
)
from walking_robots.geometry.pose import Vector
from walking_robots.legs.foot_moves import FootMoves, foot_moves
from walking_robots.legs.separate_volumes import LegRoom, leg_rooms
from walking_robots.robots.articulated import LEGS, ArticulatedHexapod
from walking_robots.robots.asv import ASV
from walking_robots.robots.hexapod_files import find_hexapod
from walking_robots.robots.model import CommandLimits, HexapodModel, LegModel, TransferTiming

SWING_SHARE = 0.7
"""Share of the joint speed that bringing a foot to its place may take."""

BODY_SHARE = 0.25
"""Share of the joint speed that the commanded motion of the body may take."""

LEAST_CELLS = 2
"""Cells that the shortest way of a foot must span for a search to find other places."""

LONGEST = 30.0
"""Longest time, s, that bringing a foot to its place may take: all of it is planned ahead."""


def find_free_gait_model(robot: str) -> HexapodModel:
    """Return what walks by the free gait: asv, a shipped hexapod by its name, or that of a file.

    Raises ValueError, one sentence, for none of them, and for one that cannot.
    """
    return ASV if robot == ASV.name else free_gait_model(find_hexapod(robot))


def free_gait_model(robot: ArticulatedHexapod) -> HexapodModel:
    """Return a robot the working volumes, times, margins and speeds of the free gait.

    It starts on every second foot, the others raised. Without a sequence for ditches it steps over
    those that its legs span. Raises ValueError, one sentence, when it cannot walk so.
    """
    rooms = leg_rooms(robot)
    above = min(room.high - foot[2] for room, foot in zip(rooms, robot.neutral_feet, strict=True))
    lift = min(LIFT_OF_ROOM * above, LIFT_OF_HEIGHT * robot.height)
    moves = foot_moves(robot, rooms, lift)
    timing = _timing(robot, moves, lift)
    command = _command(robot, rooms, timing, moves.speed)
    speed_ratio = command.forward / (STEADY * ASV.command.forward)
    supporting = _every_second_foot(robot)
    size = _size(robot, supporting)
    stability, velocity = ASV.stability, ASV.velocity
    return HexapodModel(
        name=robot.name,
        legs=tuple(
            _leg(robot, room, number, supporting, lift) for number, room in enumerate(rooms, 1)
        ),
        kinematics=robot,
        cell=robot.cell,
        start_position=_start(rooms, robot),
        timing=timing,
        kinematic_margin=replace(
            ASV.kinematic_margin,
            # A foothold must outlast the descent to it.
            accept=timing.descent * timing.dt,
            zero_speed=ASV.kinematic_margin.zero_speed * speed_ratio,
            far=ASV.kinematic_margin.far * size,
        ),
        stability=replace(
            stability,
            plan=stability.plan * size,
            lift=stability.lift * size,
            comfort_plan=stability.comfort_plan * size,
            comfort_present=stability.comfort_present * size,
            push_speed=stability.push_speed * speed_ratio,
            push_cap_below=stability.push_cap_below * size,
        ),
        velocity=replace(
            velocity,
            max_acceleration=velocity.max_acceleration * speed_ratio,
            dead_zone=velocity.dead_zone * speed_ratio,
            angular_dead_zone=velocity.angular_dead_zone * command.turn / ASV.command.turn,
        ),
        posture=replace(
            ASV.posture,
            # Half of the room above a raised foot; the other half is for uneven ground.
            height_min=robot.height - (above - lift) / 2.0,
            height_max=robot.height,
            max_rotation_rate=command.turn,
            max_vertical_rate=ASV.posture.max_vertical_rate * speed_ratio,
        ),
        command=command,
        ditch=replace(
            ASV.ditch,
            default_location=ASV.ditch.default_location * size,
            default_width=ASV.ditch.default_width * size,
            trigger=ASV.ditch.trigger * size,
            min_width=math.inf,
            preferred_width=math.inf,
            max_speed=command.forward,
        ),
        horizon=(1, timing.advance, timing.advance + timing.descent),
        plane_period=ASV.plane_period,
    )


def _leg(
    robot: ArticulatedHexapod, room: LegRoom, number: int, supporting: frozenset[int], lift: float
) -> LegModel:
    """Return a leg; volumes are disjoint, so neighbours need no check."""
    x, y, z = robot.neutral_feet[number - 1]
    return LegModel(
        number=number,
        side=-1 if y < 0.0 else 1,
        hip=robot.legs[number - 1].mount,
        volume=room.volume,
        search_edges=room.edges(robot.cell),
        template=room.places,
        start_foot=(x, y, z),
        ready_foot=(x, y, z + lift),
        starts_supporting=number in supporting,
        neighbours=(),
    )


def _every_second_foot(robot: ArticulatedHexapod) -> frozenset[int]:
    """Return every second leg round the body, leg 1 among them."""
    bearings = [math.atan2(y, x) % math.tau for x, y, _ in robot.neutral_feet]
    round_body = sorted(range(1, LEGS + 1), key=lambda leg: bearings[leg - 1])
    return frozenset(round_body[round_body.index(1) % 2 :: 2])


def _size(robot: ArticulatedHexapod, supporting: frozenset[int]) -> float:
    """Return how firmly a robot stands on every second foot, in sizes of the ASV."""
    least = min(
        firmness(
            [foot for leg, foot in enumerate(robot.neutral_feet, 1) if (leg in supporting) is s]
        )
        for s in (True, False)
    )
    if least < robot.foot_radius / 2.0:
        raise ValueError(
            f'{robot.name} does not stand on every second foot by half the width of one; '
            'place its feet further out, and evenly round its body'
        )
    return least / ASV_FIRMNESS


def _start(rooms: Sequence[LegRoom], robot: ArticulatedHexapod) -> Vector:
    """Return a place for the body on a terrain, with ground all round for every foot."""
    far = max(abs(part) for room in rooms for place in room.places for part in place)
    at = (math.ceil(far / robot.cell) + 1.5) * robot.cell
    return (at, at, robot.height)


def _timing(robot: ArticulatedHexapod, moves: FootMoves, lift: float) -> TransferTiming:
    """Return the phases of a transfer: those of the ASV, or longer where joints need it."""
    timing = ASV.timing
    longest = max(moves.swing, moves.rise) / SWING_SHARE
    if longest > LONGEST:
        raise ValueError(
            f'the joints of {robot.name} are too slow for the free gait: a foot takes '
            f'{longest:.0f} s to its place, and {LONGEST:g} s is the most'
        )
    swing, rise = (
        math.ceil(time / (SWING_SHARE * timing.dt) - 1e-9) for time in (moves.swing, moves.rise)
    )
    return replace(
        timing,
        lift=max(timing.lift, rise),
        swing_back=max(timing.swing_back, swing),
        advance=max(timing.advance, swing),
        descent=max(timing.descent, rise),
        lift_height=lift,
        contact_threshold=timing.contact_threshold * lift / timing.lift_height,
    )


def _command(
    robot: ArticulatedHexapod, rooms: Sequence[LegRoom], timing: TransferTiming, fastest: float
) -> CommandLimits:
    """Return the speeds that room and joints allow.

    While a leg transfers, a foot that stands goes the share of its way below the body that one of
    the ASV goes at a steady speed.
    """
    speeds = []
    for aside, share in ((False, FORWARD), (True, LATERAL)):
        way = min(
            way_of_foot(room, foot, aside=aside)
            for room, foot in zip(rooms, robot.neutral_feet, strict=True)
        )
        if way < LEAST_CELLS * robot.cell:
            raise ValueError(
                f'a foot of {robot.name} has a way of {way:.3g} m below the body, and cells are '
                f'{robot.cell:.3g} m; give cells of {way / LEAST_CELLS:.2g} m or less, or a '
                'stance with more room'
            )
        speeds.append(min(share * way / transfer_time(timing), BODY_SHARE * fastest))
    forward, lateral = speeds
    turn = TURN * forward / max(math.hypot(x, y) for x, y, _ in robot.neutral_feet)
    return CommandLimits(forward, lateral, turn, STICK * forward, STICK * lateral, STICK * turn)
