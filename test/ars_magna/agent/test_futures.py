"""Programs that fail, and what they cannot await."""

import asyncio
import gc
import warnings

import pytest
from ars_stage import Stage

from walking_robots.ars_magna.agent.futures import Cancelled, Task, all_of, first_of


def test_what_is_no_future_cannot_be_awaited():
    async def program():
        await asyncio.sleep(0)

    task = Task(program())
    with pytest.raises(TypeError, match=r'a program awaits commands, tasks and robot.wait'):
        task.result()


def test_what_is_no_future_cannot_be_awaited_where_something_is_cleaned_up():
    stage = Stage()

    async def program():
        try:
            await asyncio.sleep(0)
        finally:
            await stage.robot.wait(1)

    task = Task(program())
    stage.tick(2)
    with pytest.raises(TypeError, match=r'not things of asyncio'):
        task.result()


def cleaning(stage, ticks, done):
    """Start a program that cleans up for a tick however it ends."""

    async def program():
        try:
            await stage.robot.wait(ticks)
        finally:
            await stage.robot.wait(1)
            done.append(stage.robot.now)

    return Task(program())


def test_a_cancelled_program_cleans_up_and_hinders_nobody():
    stage, done = Stage(), []
    begin = stage.robot.now
    task = cleaning(stage, 5, done)

    async def cancels():
        await stage.robot.wait(2)
        task.cancel()
        assert not task.done

    async def waits():
        await stage.robot.wait(5)

    others = (Task(cancels()), Task(waits()))
    stage.tick(6)
    assert done == [begin + 3]
    assert [other.result() for other in others] == [None, None]
    with pytest.raises(Cancelled):
        task.result()


def test_a_program_that_loses_a_race_cleans_up():
    stage, done = Stage(), []

    async def race():
        return await first_of(cleaning(stage, 50, done), stage.robot.wait(3))

    task = Task(race())
    stage.tick(5)
    assert task.result() == 1 and len(done) == 1


def test_a_program_that_cancels_itself_ends_where_it_waits_next():
    stage, tasks, done = Stage(), [], []

    async def program():
        await stage.robot.wait(1)
        tasks[0].cancel()
        done.append(1)
        await stage.robot.wait(1)
        done.append(2)

    tasks.append(Task(program()))
    stage.tick(4)
    assert tasks[0].done and done == [1]


def test_no_program_takes_its_end_for_a_mistake():
    stage, done = Stage(), []

    async def program():
        try:
            await stage.robot.wait(9)
        except Exception:
            done.append(stage.robot.now)

    task = Task(program())
    task.cancel()
    assert task.done and not done


def test_all_that_failed_beside_one_another_was_awaited():
    stage = Stage()

    async def program():
        with pytest.raises(LookupError):
            await all_of(failing(stage), failing(stage))
        return True

    with warnings.catch_warnings():
        warnings.simplefilter('error')
        assert stage.run(program())
        gc.collect()


def failing(stage):
    async def program():
        await stage.robot.wait(1)
        raise LookupError('lost')

    return Task(program())


def test_an_error_that_nobody_retrieves_is_warned_of():
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
