"""The cartographer: ranges, touches and odometry in; a map and the pose of the robot in it out.

It has two ways to know where the robot is. While it draws a map, it searches for the slip of the
wheels (``slip_search.py``) and draws the run anew when it has found a better one. In a map that
was loaded, or after a run that is long enough, particles compare ranges with the map
(``map_particles.py``), and only a pose that is trusted draws.
"""

import math
from collections import deque
from copy import deepcopy
from dataclasses import dataclass
from itertools import islice

import numpy as np
from numpy.typing import NDArray

from walking_robots.geometry.se2 import ORIGIN, Pose2, wrap
from walking_robots.mdle.cartographer.beam_background import tolerance
from walking_robots.mdle.cartographer.map_particles import Estimate, MapParticles
from walking_robots.mdle.cartographer.moved_object import Beam, MovedObject
from walking_robots.mdle.cartographer.occupancy_grid import MOST, OccupancyGrid
from walking_robots.mdle.cartographer.range_likelihood import (
    HeardRanges,
    RangeModel,
    log_likelihoods,
    reading,
    reference_of,
)
from walking_robots.mdle.cartographer.scan_beams import see
from walking_robots.mdle.cartographer.slip_search import Slip, SlipSearch
from walking_robots.mdle.cartographer.sonar_cone import hear

SECOND = 1_000_000_000
TRUSTED = 0.1
"""Twice the standard deviation of the position, m, up to which a pose is trusted (issue)."""
JUMP = 0.15
"""Step, m or rad, and FASTEST, m/s and rad/s, beyond which odometry has jumped; a choice."""
FASTEST = 1.25
ROUND = 0.9
"""Time, s, within which a sonar that gives the same range again was not fired anew; a choice."""
SILENT = 5.0
"""Time, s, without an echo after which the sonars are said to be dead; a choice."""
NEAR_TOLERANCE = 0.0254
"""Up to how far, m, beyond the shortest range of its sensor an echo counts as too near to be
measured; a choice: ranges are rounded."""
STUCK_WAY = 0.5
"""Way, m, driven with a switch closed, after which the switch is said to be stuck; a choice."""
MATURE = 1.0
"""Log-odds of cells with which ranges are compared; a choice."""
REFRESH = 64
"""Echoes after which the map to compare with is made anew."""
STANDS, REPEATS = 0.01, 5
"""Way, m, and turn, rad, that are none, and how often a sensor may then say the same; a choice."""
SLICE = 3000
"""Echoes of a search that are drawn for each 16 that are heard."""
SCAN_WAY, SCAN_TURN, SCAN_BEAMS = 0.1, 0.1, 24
"""Way, m, or turn, rad, after which a scan is drawn; so many of its beams are kept as echoes."""
FITS, FIT_COUNT, JUDGED_TO = 0.9, 150, 2.0
"""Least share of ranges that fit a loaded map, how many are judged, and up to where, m; found in
random worlds."""
AROUND = 1.0
"""How well a map that was drawn is known at a place: as the poses within so many metres of it were
in the mean square; a choice. By their worst, 2 instead of 52 % of the poses are trusted after 20
minutes in world 3041 with 0.1 % slip, up to 0.06 instead of 0.08 m off."""
_JUDGE = RangeModel(sigma=0.1, sigma_share=0.04, false_share=1e-3, power=1.0)


@dataclass(frozen=True)
class CartographerSettings:
    """What a cartographer may assume.

    resolution: side of a cell, m; slip: greatest share by which a wheel goes further or less far
    than odometry says; separation: of the wheels, m; radius: of the body, m; scan_to: used
    range of a laser, m; moved_radius: of what moves about, m.
    """

    resolution: float = 0.05
    slip: float = 0.01
    separation: float = 0.345
    radius: float = 0.205
    scan_to: float = 12.0
    moved_radius: float = 0.35


DEFAULT = CartographerSettings()


