"""A moved object found by sonar alone: how often, where, and not at all where nothing moved."""

import math
from collections.abc import Sequence
from random import Random
from typing import NamedTuple

import numpy as np
import pytest

from walking_robots.geometry.se2 import ORIGIN, Pose2
from walking_robots.mdle.cartographer.beam_background import BeamBackground
from walking_robots.mdle.cartographer.moved_object import Beam, MovedObject, ObjectNews
from walking_robots.simulation.planar.kinematic import KinematicRobot
from walking_robots.virtual_robots.scout import scout_spec
from walking_robots.worlds.moving_disc import Jump
from walking_robots.worlds.world import World

SCOUT = scout_spec()
BEARINGS = SCOUT.outputs['sonar'].directions
FAR = SCOUT.outputs['sonar'].high
TICK = 50_000_000
SECOND = 1_000_000_000
RING = 960_000_000


def room(width: float, height: float, cell: float = 0.05) -> World:
    cells = np.zeros((round(height / cell), round(width / cell)), bool)
    none = np.full(cells.shape, -1)
    corner = (-0.5 * width, -0.5 * height)
    return World('room', cell, cells, none, np.zeros(cells.shape), (), corner)


WALLED, OPEN = room(8.0, 7.0), room(30.0, 30.0, 0.25)


class Watch:
    """A robot that watches with its sonars; ``news`` is the last that was reported."""

    def __init__(self, world: World, script: Sequence[Jump], heading: float, rng: Random) -> None:
        self.robot = KinematicRobot(
            SCOUT,
            Pose2(0.0, 0.0, heading),
            world=world,
            beam_rays=9,
            sonar_noise=0.02,
            object_script=script,
            rng=rng,
        )
        self.detector, self.now = MovedObject(), 0
        self.news: ObjectNews

    def look(self, seconds: float, twist: tuple[float, float] = (0.0, 0.0)) -> float | None:
        """Let time pass; give when something was reported first, s."""
        reported = None
        for _ in range(round(seconds * SECOND / TICK)):
            self.robot.apply('body2', twist, 0.1)
            self.now += TICK
            values = self.robot.read(self.now).values
            fired = set(self.robot.fired)
            beams = [
                Beam(bearing, distance, number in fired)
                for number, (bearing, distance) in enumerate(
                    zip(BEARINGS, values['sonar'], strict=True)
                )
            ]
            self.news = self.detector.step(self.now, values['pose'], values['twist.w'], beams)
            if reported is None and self.news.valid:
                reported = self.now / SECOND
        return reported


class Found(NamedTuple):
    delay: float
    previous: float
    position: float


def jump_aside(world: World, away: float, aside: float, seed: int) -> Found | None:
    """Let an object jump across the line of sight; give delay, s, and errors, m."""
    rng = Random(seed)
    heading, bearing = rng.uniform(-3.1, 3.1), rng.uniform(-3.1, 3.1)
    along, across = (math.cos(bearing), math.sin(bearing)), (-math.sin(bearing), math.cos(bearing))
    old = (away * along[0], away * along[1])
    new = (old[0] + aside * across[0], old[1] + aside * across[1])
    watch = Watch(world, [Jump(0.0, *old), Jump(5.0, *new)], heading, rng)
    reported = watch.look(12.0)
    if reported is None:
        return None
    news = watch.news
    return Found(reported - 5.0, math.dist(news.previous, old), math.dist(news.position, new))


@pytest.mark.parametrize('world', [WALLED, OPEN], ids=['walled', 'open'])
@pytest.mark.parametrize(
    ('away', 'aside', 'rate'),
    [(1.2, 0.5, 0.75), (1.2, 1.0, 1.0), (2.0, 1.0, 1.0), (2.5, 1.0, 0.75)],
)
def test_most_moves_aside_are_found_and_where_they_began(
    world: World, away: float, aside: float, rate: float
) -> None:
    found = [result for seed in range(8) if (result := jump_aside(world, away, aside, seed))]
    assert len(found) >= 8 * rate
    assert all(0.0 < result.delay < 6.0 for result in found)
    # Half a beam, 11 degrees, is what one sonar leaves open.
    assert max(result.previous for result in found) < 0.2 * away + 0.1
    assert np.median([result.previous for result in found]) < 0.2
    assert np.median([result.position for result in found]) < 0.3


def test_a_walk_is_found_and_reported_from_where_it_began() -> None:
    script = [Jump(0.0, 1.5, -0.6)]
    script += [Jump(6.0 + 0.1 * k, 1.5, -0.6 + 0.03 * k) for k in range(1, 41)]
    watch = Watch(WALLED, script, 0.2, Random(1))
    assert watch.look(5.9) is None
    reported = watch.look(10.0)
    assert reported is not None and reported < 11.0
    assert math.dist(watch.news.previous, (1.5, -0.6)) < 0.3
    assert math.dist(watch.news.position, (1.5, 0.6)) < 0.4
    assert watch.news.shift > 0.8


def test_nothing_is_reported_where_nothing_moves() -> None:
    for seed, world in enumerate((WALLED, OPEN)):
        watch = Watch(world, [Jump(0.0, 1.5, 1.0)], 0.4, Random(seed))
        assert watch.look(120.0) is None


