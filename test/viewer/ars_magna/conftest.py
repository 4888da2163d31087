"""Return the tests of the page a robot that tracks a thing, in a world of four rows."""

import math

import numpy as np
import pytest

from walking_robots.viewer.ars_magna.state import (
    ArsView,
    DesignatorView,
    GroundView,
    MessageView,
    PartView,
    PlacesView,
    ProgramView,
    RobotView,
    RunView,
    ThingView,
    WorldPicture,
)


@pytest.fixture
def ground() -> GroundView:
    """Return a map of 4 rows and 6 columns, with two walls of different stuff in the top row."""
    filled = np.zeros((4, 6), dtype=bool)
    filled[0, 1:3] = True
    brightness = np.zeros((4, 6))
    brightness[0, 2] = 1.0
    return GroundView(filled, brightness, (PlacesView('doorway', ((5, 0), (4, 3))),))


@pytest.fixture
def picture() -> WorldPicture:
    """Return tick 40: robbie at (2, 1) looks down, and its first camera tracks the lamp."""
    cameras = (
        PartView(0.25, math.pi / 4, 3, 'non-local', 'LAMP#1', 2.5, '', (16.0, 54.2)),
        PartView(0.0, math.pi / 2, inside='robbie/bin/0'),
    )
    robot = RobotView(
        'robbie',
        2.0,
        1.0,
        math.pi / 2,
        cameras,
        (PartView(contents=('PEN#2',), inside='robbie/bin/0'), PartView()),
        (PartView(contents=('BOX#4',)), PartView(closed=True)),
        (
            DesignatorView(3, 'non-local', 0.3, 'LAMP#1', (('color', 'red'), ('size', '2.1'))),
            DesignatorView(5, 'local', -1.0, 'FALSE', (('size', '9.0'),)),
        ),
    )
    things = (
        ThingView('LAMP#1', 3.0, 3.0, 2.0, 'lightred'),
        ThingView('SMALL-BOX#3', 3.0, 3.0, 5.0, 'lightblue'),
        ThingView('BIG-BOX#5', 5.0, 2.0, 12.0, 'red', obsmove=True, obsview=True),
    )
    messages = (
        MessageView('message', '', 'it began', 0),
        MessageView('error', 'robbie', 'that is <wrong>', 39),
    )
    return WorldPicture(40, (robot,), things, messages)


@pytest.fixture
def view(picture: WorldPicture) -> ArsView:
    """Return a view in which a program runs."""
    run = RunView('persistent', 'runs', 12, 'camera 0: track has begun', 'color=red')
    programs = (ProgramView('fetch', 'as printed'), ProgramView('persistent', 'again and again'))
    return ArsView(picture, run, programs, ('big_room', 'house'), 'careful')
