"""What happens to parts, tracks and designators in every tick (ars_magna.md §2.5, §7.8, §13.1)."""

import math
from operator import attrgetter

from walking_robots.ars_magna.agent.messages import NON_LOCAL
from walking_robots.ars_magna.codes import Code
from walking_robots.ars_magna.design.model import Kicker
from walking_robots.ars_magna.simulation.acquiring import perceive
from walking_robots.ars_magna.simulation.behaving import Act, scope_of_kicker
from walking_robots.ars_magna.simulation.robots import (
    SimulatedBin,
    SimulatedCamera,
    SimulatedRobot,
)
from walking_robots.ars_magna.simulation.scene import around, location
from walking_robots.ars_magna.simulation.things import DesignatorTruth, FalseTarget, Holder, Thing
from walking_robots.ars_magna.simulation.world_state import HERE, NEAR, WorldState
from walking_robots.geometry.se2 import wrap


def in_order(robots: set[SimulatedRobot]) -> list[SimulatedRobot]:
    """Return robots in the order in which the world has them."""
    return sorted(robots, key=attrgetter('order')) if len(robots) > 1 else list(robots)


def withdraw_parts(world: WorldState) -> None:
    """Take parts out of containers that are no longer local, and end grips that are lost."""
    for robot in in_order(world.engaged):
        engaged = False
        for part in robot.movable:
            while part.inside is not None and _is_away(world, robot, part.inside):
                name = part.inside.label
                world.withdraw(part)
                world.messages.warning(
                    f'{name} is out of reach: {part.label} is out of it.', robot.name
                )
            engaged = engaged or part.inside is not None
        for hand in robot.hands:
            if hand.watched is not None and hand.watched is not hand.held:
                world.end(hand.resource, Code.GRASP_LOST)
            engaged = engaged or hand.watched is not None
        if not engaged and all(camera.track is None for camera in robot.cameras):
            world.engaged.discard(robot)


def follow_tracks(world: WorldState) -> None:
    """Keep cameras pointed at what they track, and lose tracks that cannot go on."""
    for robot in in_order(world.engaged):
        for camera in robot.cameras:
            if camera.track is not None:
                designation = camera.track
                why = _departure(camera, designation) or _loss(world, camera, designation)
                if why is None:
                    _follow(world, camera, designation)
                    continue
                world.lose_track(camera, why)
                if _departure(camera, designation) and not designation.cameras:
                    world.forget(robot, designation, why)


def drop_stale(world: WorldState) -> None:
    """Lose the designators that nothing tracks some time after something has moved."""
    grace, version, now = world.parameters.untracked_desig_grace, world.scene.version, world.now
    stirred = {
        robot
        for robot in world.knowing
        if robot.stirred == now or robot.fading or robot.version != version
    }
    for robot in in_order(stirred):
        robot.version, robot.fading = version, False
        if not robot.designations:
            world.knowing.discard(robot)
        for designation in list(robot.designations.values()):
            thing = designation.thing
            if thing is not None and not thing.alive:
                world.forget(robot, designation, f'{thing.label} is gone')
            elif designation.cameras:
                designation.stale = None
            elif designation.stale is not None:
                if now >= designation.stale and not designation.pending:
                    world.forget(robot, designation, 'not tracked')
            elif _has_moved(world, robot, designation):
                designation.stale = now + grace
            robot.fading = robot.fading or designation.stale is not None


def next_change(world: WorldState) -> float:
    """Return the next tick in which these phases, but for kickers, can change anything."""
    change = math.inf
    for robot in world.engaged:
        if any(camera.track is not None for camera in robot.cameras):
            return world.now + 1
    for robot in world.knowing:
        if robot.stirred > world.now or robot.version != world.scene.version:
            return world.now + 1
        for designation in robot.designations.values() if robot.fading else ():
            if designation.stale is not None:
                change = min(change, designation.stale)
    return change


def _is_away(world: WorldState, robot: SimulatedRobot, holder: Holder) -> bool:
    """Return whether a robot cannot reach into a container any more.

    It cannot into another robot's bin, nor into what that holds.
    """
    for found in around(holder):
        if isinstance(found, SimulatedBin):
            return found.robot is not robot
        if isinstance(found, Thing) and not found.alive:
            return True
    return isinstance(holder, Thing) and robot.distance_to(*world.scene.position(holder)) >= NEAR


