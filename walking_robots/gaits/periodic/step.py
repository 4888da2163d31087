"""One step of a periodic gait: twist and foot switches in, feet out.

Feet are kept in the *level frame*: it goes along on the ground below the body, x ahead, y to the
left, z up. Standing feet all move in it by the same rigid motion, against that of the body, so
that they never strain against one another. On a slope the body tilts with the ground below its
standing feet.
"""

import math
from collections.abc import Sequence
from typing import NamedTuple

from walking_robots.gaits.periodic.plan import GaitPlan
from walking_robots.gaits.periodic.posture import Posture
from walking_robots.geometry.plane import LEVEL, Plane, fit_plane
from walking_robots.geometry.polygon import convex_hull, depth
from walking_robots.geometry.pose import Pose, Vector
from walking_robots.geometry.se2 import Pose2, Screw2
from walking_robots.legs.servo_faults import LAG

STANDING, FAILED = -1.0, 0.0
"""Stand for the progress of a leg that does not swing, and of one that takes no part: like a foot
that has just been lifted it neither stands nor looks for ground."""

DESCENDING = 0.5
"""Progress of a swing from which a foot switch means ground."""

CLEAR = 0.2
"""Progress of a swing from which a foot has left the ground: a switch then means an obstacle, over
which the foot is raised."""

PROBE, SEARCH = 1.0, 3.0
"""Speed of a foot that looks for ground just below where it was expected, and of one that has to
search farther or to be raised: heights of its swing in the time of a swing."""

NEAR = 0.1
"""How far below the expected ground a foot is searching: heights of its swing."""

PROBE_DEPTH = 3.0
"""How far below the lowest standing foot, along the slope, a foot looks for ground: heights of its
swing."""

SOON = 0.01
"""Share of a cycle that a foot at the end of its time keeps before the border of its stride."""

STEEPEST = math.cos(math.radians(30.0))
"""Cosine of the slope past which standing feet do not show where the ground goes on."""

FLATTEST = math.cos(math.radians(0.5))
"""Cosine of the slope up to which ground counts as level."""

ROUNDING = 1e-9
"""Tilt, rad, that is none."""

CENTRE: Vector = (0.0, 0.0, 0.0)


class LegMotion(NamedTuple):
    """A foot (m, level frame), and its progress through a swing, 0 ... 1, or `STANDING`.

    ``stepped`` holds from its lift to the end of the part of the cycle in which it may swing.
    """

    foot: Vector
    progress: float = STANDING
    stepped: bool = False

    @property
    def stands(self) -> bool:
        """Return whether the leg carries the body."""
        return self.progress == STANDING


class PeriodicState(NamedTuple):
    """All that a gait remembers.

    ``phase`` of the cycle, 0 ... 1; the legs; the twist that is followed; the body's posture.
    """

    phase: float
    legs: tuple[LegMotion, ...]
    intent: Screw2
    posture: Posture

    def feet(self) -> tuple[Vector, ...]:
        """Return the feet, m, body frame."""
        pose = self.posture.pose()
        return tuple([pose.to_body(leg.foot) for leg in self.legs])

    def upright(self, tilt: Pose, share: float) -> 'PeriodicState':
        """Turn the level frame by a share of what it is off by the measured tilt of the body.

        The feet stay where they are in the body frame.
        """
        posture = self.posture
        roll = math.atan2(tilt.rotation[7], tilt.rotation[8]) - posture.roll
        pitch = tilt.pitch() - posture.pitch
        if max(abs(roll), abs(pitch)) < ROUNDING:
            return self
        turned = posture._replace(
            roll=posture.roll + share * roll, pitch=posture.pitch + share * pitch
        )
        there = turned.pose()
        feet = [there.apply(foot) for foot in self.feet()]
        legs = [leg._replace(foot=foot) for leg, foot in zip(self.legs, feet, strict=True)]
        return self._replace(legs=tuple(legs), posture=turned)

    def moved(self, place: int, foot: Vector) -> 'PeriodicState':
        """Take over where the foot of a leg, counted from 0, really is, m, body frame."""
        legs = list(self.legs)
        legs[place] = legs[place]._replace(foot=self.posture.pose().apply(foot))
        return self._replace(legs=tuple(legs))


