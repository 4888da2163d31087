"""An environment of PettingZoo: robots that act at the same time, each to bring a thing home."""

from typing import Any, ClassVar

import numpy as np

from walking_robots.ars_magna.interfaces.episode import PRICE, Episode, design_with
from walking_robots.ars_magna.interfaces.macros import Observation
from walking_robots.ars_magna.interfaces.spaces import action_space, observation_space
from walking_robots.documents.extras import extra_needed

with extra_needed('learning'):
    from gymnasium.spaces import Dict, Discrete
    from pettingzoo import ParallelEnv


class ArsMagnaParallelEnv(ParallelEnv[str, Observation, int]):  # type: ignore[misc]
    """Robots with the actions of `macros.ACTIONS`; a step lasts until all have done theirs.

    robots: how many, all like the first of the world, which begin at one place; the other
    arguments and the rewards are those of `gymnasium_env.ArsMagnaEnv`. The thing at home rewards
    all.
    """

    metadata: ClassVar[dict[str, Any]] = {'name': 'ars_magna_v0', 'render_modes': []}

    def __init__(
        self,
        world: str = 'big_room',
        what: str = 'color=lightred',
        robots: int = 2,
        noise: bool = True,
        max_ticks: int = 2000,
    ) -> None:
        """Read the world; raise ValueError with one sentence for one that cannot be."""
        self._design, self._what, self._noise = design_with(world, robots), what, noise
        self._most = max_ticks
        self.possible_agents = [robot.name for robot in self._design.robots]
        self.agents: list[str] = []
        self.render_mode = None
        attributes = self._design.definitions.attributes
        self._observed = {name: observation_space(attributes) for name in self.possible_agents}
        self._acted = {name: action_space() for name in self.possible_agents}
        self._episode = Episode(self._design, what, 0, noise)
        self._chance = np.random.default_rng()

    def observation_space(self, agent: str) -> Dict:
        """Return what a robot can see."""
        return self._observed[agent]

    def action_space(self, agent: str) -> Discrete:
        """Return what a robot can do."""
        return self._acted[agent]

    def reset(
        self, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, Observation], dict[str, dict[str, Any]]]:
        """Begin an episode; seed: of the world, without one another each time."""
        chosen = int(self._chance.integers(2**31)) if seed is None else seed
        self._episode = Episode(self._design, self._what, chosen, self._noise)
        self.agents = [*self.possible_agents]
        return self._observations(), self._infos()

    def step(
        self, actions: dict[str, int]
    ) -> tuple[
        dict[str, Observation],
        dict[str, float],
        dict[str, bool],
        dict[str, bool],
        dict[str, dict[str, Any]],
    ]:
        """Let all robots act."""
        ticks = self._episode.act({name: actions[name] for name in self.agents})
        done = any(self._episode.brought(name) for name in self.agents)
        late = not done and self._episode.simulator.now >= self._most
        found = (
            self._observations(),
            dict.fromkeys(self.agents, float(done) - PRICE * ticks),
            dict.fromkeys(self.agents, done),
            dict.fromkeys(self.agents, late),
            self._infos(),
        )
        if done or late:
            self.agents = []
        return found

    def _observations(self) -> dict[str, Observation]:
        return {name: self._episode.robots[name].observation() for name in self.agents}

    def _infos(self) -> dict[str, dict[str, Any]]:
        ticks = self._episode.simulator.now
        return {name: {'ticks': ticks} for name in self.agents}
