"""What an agent of reinforcement learning sees of a robot, and the discrete actions it takes."""

import math
from collections.abc import Coroutine
from typing import Any

import numpy as np
from numpy.typing import NDArray

from walking_robots.ars_magna.agent.futures import Task, first_of
from walking_robots.ars_magna.agent.handles import Designator, Outcome
from walking_robots.ars_magna.agent.messages import LOCAL, NON_LOCAL
from walking_robots.ars_magna.agent.robot import Robot
from walking_robots.ars_magna.codes import Code, wire_number
from walking_robots.ars_magna.geometry.point import ORIGIN, distance
from walking_robots.ars_magna.sensing.attributes import Attribute, Substance, Value
from walking_robots.geometry.se2 import wrap

SLOTS = 4
"""Designators that an agent sees and can name."""
ACTIONS = (
    'look',
    'turn_left',
    'turn_right',
    'ahead',
    'home',
    'put_down',
    *(f'approach_{slot}' for slot in range(SLOTS)),
    *(f'grasp_{slot}' for slot in range(SLOTS)),
)
"""Discrete actions: each is a few commands, and takes as many ticks as these."""
NUMBERS = 1.0e6
"""Numbers seen are within it."""

_TURN, _WAY, _PATIENCE = math.pi / 4, 5, 200

Observation = dict[str, Any]


class MacroRobot:
    """A robot that takes one action of ``ACTIONS`` at a time.

    what: the specification of what it looks for; code: of the last command.
    """

    def __init__(self, robot: Robot, what: Any) -> None:
        """Begin where the robot is; that is its home."""
        self.robot, self.what = robot, what
        self.model = robot.sensor_model()
        self.eye = max(robot.cameras, key=lambda camera: camera.field_of_view)
        self.hand = max(robot.hands, key=lambda hand: hand.strength)
        self.code: str = Code.NIL
        self.holds = False
        self._seen: list[Designator] = []

    def start(self, action: int) -> Task[None]:
        """Begin an action, which ends after some ticks; raise ValueError for one there is not."""
        if not 0 <= action < len(ACTIONS):
            raise ValueError(f'there is no action {action}; use 0 to {len(ACTIONS) - 1}')
        name, _, slot = ACTIONS[action].rpartition('_')
        if not slot.isdigit():
            return Task(self._act(getattr(self, f'_{ACTIONS[action]}')()))
        return Task(self._act(getattr(self, f'_{name}')(int(slot))))

    async def _act(self, action: Coroutine[Any, Any, Outcome]) -> None:
        """Take an action, for so long as it may take."""
        task = Task(action)
        if await first_of(task, self.robot.wait(_PATIENCE)) == 0:
            self.code = task.result().code
        else:
            self.code = (await self.robot.stop()).code

    # Actions

    async def _look(self) -> Outcome:
        """Look for what fits, nearby and then farther away."""
        await self.eye.untrack()
        near = await self.eye.get_all_object_designators(LOCAL, self.what)
        far = await self.eye.get_all_object_designators(NON_LOCAL, self.what)
        found = [one for outcome in (near, far) if outcome.ok for one in outcome.value]
        self._seen = found[:SLOTS]
        return near if near.ok else far

    async def _turn_left(self) -> Outcome:
        return await self.robot.turn(-_TURN)

    async def _turn_right(self) -> Outcome:
        return await self.robot.turn(_TURN)

    async def _ahead(self) -> Outcome:
        return await self.robot.go_forward(_WAY)

    async def _home(self) -> Outcome:
        """Turn to where the robot began, and go there as far as nothing is in the way."""
        odometer = self.robot.main_odometer
        at = odometer.position().nominal
        bearing = math.atan2(-at.y, -at.x) - odometer.angle().nominal
        way = distance(at, ORIGIN)
        if way < 0.5:
            return Outcome(Code.NIL, ())
        await self.robot.turn(wrap(bearing))
        return await self.robot.go_forward(math.ceil(way / max(self.robot.speed, 0.01) - 0.5))

    async def _put_down(self) -> Outcome:
        outcome = await self.hand.ungrasp()
        await self._feel()
        return outcome

    async def _approach(self, slot: int) -> Outcome:
        failed = await self._track(slot)
        return failed or await self.robot.goto_designator(self.eye)

    async def _grasp(self, slot: int) -> Outcome:
        failed = await self._track(slot)
        outcome = failed or await self.hand.grasp(self.eye, self._seen[slot])
        await self.eye.untrack()
        await self._feel()
        return outcome

    async def _track(self, slot: int) -> Outcome | None:
        """Track what is in a slot; return the outcome of a failure."""
        if slot >= len(self._seen) or not self._seen[slot].valid:
            return Outcome(Code.BAD_DESIGNATOR, ())
        await self.eye.untrack()
        track = self.eye.track(self._seen[slot])
        return None if await track.started else track.result()

    async def _feel(self) -> None:
        self.holds = (await self.hand.grasp_check()).code == Code.GRASPING

    # What is seen

    def observation(self) -> Observation:
        """Return what the robot knows, as arrays; see `spaces.observation_space`."""
        attributes = self.model.attributes
        found: NDArray[np.float32] = np.zeros((SLOTS, len(attributes)), np.float32)
        has = np.zeros((SLOTS, len(attributes)), np.int8)
        valid, local = np.zeros(SLOTS, np.int8), np.zeros(SLOTS, np.int8)
        directions = np.zeros(SLOTS, np.float32)
        for slot, designator in enumerate(self._seen):
            if not designator.valid:
                continue
            valid[slot], local[slot] = 1, designator.type == LOCAL
            directions[slot] = wrap(designator.angle)
            for index, (name, attribute) in enumerate(attributes.items()):
                if name in designator.data:
                    has[slot, index] = 1
                    found[slot, index] = _number(attribute, designator.data[name])
        odometer = self.robot.main_odometer
        at, angle = odometer.position().nominal, odometer.angle().nominal
        pose = np.array((at.x, at.y, wrap(angle)), np.float32)
        return {
            'valid': valid,
            'local': local,
            'direction': np.clip(directions, -np.float32(math.pi), np.float32(math.pi)),
            'has': has,
            'attributes': np.clip(found, -NUMBERS, NUMBERS),
            'pose': np.clip(pose, -NUMBERS, NUMBERS),
            'camera': np.array([wrap(self.eye.angle)], np.float32),
            'holds': int(self.holds),
            'code': min(wire_number(self.code), CODES - 1),
        }


CODES = 102
"""Codes are numbers below it; the last one is any that the manual does not have."""


def _number(attribute: Attribute, value: Value) -> float:
    """Return a value as a number: of a word the place in its domain, of a substance its number."""
    if isinstance(value, Substance):
        return value.parameter
    if attribute.domain is None:
        return float(value)
    return float(attribute.domain.index(value))
