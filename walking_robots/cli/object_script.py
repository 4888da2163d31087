"""The script of an object that moves about, as a person writes it."""

from typing import TYPE_CHECKING, Any

import click

from walking_robots.geometry.units import parse_length, parse_time

if TYPE_CHECKING:
    from walking_robots.worlds.moving_disc import Jump

    _ParamType = click.ParamType[tuple[Jump, ...]]
else:
    # The click of a ROS distribution is older and not generic.
    _ParamType = click.ParamType

EXAMPLE = "write for example '0s 2m,0m; 1s 2m,1m; rest 1m,1m'"


class ObjectScript(_ParamType):
    """Jumps: when, a blank, and where to; ``rest`` is when the robot next comes to rest."""

    name = 'script'

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> 'tuple[Jump, ...]':
        """Return the jumps or refuse them in one sentence."""
        from walking_robots.worlds.moving_disc import ScriptedDisc

        if isinstance(value, tuple):
            return value
        try:
            jumps = tuple(_jump(part) for part in str(value).split(';') if part.strip())
            # Refuses what cannot be, such as jumps that go back in time.
            ScriptedDisc(1.0, jumps)
        except ValueError as error:
            self.fail(f'{error}; {EXAMPLE}', param, ctx)
        return jumps


def _jump(text: str) -> 'Jump':
    from walking_robots.worlds.moving_disc import Jump

    words = text.split(maxsplit=1)
    places = words[1].split(',') if len(words) == 2 else []
    if len(places) != 2:
        raise ValueError(f"'{text.strip()}' is no jump of the object")
    x, y = (parse_length(place.strip()) for place in places)
    return Jump('rest' if words[0] == 'rest' else parse_time(words[0]), x, y)
