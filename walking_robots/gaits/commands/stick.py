"""The operator's stick on a keyboard: keys change velocities that hold (asv.md §5)."""

from collections.abc import Mapping

from walking_robots.body.motion import Command
from walking_robots.gaits.commands.steering import limit
from walking_robots.robots.model import CommandLimits

_FORWARD, _BACK = (1, 0, 0), (-1, 0, 0)
_LEFT, _RIGHT = (0, 1, 0), (0, -1, 0)
_TURN_LEFT, _TURN_RIGHT = (0, 0, 1), (0, 0, -1)

KEYS: Mapping[str, tuple[int, int, int]] = {
    'f': _FORWARD, 'b': _BACK, 'l': _LEFT, 'r': _RIGHT, '-': _TURN_LEFT, '=': _TURN_RIGHT,
    '\x1b[A': _FORWARD, '\x1b[B': _BACK, '\x1b[D': _TURN_LEFT, '\x1b[C': _TURN_RIGHT,
}  # fmt: skip
"""Key, or what a terminal sends for an arrow, to steps forward, to the left, and to turn left."""

HELP = (
    'f b     forward, back         (arrows up, down)\n'
    'l r     to the left, right\n'
    '- =     turn left, right      (arrows left, right)\n'
    'q       all to zero\n'
    'x       end'
)


class Stick:
    """Three velocities that keys move up and down."""

    def __init__(self, limits: CommandLimits) -> None:
        """Begin at rest."""
        self.ended = False
        self._limits = limits
        self._places = (0, 0, 0)

    @property
    def command(self) -> Command:
        """Return the command (vx, vy, wz), m/s and rad/s."""
        x, y, turn = self._places
        limits = self._limits
        steps = (limits.forward_step, limits.lateral_step, limits.turn_step)
        return limit((x * steps[0], y * steps[1], turn * steps[2]), limits)

    def press(self, key: str) -> None:
        """Act on a key; unknown keys do nothing."""
        if key == 'x':
            self.ended = True
        if key in ('q', 'x'):
            self._places = (0, 0, 0)
        elif key in KEYS:
            limits = self._limits
            most = (
                round(limits.forward / limits.forward_step),
                round(limits.lateral / limits.lateral_step),
                round(limits.turn / limits.turn_step),
            )
            x, y, turn = (
                max(-end, min(end, place + change))
                for place, change, end in zip(self._places, KEYS[key], most, strict=True)
            )
            self._places = (x, y, turn)

    def press_all(self, text: str) -> None:
        """Act on everything a terminal sent at once."""
        while text:
            length = 3 if text.startswith('\x1b[') else 1
            self.press(text[:length])
            text = text[length:]