class PeriodicStep(NamedTuple):
    """What comes of a step.

    ``feet``: m, body frame; ``twist``: of the body in this step; ``margin``: static, m, of the
    feet that stand, negative infinity without support; ``waits``: for 'margin' when a leg may
    not lift or the body may not go on for balance, for 'ground' when a foot is late, or ''.
    """

    state: PeriodicState
    feet: tuple[Vector, ...]
    twist: Screw2
    margin: float
    waits: str


def standing(
    plan: GaitPlan, feet: Sequence[Vector] | None = None, posture: Posture | None = None
) -> PeriodicState:
    """Return the state of a robot at rest in a posture; feet: where they stand, m, body frame."""
    posture = posture or Posture(plan.robot.height)
    pose = posture.pose()
    places = plan.robot.neutral_feet if feet is None else feet
    legs = tuple(LegMotion(pose.apply(foot)) for foot in places)
    return PeriodicState(0.0, legs, Screw2(0.0, 0.0, 0.0), posture)


def step(
    plan: GaitPlan,
    state: PeriodicState,
    twist: Screw2,
    contacts: Sequence[bool],
    dt: float,
    *,
    centre: Vector = CENTRE,
) -> PeriodicStep:
    """Go one step of ``dt`` seconds under a twist of the body.

    ``contacts`` are the foot switches at its beginning; ``centre`` is the centre of gravity, m,
    body frame. A plan that differs from that of the step before is a transition: every leg goes
    on from where it is.
    """
    intent = plan.follow(state.intent, twist, dt)
    walks = any(intent)
    failed = plan.stepping.failed
    # A body that has lost a leg comes down on those that swing.
    down = CLEAR if failed else DESCENDING
    legs = [_landed(leg, contact, down) for leg, contact in zip(state.legs, contacts, strict=True)]
    for place in failed:
        legs[place] = legs[place]._replace(progress=FAILED)
    over = state.posture.pose().apply(centre)
    phases = [(state.phase - offset) % 1.0 for offset in plan.offsets]
    duty = plan.stepping.pattern.duty
    late = any(
        [
            phase < duty and not leg.stands and place not in failed
            for place, (leg, phase) in enumerate(zip(legs, phases, strict=True))
        ]
    )
    waits = 'ground' if late else ''
    for place, phase in enumerate(phases):
        leg = legs[place]
        if phase < duty:
            if leg.stepped:
                legs[place] = leg._replace(stepped=False)
        elif walks and leg.stands and not leg.stepped and not late:
            if _may_lift(plan, legs, place, intent, over):
                legs[place] = leg._replace(progress=0.0, stepped=True)
            else:
                waits = 'margin'
    share = _pace(plan, legs, phases, intent)
    actual = intent if share == 1.0 else Screw2(*[part * share for part in intent])
    way = actual.exp(dt)
    carried = _carried(legs, way)
    margin = _margin(carried, over)
    if any(actual) and margin < plan.least_margin:
        before = _margin(legs, over)
        if not margin > before:
            actual, way, carried, margin = Screw2(0.0, 0.0, 0.0), Pose2(0.0, 0.0), legs, before
            waits = 'margin'
    ground, steady = _ground(plan, carried), plan.limited(intent)
    moved = [
        leg if leg.stands
        else _put_away(plan, state, leg, place, dt) if place in failed
        else _raised(plan, leg, dt) if contact and CLEAR <= leg.progress < down
        else _probing(plan, leg, ground, dt) if leg.progress >= 1.0
        else _swung(plan, leg, place, steady, ground, dt)
        for place, (leg, contact) in enumerate(zip(carried, contacts, strict=True))
    ]  # fmt: skip
    # Where a leg has failed, others stand anyhow: if one may not lift, it is the turn of the next.
    waiting = waits and not (failed and waits == 'margin')
    phase = state.phase if waiting or not walks else (state.phase + dt / plan.period) % 1.0
    rates = plan.posture_rates
    # Going along a slope is no change of posture.
    climb = ground.slope.height_at(way.x, way.y) - ground.slope.height_at(0.0, 0.0)
    rise = climb + max(-rates.way * dt, min(rates.way * dt, ground.height - climb))
    settled = tuple(
        [LegMotion((x, y, z - rise), progress, stepped) for (x, y, z), progress, stepped in moved]
    )
    wanted = plan.stepping.posture.over(ground.slope)
    posture = state.posture.toward(wanted, rates, dt)
    after = PeriodicState(phase, settled, intent, posture)
    return PeriodicStep(after, after.feet(), actual, margin, waits)


