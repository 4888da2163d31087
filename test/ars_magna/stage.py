"""A world of a few lines with a robot in it, and what a test asks of them."""

from collections.abc import Callable, Coroutine
from functools import cached_property, lru_cache
from typing import Any

from walking_robots.ars_magna.agent.futures import Future, Task
from walking_robots.ars_magna.agent.robot import Outcome, Robot
from walking_robots.ars_magna.design.files import parse_design
from walking_robots.ars_magna.design.model import WorldDesign
from walking_robots.ars_magna.simulation.local import connect
from walking_robots.ars_magna.simulation.simulator import Simulator

ROBOT = (
    '{name: robbie, at: [20, 20], cameras: [{fov: 45deg, resolution: 3}, '
    '{fov: 90deg, resolution: 5}], hands: [{strength: 10}, {strength: 4}], '
    'bins: [{capacity: 20}, {capacity: 5}]}'
)


@lru_cache(maxsize=200)
def _parsed(text: str) -> WorldDesign:
    return parse_design(text, 'stage')


BOXES = """
  objects:
    - {name: box, at: [20, 20], attrs: {size: 9, capacity: 8, weight: 1, color: red}}
    - {name: tin, at: [20, 20], attrs: {size: 4, capacity: 4, weight: 1, color: blue}}
    - {name: pen, at: [20, 20], attrs: {size: 0.2, color: green}}
"""
TAKE_AND_PUT = """
manipulations:
  take:
    - {objects: {it: {size: [0, 100]}}, by: hand, body: [{move: {on: it, into: hand}}]}
  put:
    - {objects: {it: {size: [0, 100]}}, by: hand, others: [where],
       body: [{move: {on: it, into: where}}]}
"""
TWO_ROBOTS = ''.join(
    f'  - {{name: {name}, at: [20, 20], cameras: [{{fov: 90deg, resolution: 5}}], '
    f'hands: [{{strength: 10}}, {{strength: 10}}], bins: [{{capacity: 20}}]}}\n'
    for name in ('robbie', 'bobbie')
)


class Stage:
    """A simulator, the handle of its first robot, and the truth about it."""

    def __init__(
        self, world: str = '', *, size: int = 41, seed: int = 1, clean: bool = True, **values: Any
    ) -> None:
        """Build a world of empty ground: ``world`` says more of it, indented by two spaces."""
        definitions = values.pop('definitions', '')
        robots = values.pop('robots', f'  - {ROBOT}')
        self.design = _parsed(
            f'ars_schema: 1\nworld:\n  name: stage\n  size: [{size}, {size}]\n{world}\n'
            f'{definitions}\nrobots:\n{robots}\n'
        )
        self.simulator = Simulator(self.design, seed)
        self.world = self.simulator.world
        if clean:
            self.world.parameters = self.world.parameters.cleaned()
        self.set(**values)
        self.truth = next(iter(self.world.robots.values()))
        self.truth.speed = self.world.parameters.starting_speed

    @cached_property
    def robot(self) -> Robot:
        return connect(self.simulator, self.truth.name)

    @property
    def eye(self) -> Any:
        """Return the first camera."""
        return self.robot.cameras[0]

    @property
    def hand(self) -> Any:
        """Return the first hand."""
        return self.robot.hands[0]

    @property
    def store(self) -> Any:
        """Return the first bin."""
        return self.robot.bins[0]

    def set(self, **values: Any) -> None:
        """Change parameters."""
        self.world.parameters = self.world.parameters.with_values(**values)

    @property
    def now(self) -> int:
        return self.simulator.now

    def tick(self, count: int = 1) -> None:
        for _ in range(count):
            self.simulator.tick()

    def wait(self, future: Future[Any], most: int = 5000) -> Any:
        """Let ticks pass until a future is there."""
        end = self.now + most
        while not future.done:
            assert self.now < end, 'in vain'
            self.simulator.tick()
        return future.result()

    def run(self, program: Coroutine[Any, Any, Any], most: int = 5000) -> Any:
        return self.wait(Task(program), most)

    def ticks_of(self, command: Callable[[], Future[Outcome]]) -> tuple[int, Outcome]:
        """Return how many ticks a command takes, and how it ends."""
        began = self.now
        outcome = self.wait(command())
        return self.now - began, outcome

    def code(self, command: Future[Outcome]) -> str:
        return self.wait(command).code

    def thing(self, name: str) -> Any:
        return next(self.world.scene.find(name))

    def place(self, x: float, y: float, heading: float = 0.0) -> None:
        self.truth.x, self.truth.y, self.truth.heading = x, y, heading

    def designate(self, camera: int = 0, type: str = 'local', specification: Any = ()) -> Any:
        """Search once, and give the designator."""
        outcome = self.wait(self.robot.cameras[camera].get_object_designator(type, specification))
        assert outcome.ok, outcome
        return outcome.value

    def follow(self, designator: Any, camera: int = 0) -> Any:
        """Track, and give the command once it has started."""
        track = self.robot.cameras[camera].track(designator)
        assert self.wait(track.started), track.result()
        return track

    def find_and_follow(self, camera: int = 0, type: str = 'local', what: Any = ()) -> Any:
        found = self.designate(camera, type, what)
        return found, self.follow(found, camera)