def test_the_robots_own_motion_moves_nothing_and_news_end_with_it() -> None:
    watch = Watch(WALLED, [Jump(0.0, 1.5, 0.0), Jump(20.0, 1.5, 1.2)], 0.0, Random(2))
    assert watch.look(4.0) is None
    assert watch.look(3.0, (0.0, 0.5)) is None
    assert watch.look(4.0) is None
    assert watch.look(4.0, (-0.2, 0.0)) is None
    assert watch.look(5.0) is None
    assert watch.look(6.0) is not None
    assert watch.news.shift > 0.5
    watch.look(0.3, (0.2, 0.0))
    assert not watch.news.valid and watch.news.shift == 0.0
    # What has already been told is background when the robot stands again.
    assert watch.look(10.0) is None


def feed(detector: MovedObject, ring: int, ranges: dict[int, float]) -> ObjectNews:
    beams = [Beam(bearing, ranges.get(k, math.inf), True) for k, bearing in enumerate(BEARINGS)]
    return detector.step(ring * RING, ORIGIN, 0.0, beams)


@pytest.mark.parametrize(('first', 'second'), [({0: 2.0}, {}), ({}, {0: 2.0})])
def test_what_only_comes_or_only_goes_is_not_reported(
    first: dict[int, float], second: dict[int, float]
) -> None:
    detector = MovedObject()
    for ring in range(4):
        feed(detector, ring, first)
    assert not any(feed(detector, ring, second).valid for ring in range(4, 20))


def test_nothing_pairs_with_what_went_long_ago() -> None:
    for pause, reported in ((2, True), (16, False)):
        detector = MovedObject()
        for ring in range(4):
            feed(detector, ring, {0: 2.0})
        for ring in range(4, 4 + pause):
            feed(detector, ring, {})
        news = [feed(detector, 4 + pause + ring, {8: 2.0}).valid for ring in range(5)]
        assert any(news) == reported


def test_one_odd_reading_is_a_flicker() -> None:
    detector = MovedObject()
    for ring in range(4):
        feed(detector, ring, {0: 2.0})
    assert not feed(detector, 4, {4: 2.0}).valid
    assert not any(feed(detector, ring, {0: 2.0}).valid for ring in range(5, 9))
    # Now both are known: the first for not being reliable.
    assert not any(feed(detector, ring, {4: 2.0}).valid for ring in range(9, 14))


def test_the_place_lies_between_the_beams_that_hear_it_and_beyond_the_rim() -> None:
    detector = MovedObject(ring_radius=0.2, object_radius=0.3)
    for ring in range(4):
        feed(detector, ring, {0: 1.5, 1: 1.5})
    feed(detector, 4, {4: 1.0})
    news = feed(detector, 5, {4: 1.0})
    middle = 0.5 * BEARINGS[1]
    assert news.previous == pytest.approx((2.0 * math.cos(middle), 2.0 * math.sin(middle)))
    assert news.position == pytest.approx((0.0, 1.5), abs=1e-9)
    assert news.shift == pytest.approx(math.dist(news.previous, news.position))


def test_a_thing_between_two_beams_may_leave_or_enter_one_of_them() -> None:
    for first, second, patience in (
        ({0: 1.5, 1: 1.5}, {1: 1.5}, 3),
        ({1: 1.5}, {0: 1.5, 1: 1.5}, 5),
    ):
        detector = MovedObject()
        for ring in range(4):
            feed(detector, ring, first)
        reported = [feed(detector, ring, second).valid for ring in range(4, 12)]
        assert reported.index(True) < patience


def test_stale_readings_count_for_nothing() -> None:
    detector = MovedObject()
    for ring in range(4):
        feed(detector, ring, {0: 2.0})
    stale = [Beam(bearing, 1.0, False) for bearing in BEARINGS]
    for ring in range(4, 10):
        assert not detector.step(ring * RING, ORIGIN, 0.0, stale).valid


def test_a_beam_learns_and_shows_a_lasting_change() -> None:
    beam = BeamBackground()
    for distance in (2.0, 2.05, 1.97):
        beam.hear(distance, 0)
    assert beam.usual == 2.0 and beam.change == ''
    beam.hear(FAR, 7)
    assert (beam.change, beam.since, beam.lasts) == ('', 7, 1)
    beam.hear(FAR, 8)
    assert (beam.change, beam.since, beam.lasts) == ('farther', 7, 2)
    beam.hear(2.02, 9)
    assert (beam.change, beam.lasts, beam.usual) == ('', 0, 2.0)
    for distance in (1.2, 1.25):
        beam.hear(distance, 10)
    assert beam.change == 'nearer' and beam.last == pytest.approx(1.225)


def test_a_beam_that_flickers_does_not_count_as_gone() -> None:
    beam = BeamBackground()
    for distance in (2.0, FAR, 2.0):
        beam.hear(distance, 0)
    assert beam.usual is None
    late = BeamBackground()
    for distance in (2.0, 2.0, 2.0, FAR, 2.0):
        late.hear(distance, 0)
    assert late.usual == 2.0 and not late.steady
    for each in (beam, late):
        for distance in (FAR, FAR, FAR, 2.0):
            each.hear(distance, 1)
            assert each.change == ''
