"""Say that a program failed, with the code that says why."""

from walking_robots.ars_magna.agent.futures import Future, first_of
from walking_robots.ars_magna.agent.handles import Command, Outcome

NO_OBJECT_FOUND = 'NO-OBJECT-FOUND'
NO_DESIGNATOR_FOUND = 'NO-DESIGNATOR-FOUND'


class PlanFailedError(Exception):
    """Says with which code a program ends, and in which step."""

    def __init__(self, code: str, step: str) -> None:
        """Keep both."""
        super().__init__(f'{step}: {code}')
        self.code, self.step = code, step


async def need(command: Future[Outcome], step: str, *accepted: str) -> Outcome:
    """Await a command; raise PlanFailedError unless it succeeds, or ends with an accepted code."""
    outcome = await command
    if outcome.ok or outcome.code in accepted:
        return outcome
    raise PlanFailedError(outcome.code, step)


async def need_while(track: Command, command: Command, step: str) -> Outcome:
    """Await a command that is of no use once a track has ended; raise PlanFailedError then."""
    # What the command itself has to say in the same tick counts more.
    if await first_of(command, track) == 1 and not command.done:
        raise PlanFailedError(track.result().code, step)
    return await need(command, step)