def _landed(leg: LegMotion, contact: bool, down: float) -> LegMotion:
    """Put a foot on the ground once its switch closes, and lower one that has lost contact.

    down: progress of a swing from which the switch means ground.
    """
    if leg.stands:
        return leg if contact else leg._replace(progress=1.0)
    return leg._replace(progress=STANDING) if contact and leg.progress >= down else leg


def _may_lift(
    plan: GaitPlan, legs: Sequence[LegMotion], place: int, intent: Screw2, over: Vector
) -> bool:
    """Return whether the other standing legs keep the margin until the foot is down again.

    The margin is concave over a polygon: along a way it is least at one of the ends.
    """
    others = [leg for number, leg in enumerate(legs) if number != place]
    later = _carried(others, intent.exp(plan.swing_time))
    return min(_margin(others, over), _margin(later, over)) >= plan.least_margin


def _margin(legs: Sequence[LegMotion], over: Vector) -> float:
    """Return the static margin of the standing legs, m."""
    inside = depth(
        convex_hull((leg.foot[0], leg.foot[1]) for leg in legs if leg.stands), (over[0], over[1])
    )
    return -math.inf if inside is None else inside.distance


def _pace(
    plan: GaitPlan, legs: Sequence[LegMotion], phases: Sequence[float], intent: Screw2
) -> float:
    """Return the share of the intended twist that keeps every foot in its stride till it lifts.

    A foot that should be up already may not go on past the border of its stride.
    """
    duty, share, slope = plan.stepping.pattern.duty, 1.0, _ground(plan, legs).slope
    for leg, phase, place in zip(legs, phases, plan.feet, strict=True):
        if 0.0 <= leg.progress < 1.0:
            continue
        neutral = _along(slope, place)
        x, y = leg.foot[0] - neutral[0], leg.foot[1] - neutral[1]
        ux = intent.w * leg.foot[1] - intent.v
        uy = -intent.w * leg.foot[0] - intent.aside
        speed = math.hypot(ux, uy)
        if speed == 0.0:
            continue
        along = (x * ux + y * uy) / speed
        room = plan.radius**2 - (x * x + y * y - along * along)
        way = math.sqrt(room) - along if room > 0.0 else -along
        left = max(duty - phase + leg.stepped, SOON) * plan.period
        share = min(share, max(0.0, way / (speed * left)))
    return share


def _carried(legs: Sequence[LegMotion], way: Pose2) -> list[LegMotion]:
    """Move feet as the ground goes below a body that goes a way."""
    back = way.inverse()
    cos, sin = math.cos(back.heading), math.sin(back.heading)
    there_x, there_y, _ = back
    return [
        LegMotion((there_x + cos * x - sin * y, there_y + sin * x + cos * y, z), progress, stepped)
        for (x, y, z), progress, stepped in legs
    ]


class _Ground(NamedTuple):
    """The ground under the standing feet, level frame.

    ``plane``: along it; ``slope``: the same, or level ground where it is nearly level; ``height``:
    below the body, m; ``lowest``: of a standing foot over the slope, m.
    """

    plane: Plane
    slope: Plane
    height: float
    lowest: float


