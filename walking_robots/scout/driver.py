"""The driver of a Scout, without a port and without a clock.

Time and received bytes go in, bytes to send come out. A thread with a serial port
(:mod:`walking_robots.scout.port`) runs it on a robot, a trial runs it in simulated time.

The driver sends one request per cycle: a motion while one is commanded, which the robot answers
with its state, otherwise a request for the state. After any error it drops the commanded motion
and stops the robot: an old motion is never resumed.
"""

import math
from collections import deque
from collections.abc import Iterable

from walking_robots.geometry.se2 import Twist2
from walking_robots.scout import protocol
from walking_robots.scout.framing import Packet
from walking_robots.scout.link import Counters, Link, Reply, RequestOutcome
from walking_robots.scout.motion import Motion
from walking_robots.scout.odometry import HostOdometry, News
from walking_robots.scout.protocol import NOT_REPEATABLE, Op, plain
from walking_robots.scout.readings import Readings, read
from walking_robots.scout.report import DriverReport, LinkPhase
from walking_robots.scout.sequences import shut_down, start_up
from walking_robots.scout.settings import DriverSettings

PROBES = 3
"""Questions without an answer after which nobody is there."""
FAILURES = 3
"""Exchanges without an answer in a row after which the link is lost."""
REST_CHECKS = 20
"""Looks at a robot that is to go limp at the end, until it rests; after them it holds."""
LAST_WORDS = 0.15
"""Time, s, that each request of the end may take, so that a node ends within a second."""


