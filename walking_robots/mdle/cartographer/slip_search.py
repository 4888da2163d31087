"""The pose of a robot that draws its own map, by a search for the slip of its wheels.

What a robot draws contains the error of its own pose, and fits that pose however wrong it is: no
filter of the study (§3) got there. But the slip is one constant factor a wheel (issue), and these
two numbers decide where the robot was at each time of the run. So the whole run is drawn again for
some slips about the best one. A parabola through how well its own echoes fit into each of these
maps gives a better slip and how well it is known: walls that were met twice are then drawn once.
Nothing is locked in, since each slip has a map of its own.
"""

import math
from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from walking_robots.geometry.se2 import Pose2
from walking_robots.mdle.cartographer.map_particles import Estimate, along_arc
from walking_robots.mdle.cartographer.occupancy_grid import LEAST, OccupancyGrid
from walking_robots.mdle.cartographer.range_likelihood import (
    HeardRanges,
    RangeModel,
    log_likelihoods,
    reference_of,
)
from walking_robots.mdle.cartographer.sonar_cone import ConeModel, hear

Floats = NDArray[np.float64]
Slip = tuple[float, float]
"""Shares by which the left and the right wheel go further than odometry says."""

FIRST = 20 * 16
"""Echoes after which the first search begins."""
GROWTH = 0.1
"""Share by which a run has to become longer before it is searched again."""
MOST = 20_000
"""Echoes that are kept: some 20 minutes of a ring of 16."""
ROUNDS = 3
"""Rounds of the first search; each later one begins near the best slip and needs one."""
RINGS = ((1.0, 6), (2.2, 10))
"""Where slips are tried, beside the best one: standard deviations away, and how many."""
TEMPER = 0.07
"""Power of the likelihood of a run: neighbouring echoes share their errors. With it and SCATTER,
in 31 runs through random worlds a pose that was trusted was 0.12 m off at most."""
SCATTER = 1.0
"""Standard deviation of a tempered score about the parabola: which cells echoes fall into."""
NEAR, TAIL = 2.0, 0.3
"""How far below the best score it is a parabola, and the share of what is below that, which
counts as scatter; a choice."""
FLATTEST, SHARPEST = 0.2, 8.0
"""Least and greatest precision of a round in that of the last one; a choice."""
FARTHEST = 2.5
"""Longest step of a round in standard deviations; a choice."""
RESOLUTION = 0.04
"""Side of a cell, m, of the maps that are compared: with 0.03 the robot is sure of its pose a
little more often, but six in a hundred poses that are trusted are more than 0.1 m off."""
LEAST_SIGMA = (1e-5, 5e-6)
"""Least standard deviations, of mean and half difference, within which slips are tried."""
FLOOR = 0.01
"""Sigma, m and rad, of a pose in a perfect map of such cells."""
USED_TO = 4.0
"""Range, m, up to which echoes are compared."""

# How much lies free also says where the robot was, so that the whole cone counts here.
_CONE = ConeModel(free_to=USED_TO, silent=1.1, silent_to=LEAST, passed=0.0, walls=2)
_RANGES = RangeModel(sigma=0.04, power=1.0)


class Echo(NamedTuple):
    """A range, m, of a sensor at its pose on the robot, after a step of odometry in its axes.

    nearest: shortest range that the sensor measures, m.
    """

    step: Pose2
    sensor: Pose2
    distance: float
    half_angle: float
    nearest: float = 0.0


