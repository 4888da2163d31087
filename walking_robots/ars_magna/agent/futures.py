"""Values that come later, and programs that await them between the ticks (ars_magna.md §1.5)."""

import warnings
from collections.abc import Callable, Coroutine, Generator, Iterable, Sequence
from functools import partial
from typing import Any, Generic, TypeVar

Value = TypeVar('Value')


class Cancelled(BaseException):
    """Says that a task is cancelled; no `except Exception` of a program takes it for a mistake."""


class Future(Generic[Value]):
    """A value that comes later; to be awaited, or passed to a callback.

    All that waits goes on at once when the value comes, in the order in which it began to wait.
    """

    __slots__ = ('_error', '_value', '_waiting', 'done')

    def __init__(self) -> None:
        """Begin without a value."""
        self.done = False
        self._value: Value | None = None
        self._error: BaseException | None = None
        self._waiting: list[Callable[[], None]] = []

    def result(self) -> Value:
        """Return the value; raise the error of a task that failed, RuntimeError before the end."""
        if self._error is not None:
            raise self._error
        if not self.done:
            raise RuntimeError('this has not come to its end yet; await it')
        return self._value  # type: ignore[return-value]

    def when_done(self, callback: Callable[[], None]) -> None:
        """Call back when the value comes, at once if it is there."""
        if self.done:
            callback()
        else:
            self._waiting.append(callback)

    def forget(self, callback: Callable[[], None]) -> None:
        """Do not call back any more."""
        if callback in self._waiting:
            self._waiting.remove(callback)

    def resolve(self, value: Value) -> None:
        """Return the value to all that wait; a second one is ignored."""
        self._finish(value, None)

    def fail(self, error: BaseException) -> None:
        """Raise an error in all that wait; a value or an error before it stays."""
        self._finish(None, error)

    def __await__(self) -> Generator['Future[Any]', None, Value]:
        if not self.done:
            yield self
        return self.result()

    def _finish(self, value: Value | None, error: BaseException | None) -> None:
        if self.done:
            return
        self._value, self._error, self.done = value, error, True
        waiting, self._waiting = self._waiting, []
        if len(waiting) == 1:
            waiting[0]()
        else:
            raise_first(errors_of(waiting))


class Task(Future[Value]):
    """A program under way: a coroutine that awaits futures; itself a future of what it returns.

    An error in it is raised by `result`, and in what awaits it; if its result is never read,
    there is a RuntimeWarning when the task is thrown away.
    """

    def __init__(self, coroutine: Coroutine[Any, Any, Value]) -> None:
        """Start a program; it runs to where it first waits."""
        super().__init__()
        self._coroutine = coroutine
        self._heard = self._running = False
        self._awaited: Future[Any] | None = None
        self._raised: Cancelled | None = None
        self._proceed()

    def __del__(self) -> None:
        if self._error is not None and not (self._heard or isinstance(self._error, Cancelled)):
            warnings.warn(
                f'a task that nobody awaited has failed: {self._error!r}', RuntimeWarning, 2
            )

    def result(self) -> Value:
        """Return what the program returns; raise its error, RuntimeError before the end."""
        self._heard = True
        return super().result()

    def cancel(self) -> None:
        """Raise `Cancelled` in a program where it waits; a command that it awaits goes on.

        It may await still what it cleans up with, and has its end after that.
        """
        if self.done:
            return
        error = Cancelled('the task was cancelled')
        if self._running:
            self._raised = error
        else:
            if self._awaited is not None:
                self._awaited.forget(self._proceed)
            self._proceed(error)

    def _proceed(self, error: BaseException | None = None) -> None:
        """Run to where the program waits next, by way of an error that is raised in it."""
        try:
            awaited = self._run(error)
            while self._raised is not None or not isinstance(awaited, Future):
                error, self._raised = self._raised or _foreign(awaited), None
                awaited = self._run(error)
        except StopIteration as end:
            self._finish(end.value, None)
        except (Exception, Cancelled) as found:
            self._finish(None, found)
        else:
            self._awaited = awaited
            awaited.when_done(self._proceed)

    def _run(self, error: BaseException | None) -> Any:
        self._awaited, self._running = None, True
        try:
            return self._coroutine.throw(error) if error else self._coroutine.send(None)
        finally:
            self._running = False


def _foreign(awaited: Any) -> TypeError:
    return TypeError(
        'a program awaits commands, tasks and robot.wait(ticks) only, not things of asyncio or '
        f'others ({awaited!r:.40})'
    )


def errors_of(listeners: Iterable[Callable[..., None]], *arguments: Any) -> list[BaseException]:
    """Call all that listen, with some arguments; return the errors that they raised."""
    errors: list[BaseException] = []
    for listener in listeners:
        try:
            listener(*arguments)
        except (Exception, Cancelled) as error:
            errors.append(error)
    return errors


def raise_first(errors: Sequence[BaseException]) -> None:
    """Raise the first of some errors, if there are any."""
    if errors:
        raise errors[0]


def first_of(*futures: Future[Any]) -> Future[int]:
    """Return which of some futures has its value first; tasks that lose are cancelled (pursue)."""
    found: Future[int] = Future()
    winner: list[int] = []

    def win(index: int) -> None:
        if winner:
            return
        winner.append(index)
        for other, future in enumerate(futures):
            future.forget(callbacks[other])
            if other != index and isinstance(future, Task):
                future.cancel()
        found.resolve(index)

    callbacks = [partial(win, index) for index in range(len(futures))]
    for future, callback in zip(futures, callbacks, strict=True):
        future.when_done(callback)
    return found


def all_of(*futures: Future[Any]) -> Future[tuple[Any, ...]]:
    """Return the values of some futures when all are there (par)."""
    found: Future[tuple[Any, ...]] = Future()
    left = [len(futures)]

    def one_more() -> None:
        left[0] -= 1
        if left[0] > 0:
            return
        values: list[Any] = []
        errors: list[BaseException] = []
        # Each result is read, so that no failed task warns that it was not awaited.
        for future in futures:
            try:
                values.append(future.result())
            except (Exception, Cancelled) as error:
                errors.append(error)
        if errors:
            found.fail(errors[0])
        else:
            found.resolve(tuple(values))

    if not futures:
        found.resolve(())
    for future in futures:
        future.when_done(one_more)
    return found
