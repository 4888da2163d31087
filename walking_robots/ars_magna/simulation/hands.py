"""The commands of hands and bins, and the removal of cameras too (ars_magna.md §2.8)."""

from walking_robots.ars_magna.agent.messages import PartName
from walking_robots.ars_magna.codes import Code
from walking_robots.ars_magna.commands import BIN
from walking_robots.ars_magna.simulation.processes import After, Answer, Lasting, Process
from walking_robots.ars_magna.simulation.robots import (
    SimulatedBin,
    SimulatedCamera,
    SimulatedHand,
    SimulatedRobot,
)
from walking_robots.ars_magna.simulation.scene import hindrance, is_within
from walking_robots.ars_magna.simulation.things import Holder, Thing
from walking_robots.ars_magna.simulation.world_state import WorldState


def hand_grasp(world: WorldState, hand: SimulatedHand, camera_index: int, number: int) -> Process:
    """Grasp what a designator means that a camera tracks in the hand's own location."""
    delay = world.parameters.hand_move_delay + world.parameters.hand_grasp_delay
    return After(delay, _grasp, (camera_index, number))


def _grasp(world: WorldState, hand: SimulatedHand, camera_index: int, number: int) -> Process:
    parameters, robot = world.parameters, hand.robot
    camera = robot.cameras[camera_index]
    designation = robot.designation(number)
    if hand.held is not None:
        return Answer(Code.HAND_GRASPING)
    if designation is None:
        return Answer(Code.BAD_DESIGNATOR)
    if not designation.is_local or not world.reaches(robot, designation):
        return Answer(Code.NON_LOCAL_GRASP)
    if camera.track is not designation:
        return Answer(Code.NOT_TRACKED)
    if camera.inside is not hand.inside:
        world.messages.error(
            f'{hand.label} is not in the same location as {camera.label}.', robot.name
        )
        return Answer(Code.DIFFERENT_LOCATION)
    thing, chance, found = designation.thing, robot.streams.hand, designation.sighting
    code: Code = Code.NIL
    missed = chance.random() < parameters.prob_miss_grasp
    if missed or thing is None or isinstance(thing.holder, SimulatedHand):
        code = Code.MISSED_GRASP
    elif thing.weight > hand.strength + 1e-9:
        code = Code.INSUFFICIENT_STRENGTH
    elif thing.size > hand.max_size:
        code = Code.INSUFFICIENT_CAPACITY
    elif any(part.inside is not None and is_within(part.inside, thing) for part in (hand, camera)):
        code = Code.HOLDING_THING
    else:
        world.scene.put(thing, hand)
    _jolt(world, robot, thing, parameters.prob_grasp_lose_desig)
    return Answer(code, (found,) if code == Code.NIL else ())


def hand_ungrasp(world: WorldState, hand: SimulatedHand) -> Process:
    """Release; what was held falls into what the hand is in, or on the ground."""
    return After(world.parameters.hand_move_delay, _ungrasp)


def _ungrasp(world: WorldState, hand: SimulatedHand) -> Process:
    held = hand.held
    if held is None:
        return Answer(Code.NOT_GRASPING)
    if hand.inside is None:
        world.scene.drop(held, hand.robot.x, hand.robot.y)
    elif held.size > hand.inside.free + 1e-9:
        return Answer(Code.INSUFFICIENT_CAPACITY)
    else:
        world.scene.put(held, hand.inside)
    return Answer(Code.NIL)


def hand_grasp_check(world: WorldState, hand: SimulatedHand) -> Process:
    """Feel whether the hand holds something; the code says."""
    return After(1, _feel)


def _feel(world: WorldState, hand: SimulatedHand) -> Process:
    return Answer(Code.NOT_GRASPING if hand.held is None else Code.GRASPING)


def hand_track(world: WorldState, hand: SimulatedHand) -> Process:
    """Watch the grip until it is lost."""
    return After(1, _watch)


def _watch(world: WorldState, hand: SimulatedHand) -> Process:
    if hand.held is None:
        return Answer(Code.NOT_GRASPING)
    hand.watched = hand.held
    hand.robot.engaged.add(hand.robot)
    return Lasting(hand.resource, (), (), _watch_no_more)