def _departure(camera: SimulatedCamera, designation: DesignatorTruth) -> str | None:
    """Say that what is tracked has left the camera's location, None where it has not."""
    thing = designation.thing
    if thing is None:
        return None
    if not thing.alive:
        return f'{thing.label} is gone'
    return None if location(thing) is camera.inside else f'{thing.label} moved'


def _loss(world: WorldState, camera: SimulatedCamera, designation: DesignatorTruth) -> str | None:
    """Say why a track of what is still there cannot go on, or None (ars_magna.md §7.8)."""
    robot, parameters, chance = camera.robot, world.parameters, camera.robot.streams.track
    if not parameters.senses_exactly:
        false = designation.is_false
        probability = parameters.prob_lose_false_track if false else parameters.prob_lose_track
        if chance.random() < probability:
            return 'lost from sight'
    if camera.inside is not None or designation.is_false:
        return None
    x, y = world.where(designation)
    if robot.distance_to(x, y) < HERE:
        return None
    if not world.scene.is_visible(robot.x, robot.y, x, y):
        return 'hidden'
    change = wrap(robot.heading + robot.bearing_of(x, y) - camera.sight)
    return 'too fast' if abs(change) > camera.fov / 2 else None


def _follow(world: WorldState, camera: SimulatedCamera, designation: DesignatorTruth) -> None:
    """Point the camera, and estimate anew where that is what it tracks."""
    robot = camera.robot
    if isinstance(designation.means, FalseTarget) and camera.inside is None:
        _drift(world, camera, designation.means)
    x, y = world.where(designation)
    if designation.is_local and camera.inside is None and robot.distance_to(x, y) >= NEAR:
        designation.type = NON_LOCAL
    perceive(world, camera, designation)
    world.aim(camera)


def _drift(world: WorldState, camera: SimulatedCamera, spot: FalseTarget) -> None:
    """Move a false designator about the robot (ars_magna.md §7.8)."""
    robot, parameters, chance = camera.robot, world.parameters, camera.robot.streams.track
    far, turn = parameters.false_desig_drift_dist, parameters.false_desig_drift_ang
    away = robot.distance_to(spot.x, spot.y)
    distance = max(away + chance.uniform(-far, far), 0.0)
    bearing = robot.bearing_of(spot.x, spot.y) if away >= HERE else camera.angle
    angle = robot.heading + bearing + chance.uniform(-turn, turn)
    spot.x, spot.y = robot.x + distance * math.cos(angle), robot.y + distance * math.sin(angle)


def _has_moved(world: WorldState, robot: SimulatedRobot, designation: DesignatorTruth) -> bool:
    """Return whether the robot, the camera or what is meant has moved since it was found."""
    if world.now in (robot.moved, robot.cameras[designation.camera].moved):
        return True
    return world.where(designation) != designation.place


def kick(world: WorldState) -> None:
    """Run the kickers that are due: things in the order of their making, kickers as attached.

    First the test, then the chance. A body that is to run again does so without either.
    """
    for thing in sorted(world.kicked, key=attrgetter('number')) if world.kicked else ():
        for kicker in list(thing.kickers.values()):
            if thing.alive:
                _run(world, thing, kicker)
        if not (thing.alive and thing.kickers):
            world.kicked.discard(thing)


def _run(world: WorldState, thing: Thing, kicker: Kicker) -> None:
    left = thing.reruns.pop(kicker.name, 0)
    robot = _nearest(world, thing)
    names = scope_of_kicker(world, thing, robot)
    title = f"kicker '{kicker.name}' of {thing.label}"
    act = Act(world, title, names, world.kickers, (names['x'], names['y']), is_rerun=left > 0)
    if not left and not (act.holds(kicker.test) and world.kickers.random() < kicker.probability):
        return
    act.run(kicker.body)
    left = max(left - 1, act.reruns)
    if left > 0 and thing.alive:
        thing.reruns[kicker.name] = left


def _nearest(world: WorldState, thing: Thing) -> SimulatedRobot | None:
    """Return the robot nearest to a thing."""
    if not world.robots:
        return None
    x, y = world.scene.position(thing)
    return min(world.robots.values(), key=lambda robot: robot.distance_to(x, y))
