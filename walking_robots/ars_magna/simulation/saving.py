"""Save all that is so in a world between two ticks, and return to it, for who plans ahead."""

from collections import deque
from collections.abc import Iterable, Iterator
from functools import lru_cache
from random import Random
from typing import Any

from walking_robots.ars_magna.simulation.processes import ProcessRun
from walking_robots.ars_magna.simulation.scheduler import Scheduler
from walking_robots.ars_magna.simulation.world_state import WorldState

_COLLECTIONS = (dict, list, set, deque)

_LISTENERS = frozenset(('clocks', 'sinks', 'ticked', 'watchers'))
"""Attributes of a simulator that are not of its world."""


class SavedState:
    """What a world was like in a tick.

    Objects stay the same ones, and get back the values of their attributes; so whatever refers to
    a thing or robot refers to it after a return too.
    """

    def __init__(
        self,
        world: WorldState,
        scheduler: Scheduler,
        simulator: dict[str, Any],
        runs: Iterable[ProcessRun],
    ) -> None:
        """Save what is so now; simulator: its attributes; runs: the commands under way."""
        self.world = world
        self._plain: list[tuple[dict[str, Any], dict[str, Any]]] = []
        self._slotted: list[tuple[Any, list[tuple[str, Any]]]] = []
        self._collections: list[tuple[Any, Any]] = []
        self._chances: list[tuple[Random, Any]] = []
        self._plain.append((simulator, simulator.copy()))
        self._collect(value for name, value in simulator.items() if name not in _LISTENERS)
        for found in (*_parts_of(world), scheduler, *scheduler.events, *runs):
            self._save(found)

    def restore(self) -> None:
        """Make it so again."""
        for attributes, saved in self._plain:
            attributes.clear()
            attributes.update(saved)
        for found, values in self._slotted:
            for name, value in values:
                setattr(found, name, value)
        for collection, content in self._collections:
            collection.clear()
            if isinstance(collection, dict | set):
                collection.update(content)
            else:
                collection.extend(content)
        for chance, state in self._chances:
            chance.setstate(state)

    def _save(self, found: Any) -> None:
        if isinstance(found, Random):
            self._chances.append((found, found.getstate()))
            return
        if hasattr(found, '__dict__'):
            self._plain.append((vars(found), vars(found).copy()))
            self._collect(vars(found).values())
        names = _slots(found.__class__)
        if names:
            values = [(name, getattr(found, name)) for name in names]
            self._slotted.append((found, values))
            self._collect(value for _, value in values)

    def _collect(self, values: Iterable[Any]) -> None:
        """Save the content of the collections among some values, and of those in these."""
        for value in values:
            if isinstance(value, _COLLECTIONS):
                self._collections.append((value, value.copy()))
                self._collect(value.values() if isinstance(value, dict) else value)


def _parts_of(world: WorldState) -> Iterator[Any]:
    """Yield all of a world that changes."""
    yield from (world, world.scene, world.messages, world.kickers)
    yield from world.scene.things.values()
    for robot in world.robots.values():
        yield robot
        yield from robot.streams
        yield from (*robot.cameras, *robot.hands, *robot.bins)
        yield from robot.odometers.values()
        for designation in robot.designations.values():
            yield designation
            if designation.is_false:
                yield designation.means


@lru_cache
def _slots(kind: Any) -> tuple[str, ...]:
    """Return the names of all slots of a class."""
    return tuple(name for base in kind.__mro__ for name in getattr(base, '__slots__', ()))