class SlipSearch:
    """Keeps the echoes of a run and finds the slip with which they make the best map.

    ``slip`` is the best one; ``pose`` where it leads; ``drift``, (3, 2), by how much that would be
    another pose for another slip; ``searches`` counts the searches that are over.
    """

    def __init__(self, start: Pose2, slip: float, separation: float) -> None:
        """Begin at ``start``; slip: greatest share of a wheel; separation: of the wheels, m."""
        self.start, self._greatest, self._separation = start, slip, separation
        self.echoes: list[Echo] = []
        self.pose, self.drift = start, np.zeros((3, 2))
        self.slip: Slip = (0.0, 0.0)
        self.searches = 0
        self._since = Pose2()
        # Of the mean and half the difference of both wheels.
        self._best = np.zeros(2)
        self._covariance = np.eye(2) * slip**2 / 6.0
        self._next = FIRST
        self._search: Iterator[int] | None = None

    @property
    def full(self) -> bool:
        """Return whether no more echoes are kept."""
        return len(self.echoes) >= MOST

    def move(self, step: Pose2) -> None:
        """Follow odometry; step: the motion since the last one in the robot's axes."""
        self._since = self._since @ step
        self.pose, self.drift = self._advance(self.pose, self.drift, step, self.slip)

    def hear(
        self, sensor: Pose2, distance: float, half_angle: float, nearest: float = 0.0
    ) -> None:
        """Keep an echo."""
        if not self.full:
            self.echoes.append(Echo(self._since, sensor, distance, half_angle, nearest))
            self._since = Pose2()

    def work(self, echoes: int) -> bool:
        """Search on by so many echoes; return whether a search ended, with another slip."""
        if not self._greatest:
            return False
        if self._search is None:
            if len(self.echoes) < self._next:
                return False
            self._next = len(self.echoes) + max(FIRST, round(GROWTH * len(self.echoes)))
            self._search = self._run()
        done = 0
        for part in self._search:
            done += part
            if done >= echoes:
                return False
        self._search = None
        return True

    def estimate(self) -> Estimate:
        """Return the pose with its covariance."""
        return self._estimate_of(self.pose, self.drift)

    def estimates(self) -> Iterator[Estimate]:
        """Yield where the robot was at each echo, and how well that is known."""
        for pose, drift in self._driven():
            yield self._estimate_of(pose, drift)

    def _driven(self) -> Iterator[tuple[Pose2, Floats]]:
        """Yield pose and drift at each echo."""
        pose, drift = self.start, np.zeros((3, 2))
        for echo in self.echoes:
            pose, drift = self._advance(pose, drift, echo.step, self.slip)
            yield pose, drift

    def _estimate_of(self, pose: Pose2, drift: Floats) -> Estimate:
        both = drift @ np.array(((1.0, -1.0), (1.0, 1.0)))
        return Estimate(pose, both @ self._covariance @ both.T + np.eye(3) * FLOOR**2)

    def poses(self, slip: Slip, count: int) -> Iterator[tuple[Pose2, Echo]]:
        """Yield where the robot was at each of the first echoes, with a slip."""
        pose, half = self.start, 0.5 * self._separation
        for echo in self.echoes[:count]:
            ahead, aside, heading = *along_arc(echo.step), echo.step.heading
            left = (ahead - half * heading) * (1.0 + slip[0])
            right = (ahead + half * heading) * (1.0 + slip[1])
            turn, way = (right - left) / self._separation, 0.5 * (left + right)
            middle = pose.heading + 0.5 * turn
            c, s = math.cos(middle), math.sin(middle)
            pose = Pose2(
                pose.x + way * c - aside * s, pose.y + way * s + aside * c, pose.heading + turn
            )
            yield pose, echo

    def _run(self) -> Iterator[int]:
        """Search once, and yield how many echoes were drawn between two rests.

        Slip, pose and covariance change together, at the end.
        """
        count = len(self.echoes)
        best, covariance = self._best, self._covariance
        for _ in range(1 if self.searches else ROUNDS):
            unit = np.linalg.cholesky(covariance + np.diag(LEAST_SIGMA) ** 2)
            scores = np.zeros(len(PLACES))
            for number, place in enumerate(best + PLACES @ unit.T):
                yield from self._judge(_wheels(place), count, scores, number)
            best, covariance = self._improve(best, unit, TEMPER * scores)
        self._best, self._covariance, self.slip = best, covariance, _wheels(best)
        *_, (pose, drift) = self._driven()
        self.pose, self.drift = self._advance(pose, drift, self._since, self.slip)
        self.searches += 1

    def _improve(self, best: Floats, unit: Floats, scores: Floats) -> tuple[Floats, Floats]:
        """Return a better slip, (2,), and its covariance, (2, 2), from the scores of PLACES.

        unit: what a place is in slips, (2, 2). Both slips are found together, since a wrong scale
        of the way looks much like a turn; before the run they are uniform.
        """
        slope, bend, spread = fit_parabola(PLACES, scores)
        before = self._greatest**2 / 6.0
        prior = unit.T @ unit / before
        values, axes = np.linalg.eigh(bend + prior)
        narrower = axes / np.clip(values, FLATTEST, SHARPEST) @ axes.T
        step = narrower @ (slope - unit.T @ best / before)
        length = float(np.linalg.norm(step))
        step *= min(1.0, FARTHEST / max(length, 1e-9))
        best = np.clip(best + unit @ step, -self._greatest, self._greatest)
        # How far the parabola itself may be wrong counts, too.
        covariance = unit @ (narrower + narrower @ spread @ narrower) @ unit.T
        values, axes = np.linalg.eigh(covariance * (1.5 if length > 2.0 else 1.0))
        return best, axes * np.minimum(values, before) @ axes.T

    def _judge(self, slip: Slip, count: int, scores: Floats, number: int) -> Iterator[int]:
        """Draw the run with a slip, and score how well its echoes fit into that map."""
        grid, part = OccupancyGrid(RESOLUTION, (self.start.x - 2.0, self.start.y - 2.0)), 0
        drawn = []
        for part, (pose, echo) in enumerate(self.poses(slip, count), 1):
            if echo.nearest < echo.distance <= 1.2 * USED_TO:
                hear(grid, pose, echo.sensor, echo.distance, echo.half_angle, _CONE)
                drawn.append((pose, echo))
            if part % 100 == 0:
                yield 100
        near = [(pose, echo) for pose, echo in drawn if echo.distance <= USED_TO]
        yield count // 2
        readings = HeardRanges(
            np.array([echo.sensor for _, echo in near]),
            np.array([echo.distance for _, echo in near]),
            np.array([echo.half_angle for _, echo in near]),
        )
        poses = np.array([pose for pose, _ in near])
        if near:
            reference = reference_of(grid.log_odds, grid.origin, grid.resolution, 0.6)
            scores[number] = log_likelihoods(poses, reference, readings, _RANGES).sum()

    def _advance(
        self, pose: Pose2, drift: Floats, step: Pose2, slip: Slip
    ) -> tuple[Pose2, Floats]:
        """Return a pose after a step of odometry with a slip, and what another slip changes."""
        half = 0.5 * self._separation
        ahead, aside = along_arc(step)
        left, right = ahead - half * step.heading, ahead + half * step.heading
        lefts, rights = left * (1.0 + slip[0]), right * (1.0 + slip[1])
        turn, way = (rights - lefts) / self._separation, 0.5 * (lefts + rights)
        middle = pose.heading + 0.5 * turn
        cosine, sine = math.cos(middle), math.sin(middle)
        dx, dy = way * cosine - aside * sine, way * sine + aside * cosine
        after = drift.copy()
        for wheel, travel, bend in (
            (0, left, -left / self._separation),
            (1, right, right / self._separation),
        ):
            turned = drift[2, wheel] + 0.5 * bend
            after[0, wheel] += 0.5 * travel * cosine - dy * turned
            after[1, wheel] += 0.5 * travel * sine + dx * turned
            after[2, wheel] += bend
        return Pose2(pose.x + dx, pose.y + dy, pose.heading + turn), after


