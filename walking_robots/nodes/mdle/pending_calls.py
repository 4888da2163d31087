# mypy: disable-error-code="attr-defined"
"""What atoms of space none wait for on the graph: services, actions, people."""

from collections.abc import Callable
from typing import Any, Protocol

from walking_robots.mdle.knowledge.elements import Progress

FIND = 5.0
"""Wall time, s, to find a server, and for it to accept a goal."""

WAITS = Progress()


class Carrier(Protocol):
    """Who keeps requests while they are open, and knows a steady clock, s."""

    @property
    def now(self) -> Callable[[], float]:
        """The clock."""

    def forget(self, request: 'PendingRequest') -> None:
        """Let go of a request that is over."""


class PendingRequest:
    """One request; ``progress`` returns its state, ``cancel`` cancels it."""

    def __init__(self, voice: Carrier) -> None:
        """Take who keeps it."""
        self.voice = voice
        self.begun = voice.now()

    def progress(self) -> Progress:
        """Return how it stands."""
        raise NotImplementedError

    def cancel(self) -> None:
        """Take it back."""
        self.voice.forget(self)

    def over(self, how: Any, text: str = '', **outputs: Any) -> Progress:
        """Release it, and return how it ended."""
        self.voice.forget(self)
        return Progress(how, text, outputs=outputs)

    def late(self, limit: float) -> bool:
        """Return whether it began longer ago than a limit, s."""
        return self.voice.now() - self.begun > limit


class Question(PendingRequest):
    """A question to the operator; ``answered`` is None until there is an answer."""

    def __init__(self, voice: Carrier, text: str) -> None:
        """Take the question."""
        super().__init__(voice)
        self.text = text
        self.answered: str | None = None

    def progress(self) -> Progress:
        """Look whether somebody has answered."""
        if self.answered is None:
            return WAITS
        return self.over('done', answer=self.answered)


class ServiceCall(PendingRequest):
    """A call of a service."""

    def __init__(self, voice: Carrier, client: Any, request: Any) -> None:
        """Take the client, and what is asked for; it is sent when the service is there."""
        super().__init__(voice)
        self._client = client
        self._request: Any = request
        self._future: Any = None

    def progress(self) -> Progress:
        """Send it when that is possible, and look for the response."""
        if self._future is None:
            if self._client.service_is_ready():
                self._future = self._client.call_async(self._request)
            elif self.late(FIND):
                return self.over('fail', 'the service did not come up')
            return WAITS
        if not self._future.done():
            return WAITS
        response = self._future.result()
        if getattr(response, 'success', True):
            return self.over('done')
        return self.over('fail', getattr(response, 'message', '') or 'the service refused')

    def cancel(self) -> None:
        """Wait for no response any more."""
        if self._future is not None:
            self._client.remove_pending_request(self._future)
        super().cancel()


class ActionCall(PendingRequest):
    """A goal for an action."""

    def __init__(self, voice: Carrier, client: Any, goal: Any) -> None:
        """Take the client, and the goal; it is sent when the action is there."""
        super().__init__(voice)
        self._client = client
        self._goal = goal
        self._sent: Any = None
        self._result: Any = None
        self._canceled = False

    def progress(self) -> Progress:
        """Send it when that is possible, and look for the result."""
        if self._sent is None:
            if self._client.server_is_ready():
                self._sent = self._client.send_goal_async(self._goal)
                self.begun = self.voice.now()
            elif self.late(FIND):
                return self.over('fail', 'the action did not come up')
            return WAITS
        if not self._sent.done():
            if self.late(FIND):
                self.cancel()
                return Progress('fail', 'the action did not answer')
            return WAITS
        handle = self._sent.result()
        if not handle.accepted:
            return self.over('fail', 'the action refused the goal')
        if self._result is None:
            self._result = handle.get_result_async()
        if not self._result.done():
            return WAITS
        # GoalStatus.STATUS_SUCCEEDED
        if self._result.result().status == 4:
            return self.over('done')
        return self.over('fail', 'the action did not succeed')

    def cancel(self) -> None:
        """Cancel the goal."""
        super().cancel()
        if self._sent is not None and not self._canceled:
            self._canceled = True
            # Where it is accepted only later, it is canceled then.
            self._sent.add_done_callback(_take_back)


def _take_back(sent: Any) -> None:
    """Cancel a goal that was accepted."""
    handle = sent.result()
    if handle is not None and handle.accepted:
        handle.cancel_goal_async()
