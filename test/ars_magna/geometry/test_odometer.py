"""Odometers of ars_magna.md §2.2, §7.5: T06 to T08, T10 of §11.1, T32, T33 of §11.3."""

import math
import statistics
from random import Random
from typing import Literal

import pytest

from walking_robots.ars_magna.geometry.interval import Interval
from walking_robots.ars_magna.geometry.odometer import IntervalOdometer, motion_interval
from walking_robots.ars_magna.geometry.point import Point

Mode = Literal['random', 'sound']
MODES: tuple[Mode, ...] = ('random', 'sound')


class Walker:
    """A robot that moves and turns with the noise of §7.5, and its odometer."""

    def __init__(
        self, random: Random, mode: Mode, noise: float = 0.1, turn_noise: float = 0.01
    ) -> None:
        self.random, self.mode, self.noise, self.turn_noise = random, mode, noise, turn_noise
        self.odometer = IntervalOdometer('main')
        self.x = self.y = self.heading = 0.0

    def move(self, speed: float, reached: float = 1.0) -> None:
        true = speed * self.random.uniform(1.0 - self.noise, 1.0 + self.noise) * reached
        self.x += true * math.cos(self.heading)
        self.y += true * math.sin(self.heading)
        self.odometer.moved(*motion_interval(true, speed, self.noise, self.mode, self.random))

    def turn(self, angle: float) -> None:
        true = angle * self.random.uniform(1.0 - self.turn_noise, 1.0 + self.turn_noise)
        self.heading += true
        self.odometer.turned(
            *motion_interval(true, angle, self.turn_noise, self.mode, self.random)
        )

    def is_found(self) -> bool:
        box, angle = self.odometer.position(), self.odometer.angle()
        return box.grow(1e-9).contains(Point(self.x, self.y)) and angle.grow(1e-9).contains(
            self.heading
        )


@pytest.mark.parametrize('mode', MODES)
def test_t06_the_truth_is_inside(mode: Mode) -> None:
    random, found = Random(6), 0
    for _ in range(500):
        walker = Walker(random, mode)
        for _ in range(60):
            if random.random() < 0.3:
                walker.turn(random.uniform(-math.pi / 8.0, math.pi / 8.0))
            else:
                walker.move(random.random(), reached=random.choice((1.0, 1.0, 0.2)))
        found += walker.is_found()
    assert found == 500


@pytest.mark.parametrize('mode', MODES)
def test_t06_with_the_noise_at_its_greatest(mode: Mode) -> None:
    random = Random(7)
    for _ in range(100):
        walker = Walker(random, mode, noise=1.0, turn_noise=1.0)
        for _ in range(30):
            walker.turn(random.uniform(-0.5, 0.5))
            walker.move(1.0)
        assert walker.is_found()


@pytest.mark.parametrize('mode', MODES)
def test_t07_a_clean_straight_run_is_known_exactly(mode: Mode) -> None:
    walker = Walker(Random(1), mode, noise=0.0, turn_noise=0.0)
    for _ in range(10):
        walker.move(1.0)
    box = walker.odometer.position()
    assert (box.x, box.y) == (Interval(10.0, 10.0), Interval(0.0, 0.0))
    assert walker.odometer.angle() == Interval(0.0, 0.0)


def test_t08_sound_intervals_are_as_wide_as_the_noise() -> None:
    walker = Walker(Random(1), 'sound')
    for _ in range(10):
        walker.move(1.0)
    x = walker.odometer.position().x
    assert (x.min, x.max) == pytest.approx((9.0, 11.0))


def test_t10_a_reset_of_the_angle_leaves_the_position_and_its_axes() -> None:
    walker = Walker(Random(3), 'random')
    walker.move(1.0)
    walker.turn(math.pi / 2.0)
    box = walker.odometer.position()
    walker.odometer.reset(position=False)
    assert walker.odometer.position() == box
    assert walker.odometer.angle() == Interval(0.0, 0.0)
    walker.move(1.0)
    assert walker.odometer.position().contains(Point(walker.x, walker.y))
    assert walker.odometer.position().y.min > 0.8


def test_a_reset_of_the_position_turns_its_axes_to_the_heading() -> None:
    odometer = IntervalOdometer('main')
    odometer.moved(1.0, 1.0)
    odometer.turned(1.0, 1.2)
    odometer.reset(angle=False)
    odometer.moved(1.0, 2.0)
    box = odometer.position()
    assert (box.x, box.y) == (Interval(1.0, 2.0), Interval(0.0, 0.0))
    assert odometer.angle() == Interval(1.0, 1.2)
    odometer.reset()
    assert odometer.position().width == odometer.angle().width == 0.0


