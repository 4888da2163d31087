"""Check what the pages send, before anything acts on it."""

import logging
import math
import reprlib
import time
from collections.abc import Iterator
from typing import Annotated, Any

import msgspec
import viser
from viser import _messages as messages

LONGEST_TEXT = 100_000
"""Characters of a text field; a motion program is a few thousand."""
MOST_OFTEN = 0.002
"""Least time, s, between two messages of a visitor; a page sends some hundred a second at most."""
QUIET = 5.0
"""Least wall time, s, between two warnings."""

_ACCEPTED = {
    kind.__name__: kind
    for kind in (
        messages.ViewerCameraMessage,
        messages.GuiUpdateMessage,
        messages.ScenePointerMessage,
        messages.TransformControlsDragStartMessage,
        messages.TransformControlsUpdateMessage,
        messages.TransformControlsDragEndMessage,
    )
}
"""What pages have to send; the library knows more, such as to publish a page on the internet."""

Share = Annotated[float, msgspec.Meta(ge=-1.0, le=1.0)]


class PageAnswer(msgspec.Struct, forbid_unknown_fields=True):
    """What a page answers to its heartbeat: the time of the question, s, and what a person does.

    drive: velocities that are held, as shares of the robot's limits; stop: end every motion.
    """

    time: float
    drive: tuple[Share, Share, Share] = (0.0, 0.0, 0.0)
    stop: bool = False


_log = logging.getLogger(__name__)


class MessageFilter:
    """Accepts messages that a page can send: known, well-formed, and with values within limits.

    The browser has the same limits, but whatever reaches the server need not come from its page.
    """

    def __init__(self, gui: viser.GuiApi) -> None:
        """Check values against the widgets of `gui` as they are now."""
        self._gui = gui
        self._warned = -math.inf

    def accepts(self, raw: object) -> bool:
        """Return whether to pass a message on; warn of one that is dropped, but not of each."""
        try:
            self._check(raw)
        except (ValueError, msgspec.MsgspecError, RecursionError) as error:
            if time.monotonic() - self._warned >= QUIET:
                self._warned = time.monotonic()
                _log.warning('a message to the page was dropped: %s', error)
            return False
        return True

    def _check(self, raw: object) -> None:
        """Raise ValueError or MsgspecError for a message that no page sends."""
        if not isinstance(raw, bytes):
            raise ValueError('it is a text')
        fields = msgspec.msgpack.decode(raw, type=dict[str, Any])
        kind = _ACCEPTED.get(str(fields.pop('type', None)))
        if kind is None:
            raise ValueError('it is of no kind that a page sends')
        message = msgspec.convert(fields, kind)
        if not fields.keys() <= vars(message).keys():
            raise ValueError(f'{kind.__name__} has unknown fields')
        if not all(map(math.isfinite, _numbers(fields))):
            raise ValueError(f'{kind.__name__} has a number that is not finite')
        if isinstance(message, messages.GuiUpdateMessage):
            self._check_update(message)

    def _check_update(self, update: messages.GuiUpdateMessage) -> None:
        """Raise ValueError unless a widget takes a value."""
        if update.updates.keys() != {'value'}:
            raise ValueError('only the value of a widget can be set')
        handle = self._gui._gui_input_handle_from_uuid.get(update.uuid)
        if handle is None:
            raise ValueError('there is no such widget')
        value = update.updates['value']
        if handle.disabled or not _takes(handle, value):
            name = getattr(handle, 'label', type(handle).__name__)
            raise ValueError(f'{name!r} does not take {reprlib.repr(value)} now')


def _takes(handle: Any, value: Any) -> bool:
    """Return whether a widget takes a value; a kind that no page uses takes none."""
    match handle:
        case viser.GuiSliderHandle() | viser.GuiNumberHandle():
            # JavaScript writes whole numbers as integers.
            kinds = (int,) if type(handle.value) is int else (int, float)
            return type(value) in kinds and _is_within(value, handle.min, handle.max)
        case viser.GuiCheckboxHandle() | viser.GuiButtonHandle():
            return isinstance(value, bool)
        case viser.GuiDropdownHandle() | viser.GuiButtonGroupHandle():
            return isinstance(value, str) and value in handle.options
        case viser.GuiTextHandle():
            return isinstance(value, str) and len(value) <= LONGEST_TEXT
    return False


def _is_within(value: float, low: float | None, high: float | None) -> bool:
    """Return whether a number is within limits, but for an error of rounding."""
    low, high = -math.inf if low is None else low, math.inf if high is None else high
    return low <= value <= high or math.isclose(min(max(value, low), high), value, abs_tol=1e-9)


def _numbers(value: object) -> Iterator[float]:
    """Yield all floats in nested dictionaries and lists."""
    if isinstance(value, float):
        yield value
    elif isinstance(value, dict | list):
        for found in value.values() if isinstance(value, dict) else value:
            yield from _numbers(found)