class ScoutDriver:
    """Keeps a Scout configured, polled, within its limits, and at rest when in doubt."""

    def __init__(self, settings: DriverSettings | None = None) -> None:
        """Begin with a closed port."""
        self.settings = settings or DriverSettings()
        self._odometry = HostOdometry(self.settings)
        self._motion = Motion(self.settings)
        self._link = Link()
        self._phase = LinkPhase.CLOSED
        self._queue: deque[Packet] = deque()
        self._failures = 0
        self._cycle_at = self._open_at = 0.0
        self._limp = self._limp_wanted = self._sent_away = False
        self._fresh = self._recentres = True
        self._rest_checks = 0
        self._state: Readings | None = None
        self._count = self._restarts = 0
        self._delay = math.nan
        self._trouble = self._refusals = ''

    # Commands

    def command(self, twist: Twist2, now: float) -> None:
        """Ask for a motion, m/s and rad/s; it ends unless it is repeated.

        Raises ValueError, one sentence, when the robot cannot take it, now or ever.
        """
        self._require_link()
        if self._failures:
            raise ValueError(f'the robot has to answer again first ({self._trouble})')
        if self._limp_wanted:
            raise ValueError('the motors are off; enable them first')
        if self._state and self._state.emergency_stop:
            raise ValueError('the emergency stop is pressed; release it first')
        self._motion.ask(twist, now)
        self._sent_away = False

    def stop(self) -> None:
        """Forget the commanded motion and stop the robot."""
        self._motion.stop()

    def enable_motors(self) -> None:
        """Ask the motors to hold the present position; ValueError without a link."""
        self.request(plain(Op.STOP))
        self._limp_wanted = False

    def disable_motors(self) -> None:
        """Ask for a limp robot, to be pushed by hand, once it rests; ValueError without a link.

        The request outlives a lost link, because somebody may be pushing.
        """
        self._require_link()
        self._motion.stop()
        self._limp_wanted = True

    def reset_odometry(self) -> None:
        """Call the present place the origin."""
        self._odometry.reset()

    def request(self, packet: Packet) -> None:
        """Send any request once the line is free; ValueError without a link.

        One that would move the robot twice is not sent again when its reply is lost.
        """
        self._require_link()
        self._queue.append(packet)

    def end(self) -> None:
        """Bring the robot to rest and end; takes a few exchanges (§1.3)."""
        if self._phase is LinkPhase.CLOSED:
            self._phase = LinkPhase.ENDED
        elif self._phase not in (LinkPhase.ENDING, LinkPhase.ENDED):
            self._link.drop()
            self._begin(LinkPhase.ENDING, shut_down(self.settings))
            self._rest_checks = REST_CHECKS

    # What happens to the port

    @property
    def wants_port(self) -> bool:
        """Return whether the port should be open."""
        return self._phase not in (LinkPhase.CLOSED, LinkPhase.ENDED)

    def may_open(self, now: float) -> bool:
        """Return whether it is time to try and open the port."""
        return self._phase is LinkPhase.CLOSED and now >= self._open_at

    def opened(self) -> None:
        """Begin to look for the robot on a port that has just been opened, unless ended."""
        if self._phase is LinkPhase.CLOSED:
            self._begin(LinkPhase.PROBING, ())

    def lost(self, why: str, now: float, quiet: float = 0.0) -> None:
        """Return the port up for a while, at least ``quiet`` s; what is commanded ends."""
        ended = self._phase in (LinkPhase.ENDING, LinkPhase.ENDED)
        self._begin(LinkPhase.ENDED if ended else LinkPhase.CLOSED, ())
        self._link.drop()
        self._limp = False
        self._trouble = why
        self._open_at = now + max(self.settings.reconnect_interval, quiet)

    # What goes over the line

    def due(self) -> float:
        """Return the time, s, at which the driver has to be stepped again at the latest."""
        if self._phase is LinkPhase.CLOSED:
            return self._open_at
        if self._link.waiting:
            return self._link.due()
        return self._cycle_at if self._phase is LinkPhase.RUNNING and not self._queue else 0.0

    def step(self, now: float, data: bytes = b'') -> bytes:
        """Take in what has been received and give what is to be sent."""
        answer = self._link.receive(data, now)
        if answer is not None:
            self._take(answer, now)
        if self._link.waiting or not self.wants_port:
            return b''
        request = self._choose(now)
        return b'' if request is None else self._link.send(request, now, self._patience())

    def report(self) -> DriverReport:
        """Return what is known now."""
        return DriverReport(
            phase=self._phase,
            count=self._count,
            readings=self._state,
            pose=self._odometry.pose,
            travel=self._odometry.travel,
            command=self._motion.command,
            limp=self._limp,
            trouble=self._trouble or self._refusals,
            delay=self._delay,
            jumps=self._odometry.jumps,
            restarts=self._restarts,
        )

    @property
    def counters(self) -> Counters:
        """Return the packet counters."""
        return self._link.counters

    # Choosing the next request

    def _choose(self, now: float) -> Packet | None:
        if self._phase is LinkPhase.ENDING:
            return self._choose_last()
        if self._queue:
            return self._queue[0]
        if self._phase is LinkPhase.PROBING:
            # A robot that does not answer may still receive: this is harmless and stops it.
            return plain(Op.STOP if self._failures else Op.GET_STATE)
        if self._phase is LinkPhase.CONFIGURING:
            self._phase = LinkPhase.RUNNING
            self._cycle_at = now
        if now < self._cycle_at:
            return None
        # A cycle that came late is not made up for by a hasty one.
        self._cycle_at = max(self._cycle_at + 1.0 / self.settings.rate, now)
        return self._choose_for_cycle(now)

    def _choose_for_cycle(self, now: float) -> Packet:
        state = self._state
        motion = self._motion.request(now, state)
        if motion and not self._motion.command:
            return motion
        if self._recentres and state and self._odometry.strays(state):
            # Once: what does not help the first time must not keep from driving and stopping.
            self._recentres = False
            return protocol.define_position(0, 0)
        if self._limp_wanted and not self._limp and state and not state.moving:
            return plain(Op.LIMP)
        return motion or plain(Op.GET_STATE)

    def _choose_last(self) -> Packet | None:
        if not self._queue:
            self._phase = LinkPhase.ENDED
            return None
        if self._queue[0].op == Op.LIMP and self._state and self._state.moving:
            # A robot that is released while it rolls continues to roll.
            self._rest_checks -= 1
            if self._rest_checks > 0:
                return plain(Op.GET_STATE)
            self._queue.popleft()
            return self._choose_last()
        return self._queue[0]

    def _patience(self) -> float:
        if self._phase is LinkPhase.PROBING:
            return self.settings.probe_timeout
        timeout = self.settings.reply_timeout
        return min(timeout, LAST_WORDS) if self._phase is LinkPhase.ENDING else timeout

    # Taking answers in

    def _take(self, answer: Reply, now: float) -> None:
        request = answer.request
        if answer.outcome is RequestOutcome.ANSWERED:
            self._failures = 0
            self._trouble = ''
            self._delay = answer.delay
            self._unqueue(request)
            self._limp = request.op == Op.LIMP or (
                self._limp and request.op not in (Op.STOP, Op.VELOCITIES)
            )
            self._sent_away |= request.op in NOT_REPEATABLE
            if answer.state is not None:
                self._take_state(read(answer.state, self.settings), request.op, now)
            if self._phase is LinkPhase.PROBING:
                self._configure()
        elif answer.outcome is RequestOutcome.REFUSED:
            self._refused(request, now)
        else:
            self._unanswered(request, now)

    def _take_state(self, readings: Readings, op: int, now: float) -> None:
        restarted = False
        if op in (Op.DEFINE_POSITION, Op.DEFINE_HEADING, Op.ZERO):
            self._odometry.redefined(readings, now)
        else:
            restarted = self._odometry.update(readings, now) is News.RESTARTED
        self._state = readings
        self._count += 1
        self._recentres |= not self._odometry.is_far(readings)
        if readings.emergency_stop:
            self._motion.end()
        if self._rolls_unasked(readings):
            self._motion.stop()
        if restarted:
            self._restarts += 1
            self._limp = False
            if self._phase in (LinkPhase.CONFIGURING, LinkPhase.RUNNING):
                # Switched off and on again, it has forgotten its watchdog, limits and sonars.
                self._configure()

    def _rolls_unasked(self, readings: Readings) -> bool:
        """Return whether the robot turns its wheels for no reason that the driver knows."""
        rests = self._motion.rests and not (self._limp or self._limp_wanted or self._sent_away)
        return self._phase is LinkPhase.RUNNING and rests and any(readings.wheels)

    def _refused(self, request: Packet, now: float) -> None:
        self._failures += 1
        sentence = f'the robot refuses {_name(request)}'
        stops = request.op in (Op.STOP, Op.GET_STATE)
        if self._phase is LinkPhase.CONFIGURING and not stops:
            self._refusals = sentence
            self._failures = 0
        elif self._phase is LinkPhase.RUNNING:
            self._trouble = sentence
            self._limp_wanted &= request.op != Op.LIMP
            self._motion.stop()
        # What cannot be stopped is not set up and driven on: stop is said again.
        if not (self._phase is LinkPhase.CONFIGURING and stops):
            self._unqueue(request)
        if self._failures >= FAILURES and self._phase is not LinkPhase.ENDING:
            # What refuses even to stop is left in silence, for its own watchdog to stop it: any
            # packet, refused or not, may feed that (§7.3).
            self.lost(sentence, now, quiet=self.settings.watchdog + 0.5)

    def _unanswered(self, request: Packet, now: float) -> None:
        self._failures += 1
        if self._phase is LinkPhase.ENDING:
            self._unqueue(request)
            self._rest_checks = 0
            return
        if self._phase is LinkPhase.PROBING:
            if self._failures >= PROBES:
                self.lost('no reply: is the robot switched on, and the baud rate right?', now)
            return
        self._trouble = f'no reply to {_name(request)}'
        if request.op in NOT_REPEATABLE:
            self._unqueue(request)
        if self._failures >= FAILURES:
            self.lost('the robot does not answer any more', now)
        elif self._phase is LinkPhase.RUNNING:
            self._motion.stop()
            self._cycle_at = now

    # Small steps

    def _configure(self) -> None:
        """Send the robot its limits, and where it is where that is wanted."""
        requests = start_up(self.settings, define_pose=self._fresh)
        self._fresh = False
        self._refusals = ''
        self._begin(LinkPhase.CONFIGURING, requests)

    def _begin(self, phase: LinkPhase, requests: Iterable[Packet]) -> None:
        self._phase = phase
        self._failures = 0
        self._motion.clear()
        self._queue.clear()
        self._queue.extend(requests)

    def _unqueue(self, request: Packet) -> None:
        if self._queue and self._queue[0] is request:
            self._queue.popleft()

    def _require_link(self) -> None:
        if self._phase is not LinkPhase.RUNNING:
            why = self._trouble or self._phase.value
            raise ValueError(f'there is no link to the robot ({why})')


def _name(request: Packet) -> str:
    return Op(request.op).name.lower().replace('_', ' ')
