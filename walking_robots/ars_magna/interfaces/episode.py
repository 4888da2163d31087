"""An episode in a world: robots that take actions, and who is to bring a thing home."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from walking_robots.ars_magna.agent.futures import Task
from walking_robots.ars_magna.console.words import specification_of
from walking_robots.ars_magna.design.files import load_design
from walking_robots.ars_magna.design.model import WorldDesign
from walking_robots.ars_magna.interfaces.macros import MacroRobot
from walking_robots.ars_magna.sensing.matching import matches_truth
from walking_robots.ars_magna.sensing.specifications import specification
from walking_robots.ars_magna.simulation.local import connect
from walking_robots.ars_magna.simulation.simulator import Simulator
from walking_robots.documents.shipped_worlds import find_world

NEAR = 1.0
"""Cells from where a robot began within which a thing is at home."""
PRICE = 0.001
"""Reward that a tick costs; a thing at home gives 1."""


def design_with(world: str, robots: int) -> WorldDesign:
    """Return a shipped world, or that of a file, with so many robots like its first one.

    Raises ValueError for a world without a robot.
    """
    design = load_design(find_world(world))
    if not design.robots:
        raise ValueError(f"{design.name} has no robot; write one under 'robots'")
    first = design.robots[0]
    copies = tuple(
        first if number == 0 else first.model_copy(update={'name': f'{first.name}_{number}'})
        for number in range(robots)
    )
    return replace(design, robots=copies)


class Episode:
    """A world with robots that look for what fits a description, such as color=lightred."""

    def __init__(self, design: WorldDesign, what: str, seed: int, noise: bool) -> None:
        """Begin; raise ValueError for a description that nothing in the world fits."""
        self.simulator = Simulator(design, seed)
        world = self.simulator.world
        if not noise:
            world.parameters = world.parameters.cleaned()
        attributes = world.definitions.attributes
        entries = specification_of(what.split(), attributes)
        wanted = specification(entries, attributes, substances=design.substances)
        self.things = [
            thing
            for thing in world.scene.things.values()
            if matches_truth(wanted, thing.attributes, world.parameters, {}) is not None
        ]
        if not self.things:
            raise ValueError(
                f"nothing in {design.name} fits '{what:.80}'; describe one of its things"
            )
        self.homes = {name: (robot.x, robot.y) for name, robot in world.robots.items()}
        self.robots = {
            name: MacroRobot(connect(self.simulator, name), entries) for name in world.robots
        }
        self._came = {thing for name in self.homes for thing in self._at(name)}

    def act(self, actions: Mapping[str, int]) -> int:
        """Let robots act at the same time until all have done; return how many ticks it took."""
        began = self.simulator.now
        tasks: list[Task[Any]] = [
            self.robots[name].start(int(action)) for name, action in actions.items()
        ]
        while not all(task.done for task in tasks):
            self.simulator.skip(1000)
        for task in tasks:
            task.result()
        return self.simulator.now - began

    def brought(self, name: str) -> bool:
        """Return whether what fits lies where a robot began, and was not there at first."""
        return bool(self._at(name) - self._came)

    def _at(self, name: str) -> set[Any]:
        """Return the things looked for that lie on the ground where a robot began."""
        x, y = self.homes[name]
        return {
            thing
            for thing in self.things
            if thing.alive
            and thing.holder is None
            and (thing.x - x) ** 2 + (thing.y - y) ** 2 < NEAR**2
        }