@pytest.mark.parametrize(
    ('low', 'high', 'x', 'y'),
    [
        (-0.1, 0.1, (math.cos(0.1), 2.0), (-2.0 * math.sin(0.1), 2.0 * math.sin(0.1))),
        (1.5, 1.6, (2.0 * math.cos(1.6), 2.0 * math.cos(1.5)), (math.sin(1.5), 2.0)),
        (3.1, 3.2, (-2.0, math.cos(3.2)), (2.0 * math.sin(3.2), 2.0 * math.sin(3.1))),
        (-1.6, -1.5, (2.0 * math.cos(1.6), 2.0 * math.cos(1.5)), (-2.0, -math.sin(1.5))),
        (0.0, 7.0, (-2.0, 2.0), (-2.0, 2.0)),
        (-50.0, 50.0, (-2.0, 2.0), (-2.0, 2.0)),
        (40.0, 40.1, (2.0 * math.cos(40.1), math.cos(40.0)), (math.sin(40.1), 2 * math.sin(40.0))),
    ],
)
def test_the_box_of_a_move_has_every_heading_in_it(
    low: float, high: float, x: tuple[float, float], y: tuple[float, float]
) -> None:
    odometer = IntervalOdometer('main')
    odometer.turned(low, high)
    odometer.moved(1.0, 2.0)
    box = odometer.position()
    for k in range(100):
        heading = low + k * (high - low) / 99.0
        reached = Point(1.5 * math.cos(heading), 1.5 * math.sin(heading))
        assert box.grow(1e-12).contains(reached)
    assert (box.x.min, box.x.max, box.y.min, box.y.max) == pytest.approx((*x, *y))


def test_a_heading_that_is_known_makes_no_box() -> None:
    odometer = IntervalOdometer('main')
    odometer.turned(-2.0, -2.0)
    odometer.moved(3.0, 3.0)
    box = odometer.position()
    assert box.width == 0.0
    assert (box.x.min, box.y.min) == pytest.approx((3.0 * math.cos(2.0), -3.0 * math.sin(2.0)))


def test_an_interval_of_distances_may_reach_behind_the_robot() -> None:
    odometer = IntervalOdometer('main')
    odometer.turned(math.pi / 4.0, math.pi / 2.0)
    odometer.moved(-1.0, 2.0)
    box = odometer.position()
    cosine = math.cos(math.pi / 4.0)
    assert (box.x.min, box.x.max) == pytest.approx((-cosine, 2.0 * cosine))
    assert (box.y.min, box.y.max) == pytest.approx((-1.0, 2.0))


@pytest.mark.parametrize(
    ('true', 'nominal', 'expected'),
    [
        (1.05, 1.0, (0.9, 1.1)),
        (-1.05, -1.0, (-1.1, -0.9)),
        (0.3, 1.0, (0.0, 1.1)),
        (0.0, 1.0, (0.0, 1.1)),
        (-0.3, -1.0, (-1.1, 0.0)),
        (0.0, 0.0, (0.0, 0.0)),
        (1.2, 1.0, (0.9, 1.2)),
        (-1.2, -1.0, (-1.2, -0.9)),
    ],
)
def test_sound_intervals_of_a_tick(
    true: float, nominal: float, expected: tuple[float, float]
) -> None:
    assert motion_interval(true, nominal, 0.1, 'sound', Random(0)) == pytest.approx(expected)


@pytest.mark.parametrize(
    ('nominal', 'noise'), [(1.0, 0.1), (math.pi / 8.0, 0.01), (-math.pi / 8.0, 0.01)]
)
@pytest.mark.parametrize('mode', MODES)
def test_t32_t33_intervals_hold_every_distance_and_rotation(
    nominal: float, noise: float, mode: Mode
) -> None:
    random = Random(32)
    widths = []
    for _ in range(10_000):
        true = nominal * random.uniform(1.0 - noise, 1.0 + noise)
        low, high = motion_interval(true, nominal, noise, mode, random)
        assert low <= true <= high
        widths.append((high - low) / abs(nominal))
    # Two uniform shares of the noise, or all of it to either side.
    expected = noise if mode == 'random' else 2.0 * noise
    assert statistics.fmean(widths) == pytest.approx(expected, abs=4.1e-3 * noise * math.sqrt(6.0))
    assert max(widths) <= 2.0 * noise * (1.0 + 1e-9)
