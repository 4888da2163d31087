"""Lay out what is true as tables of text (ars_magna.md §5.4)."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeAlias

from walking_robots.ars_magna.sensing.attributes import Substance, Value
from walking_robots.ars_magna.simulation.snapshots import (
    BinSnapshot,
    CameraSnapshot,
    DesignatorSnapshot,
    HandSnapshot,
    RobotSnapshot,
    ThingSnapshot,
)

Columns: TypeAlias = Mapping[str, str | Callable[[Any], str]]
"""Heads of columns, and how an entry is written in each."""


def cameras_table(robot: str, cameras: Sequence[CameraSnapshot]) -> list[str]:
    """Return a line for each camera; angles are not normalised."""
    columns: Columns = {
        'Camera': '{.index}',
        'Field': '{.fov:.2f}',
        'Resolution': '{.resolution}',
        'Angle': '{.angle:.2f}',
        'Location': lambda camera: location_of(robot, camera.inside),
        'Tracks': lambda camera: 'nothing' if camera.tracks is None else _tracked(camera.tracks),
    }
    return _table(columns, cameras)


def hands_table(robot: str, hands: Sequence[HandSnapshot]) -> list[str]:
    """Return a line for each hand."""
    columns: Columns = {
        'Hand': '{.index}',
        'Strength': '{.strength:g}',
        'Holds': lambda hand: hand.held or 'nothing',
        'Location': lambda hand: location_of(robot, hand.inside),
    }
    return _table(columns, hands)


def bins_table(bins: Sequence[BinSnapshot]) -> list[str]:
    """Return a line for each bin: how much fits in all, how much now, and what is inside."""
    columns: Columns = {
        'Bin': '{.index}',
        'Status': lambda found: 'closed' if found.closed else 'open',
        'Total': '{.capacity:g}',
        'Current': '{.free:.1f}',
        'Contents': lambda found: ', '.join(found.contents) or 'nothing',
    }
    return _table(columns, bins)


def things_table(robot: str, things: Sequence[ThingSnapshot]) -> list[str]:
    """Return a line for each thing."""
    columns: Columns = {
        'Thing': '{.label}',
        'X': '{.x:.2f}',
        'Y': '{.y:.2f}',
        'In': lambda thing: location_of(robot, thing.inside, '-'),
        'Attributes': lambda thing: _attributes(thing.attributes),
    }
    return _table(columns, things)


def status_table(tick: int, state: RobotSnapshot) -> list[str]:
    """Return the lines of a robot after a tick: where it is, what it sees, its designators."""
    lines = [
        f'Tick:              {tick}',
        f'Position:          ({state.x:.2f}, {state.y:.2f})',
        f'Change:            {_motion(state.change)}',
        f'Estimated change:  {_motion(state.estimate)}',
        f'Angle:             {state.heading:.2f}',
        f'Speed:             {state.speed:.2f}',
        f'Turn angle:        {state.turn_angle:.2f}',
        *(
            f'View of camera {camera.index}:  ' + ' '.join(f'{pixel:.2f}' for pixel in camera.view)
            for camera in state.cameras
        ),
        f'Place:             {state.place or "none"}',
    ]
    if not state.designators:
        return [*lines, 'Designators:       none']
    columns: Columns = {
        'Designator': '{.number}',
        'Type': '{.type}',
        'Distance': '{.distance:.2f}',
        'Angle': '{.angle:.2f}',
        'Denotes': '{.denotation}',
        'Data': lambda found: (
            found.data if isinstance(found.data, str) else _attributes(found.data)
        ),
    }
    return lines + _table(columns, state.designators)


def location_of(robot: str, inside: str, nowhere: str = 'robot') -> str:
    """Say where a part or thing is: of the robot's own hands and bins without its name."""
    own = f'{robot}/'
    return inside.removeprefix(own).replace('/', ' ') if inside else nowhere


def written(value: Value) -> str:
    """Write the value of an attribute."""
    if isinstance(value, bool):
        return 'yes' if value else 'no'
    if isinstance(value, Substance):
        return f'{value.type} {value.parameter:g}'
    return f'{value:.4g}' if isinstance(value, float) else value


def _tracked(found: DesignatorSnapshot) -> str:
    return (
        f'{found.type} designator {found.number} at {found.distance:.2f}, {found.angle:.2f}: '
        f'{found.denotation}'
    )


def _motion(change: tuple[float, float]) -> str:
    return f'{change[0]:.2f} ahead, {change[1]:.2f} turned'


def _attributes(values: Mapping[str, Value]) -> str:
    return ', '.join(f'{name} {written(value)}' for name, value in values.items()) or 'none'


def _table(columns: Columns, entries: Sequence[Any]) -> list[str]:
    """Lay out columns: numbers to the right, as their heads."""
    cells: list[Sequence[str]] = [tuple(columns)]
    cells += [
        [form.format(entry) if isinstance(form, str) else form(entry) for form in columns.values()]
        for entry in entries
    ]
    texts = list(zip(*cells, strict=True))
    widths = [max(map(len, column)) for column in texts]
    to_right = [len(column) > 1 and all(map(_is_number, column[1:])) for column in texts]
    return [
        '  '.join(
            cell.rjust(width) if right else cell.ljust(width)
            for cell, width, right in zip(row, widths, to_right, strict=True)
        ).rstrip()
        for row in cells
    ]


def _is_number(text: str) -> bool:
    return text.removeprefix('-').replace('.', '', 1).isdigit()