def _places() -> Floats:
    """Return the middle and RINGS round it, (n, 2)."""
    places = [(0.0, 0.0)]
    for ring, (radius, count) in enumerate(RINGS):
        angles = 0.3 * ring + math.tau / count * np.arange(count)
        places += zip(radius * np.cos(angles), radius * np.sin(angles), strict=True)
    return np.array(places)


PLACES = _places()


def fit_parabola(places: Floats, scores: Floats) -> tuple[Floats, Floats, Floats]:
    """Return slope, (2,), and precision, (2, 2), of a parabola through scores, and how sure it is.

    The last, (2, 2), is the covariance of the slope. Scores, (n,), are logarithms of probability
    at places, (n, 2), in standard deviations of what was known before, which is a weak prior.
    """
    x, y = places.T
    terms = np.column_stack((np.ones_like(x), x, y, -0.5 * x * x, -0.5 * y * y, -x * y))
    below = scores.max() - scores
    weights = 1.0 / (SCATTER + TAIL * np.maximum(below - NEAR, 0.0)) ** 2
    prior, usual = (
        np.diag((1e-6, 1.0, 1.0, 1.0, 1.0, 1.0)),
        np.array((0.0, 0.0, 0.0, 1.0, 1.0, 0.0)),
    )
    covariance = np.linalg.inv(prior + terms.T * weights @ terms)
    found = covariance @ (prior @ usual - terms.T @ (weights * below))
    bend = np.array(((found[3], found[5]), (found[5], found[4])))
    return found[1:3], bend, covariance[1:3, 1:3]


def _wheels(both: Floats) -> Slip:
    """Return the slip of both wheels from their mean and half their difference."""
    return float(both[0] - both[1]), float(both[0] + both[1])
