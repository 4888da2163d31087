"""The requests of pages and the keys for them, as plain data."""

from collections.abc import Callable, Collection
from dataclasses import dataclass
from typing import Literal, NamedTuple


def ignore(*_: object) -> None:
    """Do nothing: the default of a control."""


@dataclass(frozen=True)
class WalkControls:
    """Functions that a page calls from its own thread.

    walk: velocities, again whenever they change; pause: whether to hold the simulation; step: one
    tick of a held simulation; speed_of_time: times real time; reset: back to the start.
    """

    walk: Callable[..., None] = ignore
    stop: Callable[[], None] = ignore
    pause: Callable[[bool], None] = ignore
    step: Callable[[], None] = ignore
    speed_of_time: Callable[[float], None] = ignore
    reset: Callable[[], None] = ignore


Axis = Literal['ahead', 'left', 'turn']
AXES: tuple[Axis, ...] = ('ahead', 'left', 'turn')
"""What a robot may be driven along: m/s ahead and to the left, rad/s to the left."""


class KeyBinding(NamedTuple):
    """Keys, by KeyboardEvent.code, that drive a robot along an axis while one is held."""

    codes: tuple[str, ...]
    axis: Axis
    sign: int
    label: str
    words: str


KEYS = (
    KeyBinding(('KeyW', 'ArrowUp'), 'ahead', 1, 'W or ↑', 'ahead'),
    KeyBinding(('KeyS', 'ArrowDown'), 'ahead', -1, 'S or ↓', 'back'),
    KeyBinding(('KeyA', 'ArrowLeft'), 'turn', 1, 'A or ←', 'turn left'),
    KeyBinding(('KeyD', 'ArrowRight'), 'turn', -1, 'D or →', 'turn right'),
    KeyBinding(('KeyQ',), 'left', 1, 'Q', 'to the left'),
    KeyBinding(('KeyE',), 'left', -1, 'E', 'to the right'),
)

START_LABELS = ('Start walking', 'Start', 'Explore', 'Run')
"""Labels of the buttons that a narrow page repeats below the scene."""


def help_rows(axes: Collection[Axis] | None) -> list[tuple[str, str]]:
    """Return keys and what they do, for a robot that is driven along these axes.

    None: for a page that moves nothing.
    """
    rows = [('?', 'this help')]
    if axes is not None:
        rows.insert(0, ('Esc or space', 'stop: ends every motion'))
    if axes:
        rows += [
            *((key.label, f'{key.words}, while held') for key in KEYS if key.axis in axes),
            ('Shift', 'full speed; otherwise half of the limits'),
            ('Pad', 'drag the blue knob; released, it stops'),
            ('Gamepad', 'left stick ahead and turn, right stick aside, button B stops'),
        ]
    return rows
