"""The commands of a camera (ars_magna.md §2.6)."""

import math

from walking_robots.ars_magna.agent.messages import PartName
from walking_robots.ars_magna.codes import Code
from walking_robots.ars_magna.commands import BIN
from walking_robots.ars_magna.sensing.specifications import Constraint
from walking_robots.ars_magna.simulation.acquiring import acquire_objects, acquire_places, perceive
from walking_robots.ars_magna.simulation.moving import read_place
from walking_robots.ars_magna.simulation.processes import After, Answer, Lasting, Process
from walking_robots.ars_magna.simulation.robots import SimulatedCamera
from walking_robots.ars_magna.simulation.scene import hindrance, location
from walking_robots.ars_magna.simulation.seeing import view
from walking_robots.ars_magna.simulation.things import DesignatorTruth
from walking_robots.ars_magna.simulation.world_state import HERE, WorldState
from walking_robots.geometry.se2 import wrap


def camera_view(world: WorldState, camera: SimulatedCamera) -> Process:
    """Return a view: pixels with noise (ars_magna.md §7.4)."""
    return After(1, _look)


def _look(world: WorldState, camera: SimulatedCamera) -> Process:
    parameters, chance = world.parameters, camera.robot.streams.view
    pixels = view(world, camera)
    if not parameters.senses_exactly:
        low, high = world.pixel_range
        error = parameters.pixel_error_range
        gaussian = parameters.pixel_noise_form == 'gaussian'
        pixels = tuple(
            chance.uniform(low, high)
            if chance.random() < parameters.pixel_outlier_prob
            else pixel
            + (chance.gauss(0, error / 2) if gaussian else chance.uniform(-error, error))
            for pixel in pixels
        )
    camera.view = pixels
    return Answer(Code.NIL, (pixels,))


def find_object(
    world: WorldState,
    camera: SimulatedCamera,
    kind: str,
    specification: tuple[Constraint, ...],
    every: bool,
) -> Process:
    """Search for things; gives a designator, or with ``every`` a tuple of all."""
    return After(world.parameters.camera_desig_delay, _find_object, (kind, specification, every))


def _find_object(
    world: WorldState,
    camera: SimulatedCamera,
    kind: str,
    specification: tuple[Constraint, ...],
    every: bool,
) -> Process:
    if camera.track is not None:
        return Answer(Code.ALREADY_TRACKING)
    found = acquire_objects(world, camera, kind, specification, every)
    return _hand_over(world, camera, found, every)


def find_place(world: WorldState, camera: SimulatedCamera, kind: str, every: bool) -> Process:
    """Search for places of a type; gives a designator, or with ``every`` a tuple of all."""
    if kind not in world.definitions.place_types:
        return Answer(Code.INVALID_PLACE_TYPE)
    return After(world.parameters.camera_desig_delay, _find_place, (kind, every))


def _find_place(world: WorldState, camera: SimulatedCamera, kind: str, every: bool) -> Process:
    if camera.track is not None:
        return Answer(Code.ALREADY_TRACKING)
    if world.definitions.place_types[kind].invisible:
        return Answer(Code.INVISIBLE_PLACE_TYPE)
    if camera.inside is not None:
        return Answer(Code.CAMERA_ENCLOSED)
    return _hand_over(world, camera, acquire_places(world, camera, kind, every), every)


def camera_track(world: WorldState, camera: SimulatedCamera, number: int) -> Process:
    """Keep pointed at what a designator means, until the track is lost or ended."""
    return After(world.parameters.camera_desig_delay, _track, (number,))


def _track(world: WorldState, camera: SimulatedCamera, number: int) -> Process:
    robot = camera.robot
    if camera.track is not None:
        return Answer(Code.ALREADY_TRACKING)
    designation = robot.designation(number)
    if designation is None:
        return Answer(Code.LOST_TRACK)
    if designation.is_local and (
        _location(designation) is not camera.inside or not world.reaches(robot, designation)
    ):
        return Answer(Code.LOCAL_NOT_LOCAL)
    if not designation.is_local and camera.inside is not None:
        return Answer(Code.CAMERA_INSIDE)
    if not is_in_sight(world, camera, designation):
        return Answer(Code.LOST_TRACK)
    designation.cameras |= {camera.index}
    camera.track = designation
    robot.engaged.add(robot)
    perceive(world, camera, designation)
    world.aim(camera)
    return Lasting(camera.track_resource, (designation.sighting,), (designation,), _track_no_more)


def _track_no_more(
    world: WorldState, camera: SimulatedCamera, designation: DesignatorTruth
) -> None:
    designation.cameras -= {camera.index}
    camera.track = None


def camera_untrack(world: WorldState, camera: SimulatedCamera) -> Process:
    """End the track."""
    return After(1, _untrack)


def _untrack(world: WorldState, camera: SimulatedCamera) -> Process:
    if camera.track is None:
        return Answer(Code.NOT_TRACKING)
    world.end(camera.track_resource, Code.INTERRUPT)
    return Answer(Code.NIL)


def camera_turn(world: WorldState, camera: SimulatedCamera, angle: float) -> Process:
    """Turn relative to where the camera points; gives a reading of the rotation."""
    return After(world.parameters.camera_align_delay, _turn_now, (angle,))


def _turn_now(world: WorldState, camera: SimulatedCamera, angle: float) -> Process:
    return Answer(Code.NIL, (_turn(world, camera, angle),))


