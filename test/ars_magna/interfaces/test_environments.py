"""Environments pass the checks of their own libraries, and a thing can be brought home in them."""

import warnings

import pytest

from walking_robots.ars_magna.interfaces.macros import ACTIONS, SLOTS

gymnasium = pytest.importorskip('gymnasium')
pettingzoo = pytest.importorskip('pettingzoo')

from gymnasium.utils.env_checker import check_env  # noqa: E402
from pettingzoo.test import parallel_api_test, parallel_seed_test  # noqa: E402

from walking_robots.ars_magna.interfaces.gymnasium_env import ID  # noqa: E402
from walking_robots.ars_magna.interfaces.pettingzoo_env import (  # noqa: E402
    ArsMagnaParallelEnv,
)

BY_NAME = {name: number for number, name in enumerate(ACTIONS)}


@pytest.mark.parametrize('world', ['big_room', 'house', 'office'])
def test_the_environment_passes_the_check_of_gymnasium(world):
    environment = gymnasium.make(ID, world=world)
    with warnings.catch_warnings():
        warnings.simplefilter('error')
        check_env(environment.unwrapped, skip_render_check=True)


def test_the_environment_passes_the_test_of_pettingzoo():
    with warnings.catch_warnings():
        warnings.simplefilter('error')
        parallel_api_test(ArsMagnaParallelEnv(max_ticks=300), num_cycles=60)
        parallel_seed_test(lambda: ArsMagnaParallelEnv(max_ticks=200), num_cycles=10)


def by_hand(seen):
    """Return what a person would do next: look, approach, grasp, go home, put down."""
    if seen['holds']:
        home = abs(seen['pose'][:2]).max() < 0.7
        return BY_NAME['put_down' if home else 'home']
    for slot in range(SLOTS):
        if seen['valid'][slot] and seen['local'][slot]:
            return BY_NAME[f'grasp_{slot}']
    for slot in range(SLOTS):
        if seen['valid'][slot]:
            return BY_NAME[f'approach_{slot}']
    return None


@pytest.mark.parametrize('seed', range(40, 44))
def test_a_policy_of_a_few_lines_brings_the_lamp_home(seed):
    environment = gymnasium.make(ID, noise=False)
    seen, _ = environment.reset(seed=seed)
    total, ended, looked = 0.0, False, False
    while not ended:
        action = by_hand(seen)
        if action is None:
            action = BY_NAME['turn_left' if looked else 'look']
            looked = not looked
        seen, reward, done, late, info = environment.step(action)
        total, ended = total + reward, done or late
    assert done
    assert total == pytest.approx(1.0 - 0.001 * info['ticks'])


def test_what_cannot_be_is_refused_in_one_sentence():
    with pytest.raises(ValueError, match="nothing in big_room fits 'color=green size=99'"):
        gymnasium.make(ID, what='color=green size=99')
    environment = gymnasium.make(ID, disable_env_checker=True).unwrapped
    environment.reset(seed=1)
    with pytest.raises(ValueError, match='there is no action 14; use 0 to 13'):
        environment.step(len(ACTIONS))


def test_robots_act_at_the_same_time():
    environment = ArsMagnaParallelEnv(robots=3)
    environment.reset(seed=5)
    ahead = dict.fromkeys(environment.agents, BY_NAME['ahead'])
    _, _, _, _, infos = environment.step(ahead)
    assert {info['ticks'] for info in infos.values()} == {10}
