"""Return the tests of the page of the bipeds a moment of a walk."""

import pytest

from walking_robots.viewer.biped.state import BipedSettings, BipedView, Left


@pytest.fixture
def lowering() -> BipedView:
    """Return KWALKB on its right leg while the left one is lowered, over ground at 0.1 m."""
    return BipedView(
        time=4.2,
        settings=BipedSettings('b', 'slope:20deg', 0, 'tuned', 'up'),
        x=1.5,
        z=0.65,
        pitch=0.05,
        joints={'rhip': -0.3, 'rknee': 0.7, 'lhip': -0.6, 'lknee': 0.8},
        efforts=(-3.0, -11.0, 0.5, 20.0),
        height=0.55,
        speed=0.35,
        felt_height=0.54,
        felt_speed=0.33,
        desired_speed=0.4,
        state=7,
        left=(Left(4.15, 5, 'clear'), Left(4.19, 6, 'far enough')),
        lengths=(0.56, 0.52),
        angles=(0.1, -0.15),
        contacts=(True, False),
        feet=((1.44, 0.1), (1.58, 0.14)),
        forces=((30.0, 90.0), (0.0, 0.0)),
        friction=(0.61, float('nan')),
    )
