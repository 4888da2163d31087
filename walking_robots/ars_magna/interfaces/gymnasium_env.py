"""A robot that brings a thing home, for Gymnasium: ``walking_robots/ArsMagna-v0``."""

from typing import Any

from walking_robots.ars_magna.interfaces.episode import PRICE, Episode, design_with
from walking_robots.ars_magna.interfaces.macros import Observation
from walking_robots.ars_magna.interfaces.spaces import action_space, observation_space
from walking_robots.documents.extras import extra_needed

with extra_needed('learning'):
    import gymnasium

ID = 'walking_robots/ArsMagna-v0'


class ArsMagnaEnv(gymnasium.Env[Observation, Any]):
    """A robot that takes the actions of `macros.ACTIONS` until a thing is at home.

    world: a shipped world or a file; what: the thing, such as color=lightred; noise: whether there
    is any; max_ticks: after how many an episode is truncated. The reward is 1 for the thing at
    home, and -0.001 for each tick; ``info`` has the ticks and the code of the last command.
    """

    metadata: dict[str, Any] = {'render_modes': []}  # noqa: RUF012

    def __init__(
        self,
        world: str = 'big_room',
        what: str = 'color=lightred',
        noise: bool = True,
        max_ticks: int = 2000,
        render_mode: str | None = None,
    ) -> None:
        """Read the world; raise ValueError with one sentence for one that cannot be."""
        self._design, self._what, self._noise = design_with(world, 1), what, noise
        self._most, self.render_mode = max_ticks, render_mode
        self.observation_space = observation_space(self._design.definitions.attributes)
        self.action_space = action_space()
        self._episode = Episode(self._design, what, 0, noise)

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observation, dict[str, Any]]:
        """Begin an episode; seed: of the world, without one another each time."""
        super().reset(seed=seed)
        chosen = int(self.np_random.integers(2**31)) if seed is None else seed
        self._episode = Episode(self._design, self._what, chosen, self._noise)
        return self._robot.observation(), self._info()

    def step(self, action: Any) -> tuple[Observation, float, bool, bool, dict[str, Any]]:
        """Take an action; raise ValueError for one that there is not."""
        ticks = self._episode.act({name: action for name in self._episode.robots})
        done = all(map(self._episode.brought, self._episode.robots))
        late = self._episode.simulator.now >= self._most
        reward = float(done) - PRICE * ticks
        return self._robot.observation(), reward, done, late and not done, self._info()

    @property
    def _robot(self) -> Any:
        (robot,) = self._episode.robots.values()
        return robot

    def _info(self) -> dict[str, Any]:
        return {'ticks': self._episode.simulator.now, 'code': str(self._robot.code)}


def register_envs() -> None:
    """Make the environment known to ``gymnasium.make``; Gymnasium calls it by its entry point."""
    if ID not in gymnasium.registry:
        gymnasium.register(id=ID, entry_point=f'{__name__}:{ArsMagnaEnv.__name__}')


register_envs()