def _ground(plan: GaitPlan, legs: Sequence[LegMotion]) -> _Ground:
    """Return the ground below the standing feet; its plane is level where they are too steep."""
    points = [
        (leg.foot[0], leg.foot[1], leg.foot[2] - neutral[2])
        for leg, neutral in zip(legs, plan.feet, strict=True)
        if leg.stands
    ]
    if not points:
        return _Ground(LEVEL, LEVEL, 0.0, 0.0)
    heights = [z for _, _, z in points]
    plane = fit_plane(points)
    if plane is None or plane.normal[2] < STEEPEST:
        plane = LEVEL
    if plane.normal[2] > FLATTEST:
        return _Ground(plane, LEVEL, sum(heights) / len(heights), min(heights))
    lowest = min(z - plane.height_at(x, y) for x, y, z in points)
    return _Ground(plane, plane, plane.height_at(0.0, 0.0), lowest)


def _put_away(
    plan: GaitPlan, state: PeriodicState, leg: LegMotion, place: int, dt: float
) -> LegMotion:
    """Move the foot of a leg that has failed out of the way of the others."""
    target = state.posture.pose().apply(plan.robot.legs[place].raised_foot)
    way = math.dist(leg.foot, target)
    share = min(1.0, plan.swing_speed * dt / max(way, 1e-12))
    x, y, z = (a + (b - a) * share for a, b in zip(leg.foot, target, strict=True))
    return leg._replace(foot=(x, y, z))


def _raised(plan: GaitPlan, leg: LegMotion, dt: float) -> LegMotion:
    """Raise a foot that has met an obstacle."""
    x, y, z = leg.foot
    return leg._replace(foot=(x, y, z + SEARCH * plan.stepping.clearance * dt / plan.swing_time))


def _probing(plan: GaitPlan, leg: LegMotion, ground: _Ground, dt: float) -> LegMotion:
    """Lower a foot that has not met ground where it was expected."""
    (x, y, z), height = leg.foot, plan.stepping.clearance
    expected = ground.slope.height_at(x, y)
    lowest = expected + ground.lowest - PROBE_DEPTH * height
    speed = PROBE if z > expected - NEAR * height else SEARCH
    down = speed * height * dt / plan.swing_time
    return leg._replace(foot=(x, y, max(min(z, lowest), z - down)))


def _along(slope: Plane, foot: Vector) -> Vector:
    """Return a place of a foot, m, as far from the body along a slope as on level ground."""
    if slope is LEVEL:
        return foot
    (x, y, z), (nx, ny, nz) = foot, slope.normal
    nearer = (x * nx + y * ny) / (1.0 + nz)
    return (x - nearer * nx, y - nearer * ny, z)


def _swung(
    plan: GaitPlan, leg: LegMotion, place: int, steady: Screw2, ground: _Ground, dt: float
) -> LegMotion:
    """Move a swinging foot on towards where its next stand begins under a steady twist.

    A stand that begins early by what servos are late lies evenly about the neutral place.
    """
    (x, y, z), before = leg.foot, leg.progress
    height, path = plan.stepping.clearance, plan.stepping.path
    # Two steps pass until a foot that has come down is known to stand.
    after = min(1.0, before + dt / max(plan.swing_time - 2.0 * dt, 0.5 * plan.swing_time))
    share = path.share_left(before, after)
    ahead = (1.0 - after) * plan.swing_time + 0.5 * (plan.stance_time + LAG)
    nx, ny, nz = _along(ground.slope, plan.feet[place])
    target = steady.exp(ahead) @ Pose2(nx, ny)
    dx, dy = (target.x - x) * share, (target.y - y) * share
    # A target that has moved must not be caught up with at any price.
    most = min(1.0, plan.swing_speed * dt / max(math.hypot(dx, dy), 1e-12))
    nz += ground.plane.height_at(target.x, target.y)
    base = z - height * path.rise(before)
    z = base + (nz - base) * share + height * path.rise(after)
    return LegMotion((x + dx * most, y + dy * most, z), after, leg.stepped)
