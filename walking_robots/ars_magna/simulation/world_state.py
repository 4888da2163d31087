"""All there is: map, things, robots, definitions, parameters and tick (ars_magna.md §1)."""

import random
from collections.abc import Callable, Iterator

from walking_robots.ars_magna.codes import Code
from walking_robots.ars_magna.design.model import Definitions, Kicker, ThingDesign, WorldDesign
from walking_robots.ars_magna.parameters import Parameters
from walking_robots.ars_magna.sensing.specifications import Specification
from walking_robots.ars_magna.simulation.ground import GroundMap
from walking_robots.ars_magna.simulation.messages import Messages
from walking_robots.ars_magna.simulation.robots import (
    SimulatedCamera,
    SimulatedHand,
    SimulatedRobot,
)
from walking_robots.ars_magna.simulation.scene import ThingScene, location
from walking_robots.ars_magna.simulation.things import DesignatorTruth, FalseTarget, Holder, Thing
from walking_robots.geometry.se2 import wrap

NEAR = 1.0
"""Distance, cells, below which a thing is local (ars_magna.md §1.2)."""
HERE = 0.1
"""Distance, cells, below which a direction means nothing (ars_magna.md §7.7)."""


class WorldState:
    """What commands act on.

    end: ends the lasting command on a resource with a code, and returns whether there was one;
    before_clean: the parameters to restore after a clean run; prototypes: for things made later,
    by name; kickers: the generator of their chances; specifications_read: by what was
    written; reported: steps of bodies whose errors were reported, by title and identity; engaged,
    knowing, kicked: the robots that track, hold or are in something, those with designators, and
    the things with kickers, of which some may be so no longer.
    """

    def __init__(self, design: WorldDesign, seed: int) -> None:
        """Build a world with its things and robots."""
        self.design = design
        self.name = design.name
        self.seed = seed
        self.now = 0
        self.parameters = design.parameters
        self.before_clean: Parameters | None = None
        self.definitions: Definitions = design.definitions
        self.prototypes = dict(design.prototypes)
        self.ground = GroundMap(design.grid, design.definitions.place_types)
        self.scene = ThingScene(self.ground)
        self.messages = Messages()
        self._usual_pixels = _usual_pixels(design)
        self.reported: dict[tuple[str, str | int], object] = {}
        self.specifications_read: dict[str, Specification] = {}
        self.kickers = random.Random(f'{seed}/kicker')
        self.end: Callable[[str, str], bool] = lambda resource, code: False
        self.engaged: set[SimulatedRobot] = set()
        self.knowing: set[SimulatedRobot] = set()
        self.kicked: set[Thing] = set()
        self.robots: dict[str, SimulatedRobot] = {
            robot.name: SimulatedRobot(robot, design.parameters, seed, order, self.engaged)
            for order, robot in enumerate(design.robots)
        }
        for thing in design.things:
            self.make(thing, (thing.x or 0.0, thing.y or 0.0))
        for name, body in design.bodies.items():
            robot = self.robots[name]
            robot.body = self.make(body, (robot.x, robot.y))
        for warning in (*design.warnings, *self.ground.places.warnings):
            self.messages.warning(warning)

    @property
    def pixel_range(self) -> tuple[float, float]:
        """Return the least and largest value of a pixel that is off."""
        return self.parameters.pixel_range or self._usual_pixels

    def make(self, design: ThingDesign, place: Holder | tuple[float, float]) -> Thing:
        """Make a thing with its contents and kickers, on the ground or in a holder."""
        thing = self.scene.make(design, place)
        for inner, model in zip(thing.within(), _within(design), strict=True):
            for name in model.kickers:
                self.attach(inner, self.definitions.kickers[name])
        return thing

    def attach(self, thing: Thing, kicker: Kicker) -> None:
        """Give a thing a kicker, in place of one of the same name."""
        thing.kickers[kicker.name] = kicker
        thing.reruns.pop(kicker.name, None)
        self.kicked.add(thing)

    def carry_body(self, robot: SimulatedRobot) -> None:
        """Move the body of a robot, if it has one, to where the robot is."""
        if robot.body is not None and robot.body.alive:
            self.scene.drop(robot.body, robot.x, robot.y)

    def where(self, designation: DesignatorTruth) -> tuple[float, float]:
        """Return where that is what a designator means, cells.

        What is not there, but seems to be in a container, is where that is.
        """
        means = designation.means
        if isinstance(means, Thing):
            return self.scene.position(means)
        if isinstance(means, FalseTarget):
            inside = designation.inside
            return (means.x, means.y) if inside is None else self.scene.position(inside)
        return float(means[0]), float(means[1])

    def reaches(self, robot: SimulatedRobot, designation: DesignatorTruth) -> bool:
        """Return whether the target of a designator is near a robot (ars_magna.md §1.2)."""
        return robot.distance_to(*self.where(designation)) < NEAR

    # Designators

    def aim(self, camera: SimulatedCamera) -> None:
        """Point a camera where what it tracks is perceived, unless the robot stands there."""
        designation = camera.track
        if designation is None:
            return
        designation.place = x, y = self.where(designation)
        robot = camera.robot
        if camera.inside is None and robot.distance_to(x, y) >= HERE:
            turned = wrap(designation.angle - camera.angle)
            camera.angle += turned
            if turned:
                camera.moved = robot.stirred = self.now
            camera.sight = robot.heading + robot.bearing_of(x, y)

    def lose_track(self, camera: SimulatedCamera, why: str) -> None:
        """End a camera's track with LOST-TRACK; ``why`` is for people."""
        designation = camera.track
        if designation is None:
            return
        self.end(camera.track_resource, Code.LOST_TRACK)
        self.messages.warning(
            f'{why}: {camera.label} no longer tracks designator {designation.number}.',
            camera.robot.name,
        )

    def shift(self, camera: SimulatedCamera) -> None:
        """End the track of a camera that goes elsewhere; lose a designator only it tracked."""
        camera.moved = camera.robot.stirred = self.now
        designation = camera.track
        self.lose_track(camera, f'{camera.label} moved')
        if designation is not None and not designation.cameras:
            self.forget(camera.robot, designation)

    def forget(self, robot: SimulatedRobot, designation: DesignatorTruth, why: str = '') -> None:
        """Make a designator invalid, and end the tracks of it."""
        for index in sorted(designation.cameras):
            self.end(robot.cameras[index].track_resource, Code.LOST_TRACK)
        robot.designations.pop(designation.number, None)
        if why and not designation.pending:
            self.messages.warning(
                f'{why}: designator {designation.number} is no longer valid.', robot.name
            )

    def withdraw(self, part: SimulatedCamera | SimulatedHand) -> None:
        """Take a part out of what it is in, by one container; what a hand holds comes along."""
        holder = part.inside
        part.inside = location(holder) if isinstance(holder, Thing) else None
        if isinstance(part, SimulatedCamera):
            self.shift(part)


def _within(design: ThingDesign) -> Iterator[ThingDesign]:
    yield design
    for content in design.contents:
        yield from _within(content)


def _usual_pixels(design: WorldDesign) -> tuple[float, float]:
    """Return the range of a pixel: 0 ... 128, or what the map needs if that is wider (§3.6)."""
    known = [*design.substances.values(), *design.grid.parameter.ravel().tolist()]
    return min(0.0, *known), max(128.0, *known)
