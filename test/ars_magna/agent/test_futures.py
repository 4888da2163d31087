"""Programs that fail, and what they cannot await."""

import asyncio
import gc
import warnings

import pytest
from ars_stage import Stage

from walking_robots.ars_magna.agent.futures import Task


def test_what_is_no_future_cannot_be_awaited():
    async def program():
        await asyncio.sleep(0)

    task = Task(program())
    with pytest.raises(TypeError, match=r'a program awaits commands, tasks and robot.wait'):
        task.result()


def failing(stage):
    async def program():
        await stage.robot.wait(1)
        raise LookupError('lost')

    return Task(program())


def test_an_error_that_nobody_asks_for_is_warned_of():
    stage = Stage()
    failing(stage)
    with pytest.warns(RuntimeWarning, match=r"nobody awaited has failed: LookupError\('lost'\)"):
        stage.tick()
        gc.collect()


def test_an_error_that_somebody_awaits_is_not_warned_of():
    stage = Stage()

    async def program():
        with pytest.raises(LookupError):
            await failing(stage)
        return True

    with warnings.catch_warnings():
        warnings.simplefilter('error')
        assert stage.run(program())
        Task(program()).cancel()
        gc.collect()