class Cartographer:
    """Draws a map and finds the robot in it; times are ns, and never before the last.

    ``grid`` is the map, ``estimate`` the pose of the robot in it with its covariance, ``known``
    whether particles keep it, ``drawn`` counts how often the run was drawn anew.
    """

    def __init__(
        self,
        settings: CartographerSettings = DEFAULT,
        start: Pose2 = ORIGIN,
        known: OccupancyGrid | None = None,
        sigma: float = 0.05,
        seed: int = 0,
    ) -> None:
        """Begin at ``start`` with an empty map, or to ``sigma``, m and rad, in a known one."""
        self._settings = settings
        self._rng = np.random.default_rng(seed)
        self._odometry: deque[tuple[int, Pose2]] = deque(maxlen=64)
        self._at = ORIGIN
        self._last: dict[object, tuple[int, float]] = {}
        self._heard_at: dict[object, tuple[Pose2, float, int]] = {}
        self._count = self._heard = self.drawn = 0
        self._echo_at: int | None = None
        self._touched: dict[float, float] = {}
        self._stuck: set[float] = set()
        self._jumped = ''
        self._scan_from: Pose2 | None = None
        self._fit = 1.0
        self._compared = 0
        self._judging = known is not None
        self._tracker = MovedObject()
        self._beams: dict[object, Beam] = {}
        self._moving: tuple[float, float] | None = None
        self._drawn_from = np.empty((0, 3))
        if known is None:
            side = settings.resolution
            # Cells lie at whole multiples of their side.
            corner = (
                math.floor((start.x - 2.0) / side) * side,
                math.floor((start.y - 2.0) / side) * side,
            )
            self.grid = OccupancyGrid(side, corner)
            self._search: SlipSearch | None = None
            self.go_on(start)
        else:
            self.grid, self._search = known, None
            self.estimate = Estimate(start, np.eye(3) * sigma * sigma)
            self._spread(settings.slip)

    def go_on(self, pose: Pose2) -> None:
        """Draw on a map from a pose in it, with odometry as it has been since the map was begun.

        A map that was just begun shows too little to find the robot in it.
        """
        self._drawn_before = deepcopy(self.grid)
        self._judging = False
        self._search = SlipSearch(pose, self._settings.slip, self._settings.separation)
        self.estimate = self._search.estimate()

    @property
    def known(self) -> bool:
        """Return whether the robot is looked for in a map that is there."""
        return self._search is None

    @property
    def pose(self) -> Pose2:
        """Return where the robot is in the map."""
        return self.estimate.pose

    @property
    def trusted(self) -> bool:
        """Return whether the pose is known to 0.1 m (two sigma), and fits the map."""
        return 2.0 * self.estimate.sigma <= TRUSTED and not self.is_other_world

    @property
    def is_other_world(self) -> bool:
        """Return whether ranges do not fit the map that was loaded."""
        return self._judging and self._compared >= FIT_COUNT

    @property
    def _may_draw(self) -> bool:
        """Return whether what is measured goes into the map."""
        return not self.known or (self._found_in_map and not self._judging)

    @property
    def map_to_odom(self) -> Pose2:
        """Return the pose of odometry's frame in the map."""
        return self.pose @ self._at.inverse()

    @property
    def trouble(self) -> str:
        """Return what is wrong in one sentence, or nothing."""
        if self.is_other_world:
            return (
                f'only {100 * self._fit:.0f} % of the ranges fit the map, which may be of another '
                f'world: load the right one, or begin a new one'
            )
        if self._stuck:
            degrees = ', '.join(f'{math.degrees(b):.0f}' for b in sorted(self._stuck))
            return f'the bumper at {degrees} degrees stays pressed while the robot drives: ignored'
        now = self._odometry[-1][0] if self._odometry else 0
        if self._echo_at is not None and now - self._echo_at > SILENT * SECOND:
            return f'no range for {(now - self._echo_at) / SECOND:.0f} s: check the sensors'
        if self._jumped:
            return self._jumped
        if not self.trusted:
            return f'the pose is known to {2.0 * self.estimate.sigma:.2f} m only (two sigma)'
        return ''

    def move(self, stamp: int, pose: Pose2) -> None:
        """Take in odometry; a jump is not followed."""
        if not self._odometry:
            self._odometry.append((stamp, pose))
            self._at, self._echo_at = pose, stamp
            return
        before, last = self._odometry[-1]
        if stamp <= before:
            return
        # After a stall, a pose of before it may come with a stamp of after it: the wheels had the
        # time of two intervals.
        dt = (stamp - self._odometry[max(len(self._odometry) - 2, 0)][0]) / SECOND
        step = last.inverse() @ pose
        way, turn = math.hypot(step.x, step.y), abs(wrap(step.heading))
        if way > JUMP + FASTEST * dt or turn > JUMP + FASTEST * dt:
            self._jumped = f'odometry jumped by {way:.2f} m and {turn:.2f} rad: not followed'
            # What was measured before is in another frame now.
            self._odometry.clear()
            step = ORIGIN
        else:
            step = step._replace(heading=wrap(step.heading))
        self._odometry.append((stamp, pose))
        self._at = pose
        for bearing in self._touched:
            self._touched[bearing] += way
            if self._touched[bearing] > STUCK_WAY:
                self._stuck.add(bearing)
        self._follow(step)

    def hear(
        self,
        stamp: int,
        name: object,
        sensor: Pose2,
        distance: float,
        half_angle: float,
        nearest: float = 0.0,
    ) -> None:
        """Take in a range, m, of a sonar, infinite without echo, at its pose on the robot.

        name: of the sensor; a range that it repeats within a round was not measured anew;
        nearest: shortest range that it measures, m, 0 for none: what is nearer says nothing of the
        pose, and lies somewhere up to there.
        """
        if nearest:
            nearest += NEAR_TOLERANCE
        distance = max(distance, nearest)
        last = self._last.get(name)
        if last and last[1] == distance and stamp - last[0] < ROUND * SECOND:
            return
        self._last[name] = stamp, distance
        self._beams[name] = Beam(sensor.heading, distance, True)
        if not (0.0 < distance < math.inf) or not self._odometry:
            return
        self._echo_at = stamp
        ago = self._ago(stamp)
        if ago != ORIGIN:
            sensor = ago @ sensor
        self._track(stamp)
        if self._is_new(name, distance):
            self._take_in(sensor, distance, half_angle, nearest)
            self._draw(sensor, distance, half_angle, nearest)

    def _is_new(self, name: object, distance: float) -> bool:
        """Return whether a range says more than those from the same place before.

        A reflection that a robot hears again and again while it stands is still a reflection.
        """
        pose, usual, count = self._heard_at.get(name, (self._at, distance, 0))
        step = pose.inverse() @ self._at
        still = math.hypot(step.x, step.y) < STANDS and abs(wrap(step.heading)) < STANDS
        if not still or abs(distance - usual) > tolerance(usual):
            pose, usual, count = self._at, distance, 0
        self._heard_at[name] = pose, usual, count + 1
        return count < REPEATS

    def scan(
        self, stamp: int, sensor: Pose2, angles: NDArray[np.float64], ranges: NDArray[np.float64]
    ) -> None:
        """Take in beams (n,) of a laser, rad and m, infinite without end, NaN where unused.

        Of a robot that stands, most scans are left out: they say nothing new.
        """
        if not self._odometry or not len(ranges):
            return
        self._echo_at = stamp
        ago = self._ago(stamp)
        here = self.pose @ ago
        if self._scan_from is not None:
            step = self._scan_from.inverse() @ here
            if math.hypot(step.x, step.y) < SCAN_WAY and abs(wrap(step.heading)) < SCAN_TURN:
                return
        self._scan_from = here
        sensor = ago @ sensor
        every = max(len(ranges) // SCAN_BEAMS, 1)
        for angle, distance in zip(angles[::every], ranges[::every], strict=True):
            if 0.05 < distance < self._settings.scan_to:
                beam = sensor @ Pose2(0.0, 0.0, float(angle))
                self._take_in(beam, float(distance), 0.0)
        if self._may_draw:
            see(self.grid, self.pose @ sensor, angles, ranges, self._settings.scan_to)

    def touch(self, bearings: list[float]) -> None:
        """Take in the bearings, rad, of all switches of the bumper that are closed now."""
        closed = set(bearings)
        self._stuck &= closed
        fresh = closed - self._touched.keys()
        self._touched = {bearing: self._touched.get(bearing, 0.0) for bearing in closed}
        for bearing in fresh:
            away = self._settings.radius + 0.5 * self.grid.resolution
            there = self.pose @ Pose2(away * math.cos(bearing), away * math.sin(bearing))
            self.grid.cover(there.x, there.y, self.grid.resolution)
            self.grid.put(there.x, there.y, MOST)

    def place(self, pose: Pose2, sigma: float = 0.1) -> None:
        """Take a pose in a known map for the robot's, known to ``sigma``, m and rad.

        Raises ValueError while a map is drawn, which has its own start.
        """
        if not self.known:
            raise ValueError('the map is being drawn; a pose can be given in a loaded one')
        self.estimate = Estimate(pose, np.eye(3) * sigma * sigma)
        self._spread(self._settings.slip)

    def _track(self, stamp: int) -> None:
        """Take what moved while the robot stood out of the map, and out of what is drawn."""
        self._heard += 1
        if self._heard % 16 or len(self._odometry) < 2:
            return
        (before, last), (now, pose) = self._odometry[-2], self._odometry[-1]
        turning = wrap(pose.heading - last.heading) * SECOND / (now - before)
        names = sorted(self._beams, key=lambda name: wrap(self._beams[name].bearing))
        news = self._tracker.step(stamp, pose, turning, [self._beams[name] for name in names])
        self._beams = {n: self._beams[n]._replace(fresh=False) for n in names}
        self._moving = None
        if news.valid:
            frame = self.map_to_odom
            for place in (news.previous, news.position):
                there = frame @ Pose2(*place)
                self.grid.clear(there.x, there.y, self._settings.moved_radius)
                self._moving = there.x, there.y

    def _follow(self, step: Pose2) -> None:
        if self._search is not None:
            self._search.move(step)
            self.estimate = self._search.estimate()
        else:
            self._particles.move(step)
            carried = self.estimate.pose @ step
            self.estimate = self.estimate._replace(pose=carried)

    def _ago(self, stamp: int) -> Pose2:
        """Return the pose of the robot at a time, seen from where it is now."""
        after = self._odometry[-1]
        for before in reversed(self._odometry):
            if before[0] <= stamp:
                share = (stamp - before[0]) / max(after[0] - before[0], 1)
                step = before[1].inverse() @ after[1]
                part = Pose2(step.x * share, step.y * share, wrap(step.heading) * share)
                then = before[1] @ part if share < 1.0 else after[1]
                return self._odometry[-1][1].inverse() @ then
            after = before
        return self._odometry[-1][1].inverse() @ self._odometry[0][1]

    def _take_in(
        self, sensor: Pose2, distance: float, half_angle: float, nearest: float = 0.0
    ) -> None:
        """Use a range to find the pose."""
        self._count += 1
        if self._search is not None:
            self._search.hear(sensor, distance, half_angle, nearest)
            if self._count % 16 == 0 and self._search.work(SLICE):
                self._redraw()
            if self._search.full:
                self._settle()
            return
        if distance <= nearest:
            return
        if self._count % REFRESH == 0:
            self._refresh()
        is_foretold = self._reference.foretells(self.pose @ sensor, distance)
        if is_foretold:
            self._particles.hear(self._reference, sensor, distance, half_angle)
        if self._count % 16 == 0:
            self._particles.resample()
            self._locate()
        if self._judging and distance <= JUDGED_TO:
            self._judge(reading(sensor, distance, half_angle), is_foretold)

    def _judge(self, heard: HeardRanges, is_foretold: bool) -> None:
        """Compare a range with the map as it was loaded, until enough fit or do not.

        What the map knows nothing of fits.
        """
        found = log_likelihoods(np.array([self.pose]), self._reference, heard, _JUDGE)
        fits = not is_foretold or found[0] > math.log(0.1)
        self._compared += 1
        self._fit += (fits - self._fit) / min(self._compared, FIT_COUNT)
        if self._compared >= FIT_COUNT and self._fit >= FITS:
            self._judging = False

    def _draw(self, sensor: Pose2, distance: float, half_angle: float, nearest: float) -> None:
        if self._moving is not None:
            end = self.pose @ sensor @ Pose2(distance)
            if math.dist(self._moving, end[:2]) <= self._settings.moved_radius + 0.1:
                return
        if self._may_draw:
            hear(self.grid, self.pose, sensor, distance, half_angle, nearest=nearest)

    def _redraw(self) -> None:
        """Draw the run anew with the slip that was found, on what was there before it."""
        assert self._search is not None
        self.estimate = self._search.estimate()
        self.drawn += 1
        fresh = deepcopy(self._drawn_before)
        for pose, echo in self._search.poses(self._search.slip, len(self._search.echoes)):
            if echo.half_angle:
                hear(
                    fresh,
                    pose,
                    echo.sensor,
                    echo.distance,
                    echo.half_angle,
                    nearest=echo.nearest,
                )
            else:
                see(
                    fresh,
                    pose @ echo.sensor,
                    np.zeros(1),
                    np.array([echo.distance]),
                    self._settings.scan_to,
                )
        self.grid.replace(fresh)

    def _settle(self) -> None:
        """Go on by particles in the map that was drawn, with the slip that was found."""
        assert self._search is not None
        run = islice(self._search.estimates(), 0, None, 16)
        self._drawn_from = np.array([(*then.pose[:2], then.sigma) for then in run])
        slip, self._search = self._search.slip, None
        self._spread(0.05 * self._settings.slip, slip)

    def _locate(self) -> None:
        """Take the pose of the particles, which is known no better than the map about it."""
        found = self._particles.estimate()
        self._found_in_map = 2.0 * found.sigma <= TRUSTED
        if len(self._drawn_from):
            x, y, sigma = self._drawn_from.T
            away = np.hypot(x - found.pose.x, y - found.pose.y)
            doubt = np.sqrt((sigma[away <= max(AROUND, away.min())] ** 2).mean())
            found = found._replace(covariance=found.covariance + doubt**2 * np.diag((1, 1, 0)))
        self.estimate = found

    def _refresh(self) -> None:
        """Compare with the map as it was when particles took over, and what was drawn beside it.

        What the robot draws over known cells contains the error of its own pose.
        """
        origin, odds = self._before
        grid = self.grid
        merged = grid.log_odds.copy()
        half = 0.5 * grid.resolution
        row, column = grid.cell_of(origin[0] + half, origin[1] + half)
        part = merged[row : row + odds.shape[0], column : column + odds.shape[1]]
        np.copyto(part, odds, where=odds != 0.0)
        self._reference = reference_of(merged, grid.origin, grid.resolution, MATURE)

    def _spread(self, slip: float, usual: Slip = (0.0, 0.0)) -> None:
        self._before = self.grid.origin, self.grid.log_odds.copy()
        self._refresh()
        self._found_in_map = False
        self._particles: MapParticles = MapParticles(
            self.estimate, slip, self._settings.separation, self._rng, usual=usual
        )
