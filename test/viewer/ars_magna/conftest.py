"""Return the tests of the page a robot that tracks a thing, in a world of four rows."""

import math

import numpy as np
import pytest

from walking_robots.viewer.ars_magna.state import (
    ArsView,
    Bin,
    Camera,
    Designator,
    Ground,
    Hand,
    Message,
    Picture,
    Places,
    Program,
    Robot,
    Run,
    Thing,
)


@pytest.fixture
def ground() -> Ground:
    """Return a map of 4 rows and 6 columns, with two walls of different stuff in the top row."""
    filled = np.zeros((4, 6), dtype=bool)
    filled[0, 1:3] = True
    brightness = np.zeros((4, 6))
    brightness[0, 2] = 1.0
    return Ground(filled, brightness, (Places('doorway', ((5, 0), (4, 3))),))


@pytest.fixture
def picture() -> Picture:
    """Return tick 40: robbie at (2, 1) looks down, and its first camera tracks the lamp."""
    cameras = (
        Camera(0.25, math.pi / 4, 3, 'non-local', 'LAMP#1', 2.5, '', (16.0, 54.2)),
        Camera(0.0, math.pi / 2, inside='robbie/bin/0'),
    )
    robot = Robot(
        'robbie',
        2.0,
        1.0,
        math.pi / 2,
        cameras,
        (Hand('PEN#2', 'robbie/bin/0'), Hand()),
        (Bin(contents=('BOX#4',)), Bin(closed=True)),
        (
            Designator(3, 'non-local', 0.3, 'LAMP#1', (('color', 'red'), ('size', '2.1'))),
            Designator(5, 'local', -1.0, 'FALSE', (('size', '9.0'),)),
        ),
    )
    things = (
        Thing('LAMP#1', 3.0, 3.0, 2.0, 'lightred'),
        Thing('SMALL-BOX#3', 3.0, 3.0, 5.0, 'lightblue'),
        Thing('BIG-BOX#5', 5.0, 2.0, 12.0, 'red', obsmove=True, obsview=True),
    )
    messages = (
        Message('message', '', 'it began', 0),
        Message('error', 'robbie', 'that is <wrong>', 39),
    )
    return Picture(40, (robot,), things, messages)


@pytest.fixture
def view(picture: Picture) -> ArsView:
    """Return a view in which a program runs."""
    run = Run('persistent', 'runs', 12, 'camera 0: track has begun', 'color=red')
    programs = (Program('fetch', 'as printed'), Program('persistent', 'again and again'))
    return ArsView(picture, run, programs, ('big_room', 'house'), 'careful')
