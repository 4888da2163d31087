"""Lay out what is true as tables of text (ars_magna.md §5.4)."""

from collections.abc import Iterable, Mapping, Sequence

from walking_robots.ars_magna.sensing.attributes import Substance, Value
from walking_robots.ars_magna.simulation.snapshots import (
    BinSnapshot,
    CameraSnapshot,
    DesignatorSnapshot,
    HandSnapshot,
    RobotSnapshot,
    ThingSnapshot,
)


def cameras_table(robot: str, cameras: Sequence[CameraSnapshot]) -> list[str]:
    """Return a line for each camera; angles are not normalised."""
    return _table(
        ('Camera', 'Field', 'Resolution', 'Angle', 'Location', 'Tracks'),
        (
            (
                str(camera.index),
                f'{camera.fov:.2f}',
                str(camera.resolution),
                f'{camera.angle:.2f}',
                location_of(robot, camera.inside),
                'nothing' if camera.tracks is None else _tracked(camera.tracks),
            )
            for camera in cameras
        ),
    )


def hands_table(robot: str, hands: Sequence[HandSnapshot]) -> list[str]:
    """Return a line for each hand."""
    return _table(
        ('Hand', 'Strength', 'Holds', 'Location'),
        (
            (
                str(hand.index),
                f'{hand.strength:g}',
                hand.held or 'nothing',
                location_of(robot, hand.inside),
            )
            for hand in hands
        ),
    )


def bins_table(bins: Sequence[BinSnapshot]) -> list[str]:
    """Return a line for each bin: how much fits in all, how much now, and what is inside."""
    return _table(
        ('Bin', 'Status', 'Total', 'Current', 'Contents'),
        (
            (
                str(found.index),
                'closed' if found.closed else 'open',
                f'{found.capacity:g}',
                f'{found.free:.1f}',
                ', '.join(found.contents) or 'nothing',
            )
            for found in bins
        ),
    )


def things_table(robot: str, things: Sequence[ThingSnapshot]) -> list[str]:
    """Return a line for each thing."""
    return _table(
        ('Thing', 'X', 'Y', 'In', 'Attributes'),
        (
            (
                thing.label,
                f'{thing.x:.2f}',
                f'{thing.y:.2f}',
                location_of(robot, thing.inside, '-'),
                _attributes(thing.attributes),
            )
            for thing in things
        ),
    )


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
    return lines + _table(
        ('Designator', 'Type', 'Distance', 'Angle', 'Denotes', 'Data'),
        (
            (
                str(found.number),
                found.type,
                f'{found.distance:.2f}',
                f'{found.angle:.2f}',
                found.denotation,
                found.data if isinstance(found.data, str) else _attributes(found.data),
            )
            for found in state.designators
        ),
    )


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


def _table(heads: Sequence[str], rows: Iterable[Sequence[str]]) -> list[str]:
    """Lay out columns: numbers to the right, as their heads."""
    cells = [heads, *rows]
    columns = list(zip(*cells, strict=True))
    widths = [max(map(len, column)) for column in columns]
    to_right = [len(column) > 1 and all(map(_is_number, column[1:])) for column in columns]
    return [
        '  '.join(
            cell.rjust(width) if right else cell.ljust(width)
            for cell, width, right in zip(row, widths, to_right, strict=True)
        ).rstrip()
        for row in cells
    ]


def _is_number(text: str) -> bool:
    return text.removeprefix('-').replace('.', '', 1).isdigit()