def camera_align_robot(world: WorldState, camera: SimulatedCamera) -> Process:
    """Point along the robot's heading; gives a reading of the rotation."""
    return After(world.parameters.camera_align_delay, _align_robot)


def _align_robot(world: WorldState, camera: SimulatedCamera) -> Process:
    return Answer(Code.NIL, (_turn(world, camera, wrap(-camera.angle)),))


def camera_align_place(world: WorldState, camera: SimulatedCamera) -> Process:
    """Point along the nearest canonical direction; gives a reading of the angle, and the type."""
    return After(world.parameters.camera_align_delay, _align_place)


def _align_place(world: WorldState, camera: SimulatedCamera) -> Process:
    robot = camera.robot
    true, read = read_place(world, robot)
    if read is None:
        return Answer(Code.NO_PLACE_TYPE)
    pointing = robot.heading + camera.angle
    if true is not None:
        angle = wrap(true.nearest(pointing) - pointing)
    else:
        angle = robot.streams.place.uniform(-math.pi, math.pi)
    return Answer(Code.NIL, (_turn(world, camera, angle), read))


def camera_insert(world: WorldState, camera: SimulatedCamera, into: str, number: int) -> Process:
    """Put the camera into the container of a designator that it tracks, or into a bin."""
    return After(world.parameters.camera_move_delay, _insert, (into, number))


def _insert(world: WorldState, camera: SimulatedCamera, into: str, number: int) -> Process:
    robot, parameters = camera.robot, world.parameters
    designation = None
    if into != BIN:
        designation = camera.track
        if designation is None:
            return Answer(Code.NOT_TRACKING)
        if designation.number != number:
            return Answer(Code.NOT_TRACKING_DESTINATION)
        if not designation.is_local or not world.reaches(robot, designation):
            return Answer(Code.NON_LOCAL_DESIGNATOR)
    holder = robot.bins[number] if designation is None else designation.thing
    if holder is not None:
        wrong = hindrance(camera, holder, parameters.camera_size)
        if wrong is not None:
            return Answer(wrong)
    chance = robot.streams.hand
    if holder is None or chance.random() < parameters.camera_insert_miss_prob:
        if designation is not None:
            world.forget(robot, designation, f'{camera.label} bumped into {designation.label}')
        return Answer(Code.CAMERA_BUMP)
    camera.inside = holder
    found = PartName(BIN, number) if designation is None else designation.sighting
    world.shift(camera)
    if designation is None or designation.number not in robot.designations:
        return Answer(Code.NIL, (found,))
    if chance.random() < parameters.camera_insert_lose_desig_prob:
        world.forget(robot, designation)
    return Answer(Code.NIL, (found,))


def is_in_sight(world: WorldState, camera: SimulatedCamera, designation: DesignatorTruth) -> bool:
    """Return whether what a designator means is before the camera, with nothing in between.

    What is in the camera's own container is always in its sight, and so is what is at the robot.
    """
    if camera.inside is not None:
        return True
    robot = camera.robot
    x, y = world.where(designation)
    distance = robot.distance_to(x, y)
    if designation.is_local and distance < HERE:
        return True
    if distance >= HERE and abs(wrap(robot.bearing_of(x, y) - camera.angle)) > camera.fov / 2:
        return False
    return designation.is_false or world.scene.is_visible(robot.x, robot.y, x, y)


def _hand_over(
    world: WorldState, camera: SimulatedCamera, found: list[DesignatorTruth], every: bool
) -> Process:
    """Return what was found; many take longer (ars_magna.md §3.6)."""
    if not found:
        return Answer(Code.DESIGNATOR_NOT_FOUND)
    if not every:
        return Answer(Code.NIL, (found[0].sighting,))
    longer = world.parameters.all_search_extra_per_item * len(found)
    if not longer:
        return _handed_over(world, camera, found)
    for designation in found:
        designation.pending = True
    return After(longer, _handed_over, (found,), _withhold)


def _handed_over(
    world: WorldState, camera: SimulatedCamera, found: list[DesignatorTruth]
) -> Process:
    known = camera.robot.designations
    left = tuple(designation for designation in found if designation.number in known)
    for designation in found:
        designation.pending = False
        if designation.stale is not None:
            # It could not be tracked before.
            designation.stale = world.now + world.parameters.untracked_desig_grace
    if not left:
        return Answer(Code.DESIGNATOR_NOT_FOUND)
    return Answer(Code.NIL, (tuple(designation.sighting for designation in left),))


def _withhold(world: WorldState, camera: SimulatedCamera, found: list[DesignatorTruth]) -> None:
    """Lose what was found by a search that was ended before it gave it."""
    for designation in found:
        if designation.pending:
            designation.pending = False
            world.forget(camera.robot, designation)


def _turn(world: WorldState, camera: SimulatedCamera, angle: float) -> float:
    """Turn a camera at once; gives a reading."""
    camera.angle += angle
    camera.moved = camera.robot.stirred = world.now
    if world.parameters.senses_exactly:
        return angle
    most = world.parameters.camera_angle_max_error
    return angle + camera.robot.streams.view.uniform(-most, most)


def _location(designation: DesignatorTruth) -> object:
    """Return in what a local thing is; a false one seems to be where it was acquired."""
    thing = designation.thing
    return designation.inside if thing is None else location(thing)
