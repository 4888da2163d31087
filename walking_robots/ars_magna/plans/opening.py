"""Open containers by manipulations of the world, and take things out of them."""

from typing import Any

from walking_robots.ars_magna.codes import Code
from walking_robots.ars_magna.plans.failing import PlanFailedError
from walking_robots.ars_magna.plans.looking import Recognizer
from walking_robots.ars_magna.plans.robust import TRIES, Worker


async def open_with_key(worker: Worker, manipulation: str, container: Any, key: Any) -> None:
    """Open a container within reach with a key that lies beside it.

    manipulation: of the container and the key, by the hand that holds it. The robot needs a second
    camera, which tracks the container meanwhile. Raises PlanFailedError in vain.
    """
    eye = next(one for one in worker.robot.cameras if one is not worker.eye)
    lock, tool = Recognizer(eye, container), Recognizer(worker.eye, key)
    for _ in range(TRIES):
        await worker.free_hands()
        await eye.untrack()
        held = await worker.best_here(tool)
        if held is None or not await worker.eye.track(held).started:
            continue
        await worker.hand.grasp(worker.eye, held)
        box = await worker.best_here(lock)
        if box is None or not await eye.track(box).started:
            continue
        outcome = await worker.robot.manipulate(manipulation, [box, held], worker.hand)
        if outcome.ok:
            await eye.untrack()
            return
    raise PlanFailedError(Code.FAILED, manipulation)


async def take_out(worker: Worker, container: Any, content: Any) -> None:
    """Take what fits out of an open container within reach; raise PlanFailedError in vain."""
    box, wanted = Recognizer(worker.eye, container), Recognizer(worker.eye, content)
    for _ in range(TRIES):
        await worker.free_hands()
        await worker.hand.remove()
        found = await worker.best_here(box)
        if found is None or not await worker.eye.track(found).started:
            continue
        inside = (await worker.hand.insert(found)).ok and (await worker.eye.insert(found)).ok
        thing = await worker.best_here(wanted) if inside else None
        if thing is not None:
            await worker.grasp(thing)
            await worker.hand.remove()
            await worker.eye.remove()
            if await worker.holds() and await worker.is_right(wanted):
                return
    raise PlanFailedError(Code.GRASP_LOST, 'take out')
