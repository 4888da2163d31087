"""Lines for cameras (ars_magna.md §5.3, K14 to K17, K20 and K25)."""

from collections.abc import Sequence

from walking_robots.ars_magna.agent.handles import Designator
from walking_robots.ars_magna.console.locating import inserted, removed
from walking_robots.ars_magna.console.session import Ended, Operation

CAMERA = 'camera'


def _found(end: Ended) -> str:
    value = end.outcome.value
    found: Sequence[Designator] = value if isinstance(value, tuple) else (value,)
    numbers = ', '.join(str(designator.number) for designator in found)
    plural = 's' if len(found) > 1 else ''
    return f'camera {end.arguments[0].index} found designator{plural} {numbers}'


def _camera_turned(end: Ended) -> str:
    return f'camera {end.arguments[0].index} turned by about {end.outcome.value:.2f}'


LOOKING = (
    Operation(
        'obj-desig',
        CAMERA,
        ('cam', 'type', 'specs'),
        'Search for a thing, local or non-local, that fits specifications.',
        lambda desk, camera, type, specs: camera.get_object_designator(type, specs),
        _found,
    ),
    Operation(
        'all-obj-desig',
        CAMERA,
        ('cam', 'type', 'specs'),
        'Search for all things that fit specifications.',
        lambda desk, camera, type, specs: camera.get_all_object_designators(type, specs),
        _found,
    ),
    Operation(
        'place-desig',
        CAMERA,
        ('cam', 'place'),
        'Search for a place of a type, such as doorway.',
        lambda desk, camera, place: camera.get_place_designator(place),
        _found,
    ),
    Operation(
        'all-place-desig',
        CAMERA,
        ('cam', 'place'),
        'Search for all places of a type.',
        lambda desk, camera, place: camera.get_all_place_designators(place),
        _found,
    ),
    Operation(
        'cam-track',
        CAMERA,
        ('cam', 'desig'),
        'Keep a camera pointed at what a designator means.',
        lambda desk, camera, designator: camera.track(designator),
        lambda end: f'camera {end.arguments[0].index} tracks designator {end.arguments[1].number}',
        lasts=True,
    ),
    Operation(
        'cam-untrack',
        CAMERA,
        ('cam',),
        'End the track of a camera.',
        lambda desk, camera: camera.untrack(),
        lambda end: f'camera {end.arguments[0].index} tracks nothing',
    ),
    Operation(
        'cam-turn',
        CAMERA,
        ('cam', 'angle'),
        'Turn a camera by an angle, rad, clockwise.',
        lambda desk, camera, angle: camera.turn(angle),
        _camera_turned,
    ),
    Operation(
        'cam-align-robot',
        CAMERA,
        ('cam',),
        'Point a camera ahead.',
        lambda desk, camera: camera.align_robot(),
        _camera_turned,
    ),
    Operation(
        'cam-align-place',
        CAMERA,
        ('cam',),
        'Point a camera along the nearest direction of the place.',
        lambda desk, camera: camera.align_place(),
        lambda end: f'{_camera_turned(end)}, the place is {end.outcome.values[1]}',
    ),
    Operation(
        'cam-insert-desig',
        CAMERA,
        ('cam',),
        'Put a camera into the thing that it tracks.',
        lambda desk, camera: camera.insert(desk.tracked(camera)),
        inserted,
    ),
    Operation(
        'cam-insert-bin',
        CAMERA,
        ('cam', 'bin'),
        'Put a camera into a bin.',
        lambda desk, camera, bin: camera.insert(bin),
        inserted,
    ),
    Operation(
        'cam-remove',
        CAMERA,
        ('cam',),
        'Take a camera out of what it is in.',
        lambda desk, camera: camera.remove(),
        removed,
    ),
    Operation(
        'view',
        CAMERA,
        ('cam',),
        'Look through a camera.',
        lambda desk, camera: camera.view(),
        lambda end: (
            f'camera {end.arguments[0].index} sees '
            + ' '.join(f'{pixel:.2f}' for pixel in end.outcome.value)
        ),
    ),
)
