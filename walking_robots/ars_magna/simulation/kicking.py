"""Let kickers act, once in every tick (ars_magna.md §4.5)."""

from walking_robots.ars_magna.design.model import Kicker
from walking_robots.ars_magna.simulation.behaving import Act, scope_of_kicker
from walking_robots.ars_magna.simulation.robots import SimulatedRobot
from walking_robots.ars_magna.simulation.things import Thing
from walking_robots.ars_magna.simulation.world_state import WorldState


def kick(realm: WorldState) -> None:
    """Run the kickers that are due: things in the order of their making, kickers as attached.

    First the test, then the chance. A body that asked to run again does so without either.
    """
    for thing in [thing for thing in realm.scene.things.values() if thing.kickers]:
        for kicker in list(thing.kickers.values()):
            if thing.alive:
                _run(realm, thing, kicker)


def _run(realm: WorldState, thing: Thing, kicker: Kicker) -> None:
    left = thing.reruns.pop(kicker.name, 0)
    robot = _nearest(realm, thing)
    names = scope_of_kicker(realm, thing, robot)
    title = f"kicker '{kicker.name}' of {thing.label}"
    act = Act(realm, title, names, realm.kickers, (names['x'], names['y']), is_rerun=left > 0)
    if not left and not (act.holds(kicker.test) and realm.kickers.random() < kicker.probability):
        return
    act.run(kicker.body)
    left = max(left - 1, act.reruns)
    if left > 0 and thing.alive:
        thing.reruns[kicker.name] = left


def _nearest(realm: WorldState, thing: Thing) -> SimulatedRobot | None:
    """Return the robot nearest to a thing."""
    if not realm.robots:
        return None
    x, y = realm.scene.position(thing)
    return min(realm.robots.values(), key=lambda robot: robot.distance_to(x, y))
