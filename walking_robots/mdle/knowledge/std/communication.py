"""Atoms of space none: signals, messages, actions and people (mdle.md §4.16)."""

from collections.abc import Mapping
from typing import Any

from walking_robots.mdle.knowledge.elements import Context, Progress
from walking_robots.mdle.knowledge.extension import atom

GOES_ON = Progress()
DONE = Progress('done')
Values = Mapping[str, Any]


class _Computing:
    """What atoms of space none have in common: no control, and nothing to release."""

    def enter(self, context: Context) -> None:
        """Keep the arguments, and who carries messages."""
        self.arguments = context.arguments
        self.services = context.services
        self.begin()

    def begin(self) -> None:
        """Do what is done once."""

    def law(self, t: float, y: Values) -> tuple[float, ...]:
        """Drive nothing."""
        return ()

    def progress(self, t: float, y: Values) -> Progress:
        """End at once."""
        return DONE

    def exit(self, cause: str) -> None:
        """Release nothing."""


def _once(service: str, **parameters: str) -> type[_Computing]:
    """Return an atom that calls a service with its arguments, and has ended."""

    class Once(_Computing):
        def begin(self) -> None:
            getattr(self.services, service)(*(self.arguments[name] for name in parameters))

    return atom('none', parameters, bounded=True, may_fail=False, name=service)(Once)


signal = _once('signal', tag='str')
log = _once('log', text='str')
publish = _once('publish', topic='str', message='str')


@atom('none', {'tag': 'str'}, may_fail=False)
class AwaitSignal(_Computing):
    """Wait until a signal was sent."""

    def progress(self, t: float, y: Values) -> Progress:
        """Look whether it was."""
        return DONE if self.services.signaled(self.arguments['tag']) else GOES_ON


@atom('none', {'name': 'str', 'value': 'num'}, bounded=True, may_fail=False, name='set')
class Set(_Computing):
    """Write a number on the blackboard, where ``bb.name`` reads it."""

    def progress(self, t: float, y: Values) -> Progress:
        """End at once, with the value as output."""
        return Progress('done', outputs={self.arguments['name']: self.arguments['value']})


class _Requesting(_Computing):
    """What waits for an answer from outside; its request ends with it.

    The request is a call of ``service`` with the arguments of ``parameters``.
    """

    service = ''
    parameters: tuple[str, ...] = ()

    def begin(self) -> None:
        """Send the request; the answer belongs to this entry alone."""
        self.answer = GOES_ON
        call = getattr(self.services, self.service)
        self.handle = call(*(self.arguments[name] for name in self.parameters))

    def progress(self, t: float, y: Values) -> Progress:
        """Check whether the answer has come; after it, nothing is requested any more."""
        if not self.answer.ended:
            self.answer = self.handle.progress()
        return self.answer

    def exit(self, cause: str) -> None:
        """Take back what was not answered, whatever the cause."""
        handle = getattr(self, 'handle', None)
        if handle and not self.answer.ended:
            handle.cancel()


@atom('none', {'name': 'str', 'goal': 'str'}, defaults={'goal': '{}'})
class CallAction(_Requesting):
    """Send a goal, written as YAML, to an action that exists, and wait for its result."""

    service, parameters = 'call_action', ('name', 'goal')

    def pause(self) -> None:
        """Cancel the goal: what it does may move, and the program stands still."""
        if not self.progress(0.0, {}).ended:
            self.handle.cancel()
            self.handle = None

    def resume(self) -> None:
        """Send the goal anew."""
        if self.handle is None:
            self.begin()


@atom('none', {'name': 'str', 'request': 'str'}, defaults={'request': '{}'})
class CallService(_Requesting):
    """Call a service that exists, with a request written as YAML, and wait for the response."""

    service, parameters = 'call_service', ('name', 'request')


@atom('none', {'text': 'str'}, {'answer': 'str'})
class AskOperator(_Requesting):
    """Ask a person, and wait for the answer."""

    service, parameters = 'ask', ('text',)
