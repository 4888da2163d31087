"""Elements that cannot be entered, because an argument is unset: they fail (mdle.md §4.12)."""

from walking_robots.mdle.execution.endings import Ending
from walking_robots.mdle.execution.faults import UnsetError
from walking_robots.mdle.execution.frame import Frame, Surroundings
from walking_robots.mdle.execution.live import Values
from walking_robots.mdle.execution.recording import Span
from walking_robots.mdle.language.ast import Step

__all__ = ['made']


class Unready(Frame):
    """What fails as soon as it is entered."""

    __slots__ = ('_text',)

    def __init__(self, around: Surroundings, why: UnsetError) -> None:
        """Take where it would have been, and why it is not."""
        super().__init__(around, why.place)
        self._text = why.text

    def start(self, y: Values, now: int) -> Ending:
        """Fail."""
        return Ending('fail', self.path, self.place, text=self._text)


def made(step: Step, around: Surroundings, last: Span | None) -> Frame:
    """Give the frame of a step, not entered yet; ``last``: what the step before it drove."""
    try:
        frame: Frame = around.core.make(step, around, last)
    except UnsetError as error:
        return Unready(around, error)
    return frame