def _watch_no_more(world: WorldState, hand: SimulatedHand) -> None:
    hand.watched = None


def hand_insert(world: WorldState, hand: SimulatedHand, into: str, number: int) -> Process:
    """Put the hand into the container of a local designator, or into a bin."""
    return After(world.parameters.hand_move_delay, _insert, (into, number))


def _insert(world: WorldState, hand: SimulatedHand, into: str, number: int) -> Process:
    parameters, robot = world.parameters, hand.robot
    designation = None
    holder: Holder | None
    if into == BIN:
        holder = robot.bins[number]
    else:
        designation = robot.designation(number)
        if designation is None:
            return Answer(Code.BAD_DESIGNATOR)
        if not designation.is_local or not world.reaches(robot, designation):
            return Answer(Code.NON_LOCAL_DESIGNATOR)
        holder = designation.thing
    if holder is not None:
        wrong = hindrance(hand, holder, parameters.hand_size)
        if wrong is not None:
            return Answer(wrong)
    if holder is None or robot.streams.hand.random() < parameters.hand_insert_miss_prob:
        if designation is not None:
            _jolt(world, robot, designation.thing, parameters.hand_insert_lose_desig_prob)
        return Answer(Code.HAND_BUMP)
    hand.inside = holder
    _warn_of_move(world, hand)
    inside = PartName(BIN, number) if designation is None else designation.sighting
    return Answer(Code.NIL, (inside,))


def remove(world: WorldState, part: SimulatedCamera | SimulatedHand) -> Process:
    """Take a camera, or a hand and what it holds, out of what it is in."""
    parameters = world.parameters
    is_hand = isinstance(part, SimulatedHand)
    return After(parameters.hand_move_delay if is_hand else parameters.camera_move_delay, _remove)


def _remove(world: WorldState, part: SimulatedCamera | SimulatedHand) -> Process:
    if part.inside is None:
        return Answer(Code.NOT_INSIDE)
    if part.inside.closed:
        return Answer(Code.BIN_CLOSED)
    world.withdraw(part)
    if isinstance(part, SimulatedHand):
        _warn_of_move(world, part)
    return Answer(Code.NIL)


def bin_open(world: WorldState, found: SimulatedBin) -> Process:
    """Open the lid."""
    return After(world.parameters.bin_delay, _open)


def _open(world: WorldState, found: SimulatedBin) -> Process:
    if not found.closed:
        return Answer(Code.BIN_OPEN)
    found.closed = False
    return Answer(Code.NIL)


def bin_close(world: WorldState, found: SimulatedBin) -> Process:
    """Close the lid; gives the part that is in the way as its kind and number."""
    return After(world.parameters.bin_delay, _close)


def _close(world: WorldState, found: SimulatedBin) -> Process:
    if found.closed:
        return Answer(Code.BIN_CLOSED)
    for part in found.robot.movable:
        if part.inside is not None and is_within(part.inside, found):
            world.messages.error(f'{part.label} is still in {found.label}.', found.robot.name)
            return Answer(Code.ROBOT_IN_BIN, (PartName(part.kind, part.index),))
    if found.contents and found.robot.streams.bin.random() < world.parameters.bin_close_jam_prob:
        return Answer(Code.BIN_JAMMED)
    found.closed = True
    return Answer(Code.NIL)


def _warn_of_move(world: WorldState, hand: SimulatedHand) -> None:
    """Warn that what a hand holds is elsewhere (ars_magna.md §5.4, steps 12 and 13)."""
    if hand.held is not None:
        world.messages.warning(f'{hand.held.label} moved.', hand.robot.name)


def _jolt(
    world: WorldState, robot: SimulatedRobot, thing: Thing | None, probability: float
) -> None:
    """Lose designators of a thing that was touched, each by chance (ars_magna.md §2.8, §3.4)."""
    if thing is None:
        return
    for designation in list(robot.designations.values()):
        if designation.thing is thing and robot.streams.hand.random() < probability:
            world.forget(robot, designation)
