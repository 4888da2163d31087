"""The centre of gravity of a robot on articulated legs."""

import numpy as np
import pytest

from walking_robots.body.mass_centre import mass_centre
from walking_robots.robots.articulated import Masses


def test_links_weigh_in_their_middles_and_the_body_at_its_origin():
    points = np.zeros((6, 4, 3))
    assert mass_centre(Masses(2.0, 0.1, 0.2, 0.3), points) == (0.0, 0.0, 0.0)
    points[0] = [(1.0, 0.0, 0.0), (2.0, 0.0, 0.0), (2.0, 2.0, 0.0), (2.0, 2.0, -3.0)]
    masses = Masses(4.0, 1.0, 2.0, 3.0)
    moment = np.array((1 * 1.5 + 2 * 2 + 3 * 2, 2 * 1 + 3 * 2, 3 * -1.5))
    assert mass_centre(masses, points) == pytest.approx(moment / masses.total)
