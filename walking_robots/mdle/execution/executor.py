"""Run a program on a virtual robot, tick by tick (mdle.md §4.6).

The executor never waits and never reads a clock: whoever calls ``tick`` says what time it is. A
run is over when the robot has been seen to rest.
"""

import math
from collections import deque
from collections.abc import Iterator, Mapping
from dataclasses import replace
from enum import Enum
from typing import Any

from walking_robots.geometry.se2 import Pose2
from walking_robots.mdle.execution.checkpoint import Checkpoint
from walking_robots.mdle.execution.clock import ProgramClock
from walking_robots.mdle.execution.core import Core
from walking_robots.mdle.execution.driving import Driving
from walking_robots.mdle.execution.endings import Ending, Event, Outcome, Result
from walking_robots.mdle.execution.entry import default_guard, guarded_entry, level_guard
from walking_robots.mdle.execution.faults import RunError
from walking_robots.mdle.execution.frame import Frame, Surroundings
from walking_robots.mdle.execution.job import Job, taken_up
from walking_robots.mdle.execution.leaf import BY_OPERATOR
from walking_robots.mdle.execution.make import make_frame
from walking_robots.mdle.execution.requests import Policy, Request
from walking_robots.mdle.execution.results import finished, result_of
from walking_robots.mdle.execution.sequence import Sequence
from walking_robots.mdle.execution.settings import Settings
from walking_robots.mdle.execution.shape import Shape
from walking_robots.mdle.execution.stopping import Stopping
from walking_robots.mdle.execution.story import Story
from walking_robots.mdle.execution.unwinding import Unwinding
from walking_robots.mdle.execution.watch import check_safety, suspects_of
from walking_robots.mdle.language.expression_printer import format_expression
from walking_robots.mdle.robot import VirtualRobot

__all__ = ['Executor', 'Phase']

ENDINGS = ('fault', 'stop', 'cancel', 'preempt')
"""Requests that end a program, the first of them first (mdle.md §4.6.2, §4.7)."""


class Phase(Enum):
    """What the executor is at; values are those of the report's run flag, where it has one."""

    NOTRUN = 0
    RUNNING = 1
    TERMINATED = 2
    PAUSED = 3
    STOPPING = 4


class Executor:
    """Runs one program after another on one robot.

    All calls come from one thread. ``ask`` keeps a request for the next tick; ``result`` is there
    once the phase is TERMINATED.
    """

    def __init__(
        self, robot: VirtualRobot, settings: Settings | None = None, services: Any = None
    ) -> None:
        """Take the robot; nothing runs yet. ``services`` are for atoms of space none."""
        self.robot = robot
        self._settings = settings or Settings()
        self.services = services
        self.phase = Phase.NOTRUN
        self.result: Result | None = None
        self.job: Job | None = None
        self._requests: deque[Request] = deque()
        self._story = Story()
        self._driving = Driving()
        self._stopping: Stopping | None = None
        self._core = self._new_core()
        self._root: Frame | None = None
        self._clock = ProgramClock(0)
        self._stepping = False
        self._ended: Result | None = None

    def start(self, job: Job, now: int, paused: bool = False) -> None:
        """Take a program to run from the next tick on.

        Raises RuntimeError where one runs already, RunError where the entry is missing, or the
        checkpoint to go on from does not fit.
        """
        if self.phase not in (Phase.NOTRUN, Phase.TERMINATED):
            raise RuntimeError('a program runs already')
        job = taken_up(job)
        step = job.entry_step()
        self.job, self.result, self._ended = job, None, None
        self._requests.clear()
        self._story, self._driving = Story(), Driving()
        self._core = self._new_core()
        self._clock = ProgramClock(now)
        self._core.now = self._core.begun = now
        self._core.names = job.names()
        self._core.default_guard = default_guard(self.robot.spec, self.settings)
        self._core.level_guard = level_guard(self.robot.spec, self.settings)
        if job.resume:
            self._core.board.update(job.resume.board)
        around = Surroundings(
            self._core,
            job.names(),
            {},
            job.entry,
            None,
            job.alpha,
            job.beta,
            direct=job.beta,
            resume=job.resume.where if job.resume else None,
        )
        self._root = Sequence(around, Shape('program', (guarded_entry(job, step, self._core),)))
        self.phase = Phase.RUNNING
        if paused:
            self.phase = Phase.PAUSED
            self._clock.pause()
        self._note('start')

    def ask(self, request: Request) -> None:
        """Keep a request of the operator for the next tick."""
        self._requests.append(request)

    def take_events(self) -> list[Event]:
        """Give the events since the last call."""
        return self._story.take()

    @property
    def settings(self) -> Settings:
        """The settings; new breakpoints count at once."""
        return self._settings

    @settings.setter
    def settings(self, settings: Settings) -> None:
        self._settings = self._core.settings = settings

    @property
    def board(self) -> dict[str, Any]:
        """The blackboard; the operator may set values in it."""
        return self._core.board

    @property
    def clock(self) -> int:
        """The program's clock, ns: time in pauses does not count."""
        return self._core.now

    @property
    def values(self) -> Mapping[str, Any]:
        """The channels of the last tick."""
        return self._core.values

    @property
    def suspects(self) -> Mapping[str, str]:
        """The channels of the last tick that cannot be trusted, with why."""
        return self._core.suspects

    @property
    def begun(self) -> int:
        """The program's clock when the program began, ns."""
        return self._core.begun

    @property
    def ticks(self) -> int:
        """The ticks since the program began."""
        return self._core.tick

    def frames(self) -> Iterator[Frame]:
        """Give all frames that run, outermost first."""
        if self._root and self._root.alive:
            frames = self._root.active()
            next(frames)
            yield from frames

    def checkpoint(self) -> Checkpoint | None:
        """Give where the run is, None where nothing runs."""
        if not self.job or self.phase not in (Phase.RUNNING, Phase.PAUSED):
            return None
        assert self._root
        job = self.job
        return Checkpoint(
            job.digest,
            job.entry,
            self._root.where() if self._root.alive else self._root.around.resume,
            dict(self.board),
            {name: format_expression(value) for name, value in job.arguments.items()},
            job.alpha,
            job.beta,
            job.backwards,
        )

    def tick(self, now: int) -> Phase:
        """Do one tick at a time, ns; gives the phase after it."""
        if self.phase in (Phase.NOTRUN, Phase.TERMINATED):
            return self.phase
        core = self._core
        self._clock.hear(now)
        observation = self.robot.read(now)
        core.values, core.stamps = observation.values, observation.stamps
        core.suspects = suspects_of(observation, self.robot.spec, now)
        # What is asked for happens in this tick, not in the last one.
        core.now = self._clock.now
        self._keep_safe()
        self._serve()
        if self.phase is Phase.PAUSED:
            self.robot.stop('brake')
            return self.phase
        core.transitions = 0
        if self.phase is Phase.RUNNING:
            self._run()
        if self.phase is Phase.STOPPING:
            self._stop()
        core.tick += 1
        return self.phase

    def _keep_safe(self) -> None:
        """End a program that runs or waits where the robot must not go on; before all else."""
        if self.phase in (Phase.RUNNING, Phase.PAUSED):
            try:
                check_safety(self._core.values)
            except RunError as fault:
                self._fault(fault)

    def _run(self) -> None:
        """Do the part of a tick that is the program's."""
        core, root = self._core, self._root
        assert root
        try:
            before = len(self._story)
            if root.alive:
                ending = root.check(core.values, core.now)
            else:
                ending = root.start(core.values, core.now)
            if ending:
                self._finish(ending)
                return
            if core.halted or (self._stepping and len(self._story) > before):
                text = f'before {core.halted}' if core.halted else 'after a step'
                self._pause(text)
                return
            self._driving.drive(core, self.robot)
        except RunError as fault:
            self._fault(fault)
        except Exception as error:
            # Nothing is known to come here; whatever does must not leave the robot driving.
            text = f'the executor is at fault ({type(error).__name__}: {error}); please report it'
            self._fault(RunError('E800', text))

    def _serve(self) -> None:
        """Do what the operator asked for, one request a tick."""
        if not self._requests:
            return
        # Whoever wants an end is not kept waiting by those who want to go on (mdle.md §4.6.2).
        endings = [request for request in self._requests if request.kind in ENDINGS]
        if endings:
            request = min(endings, key=lambda request: ENDINGS.index(request.kind))
            self._requests.clear()
        else:
            request = self._requests.popleft()
        kind = request.kind
        if kind in ('cancel', 'stop', 'preempt'):
            if self.phase in (Phase.RUNNING, Phase.PAUSED):
                self._cancel('preempted' if kind == 'preempt' else 'canceled', request.text)
        elif kind == 'pause' and self.phase is Phase.RUNNING:
            self._pause(request.text)
        elif kind in ('resume', 'step') and self.phase is Phase.PAUSED:
            self._resume(request)
        elif kind == 'fault':
            self._fault(RunError(request.code, request.text))

    def _pause(self, text: str) -> None:
        self._clock.pause()
        self._core.halted = ''
        self._stepping = False
        self.phase = Phase.PAUSED
        self.robot.stop('brake')
        self._note('pause', text)
        try:
            for frame in self.frames():
                frame.pause()
        except RunError as fault:
            self._fault(fault)

    def _resume(self, request: Request) -> None:
        self._go_on()
        self.phase = Phase.RUNNING
        self._stepping = request.kind == 'step'
        self._note('resume', request.policy)
        try:
            self._follow(request.policy)
            for frame in self.frames():
                frame.resume()
        except RunError as fault:
            self._fault(fault)

    def _follow(self, policy: Policy) -> None:
        """Do with what runs what the operator asks for after a pause."""
        root, core = self._root, self._core
        assert root
        if policy == 'continue':
            return
        if root.alive:
            root.follow(policy, core.values, core.now)
        elif policy == 'fail':
            # Nothing was entered yet.
            self._finish(Ending('fail', root.path, text=BY_OPERATOR))

    def _go_on(self) -> None:
        """Let the program's clock go on where it stood."""
        self._clock.resume()
        self._core.now = self._clock.now

    def _cancel(self, cause: str, text: str) -> None:
        """End everything in this tick; what is left to run may not drive."""
        ending = Ending('preempted' if cause == 'preempted' else 'canceled', text=text)
        outcome: Outcome = 'PREEMPTED' if cause == 'preempted' else 'CANCELED'
        self._abandon(ending, self._told(ending, outcome, '', text or 'asked by the operator'))

    def _fault(self, fault: RunError) -> None:
        if self.phase is Phase.STOPPING:
            self._note('warning', fault.text)
            return
        ending = Ending('fault', fault.path, fault.place, name=fault.code, text=fault.text)
        self._abandon(ending, self._told(ending, 'FAULT', fault.code, fault.text))

    def _abandon(self, ending: Ending, result: Result) -> None:
        """Leave all frames, stop the robot, and run what is left to run without driving."""
        root, core = self._root, self._core
        assert root
        self.robot.stop('brake')
        self._go_on()
        core.withheld = True
        core.transitions = 0
        try:
            cleanups = root.leave(ending)
        except RunError as error:
            self._note('warning', error.text)
            cleanups = ()
        core.driving.clear()
        around = Surroundings(core, root.around.names, {}, root.path, None)
        unwinding = Unwinding(around, cleanups, None)
        self._root = unwinding
        self._end(result, unwinding)
        try:
            unwinding.start(core.values, core.now)
        except RunError as error:
            self._note('warning', error.text)

    def _finish(self, ending: Ending) -> None:
        """Take the ending of the whole program."""
        outcome, text = finished(ending)
        self._end(self._told(ending, outcome, '', text))

    def _told(self, ending: Ending, outcome: Outcome, code: str, text: str) -> Result:
        return result_of(ending, outcome, code, text, self._core, self._driving)

    def _end(self, result: Result, unwinding: Unwinding | None = None) -> None:
        self._ended = result
        self.phase = Phase.STOPPING
        self._stopping = Stopping(self._core, self.robot, unwinding)
        self._note('stopping', result.outcome)

    def _stop(self) -> None:
        """Go on stopping until the robot was seen to rest (mdle.md §4.6.4)."""
        assert self._stopping and self._ended
        state = self._stopping.step()
        if state == 'late':
            values, waited = self._core.values, self._stopping.waited
            v, w = values.get('twist.v', math.nan), values.get('twist.w', math.nan)
            text = f'the stop is not confirmed: {v:.3f} m/s, {w:.3f} rad/s after {waited:.1f} s'
            ending = Ending('fault', self._ended.path)
            told = f'{text}; {self._ended.message}'
            self._ended = self._told(ending, 'FAULT', 'E807', told)
        if state:
            self._terminate()

    def _terminate(self) -> None:
        assert self._ended
        self.phase = Phase.TERMINATED
        self._note('end', self._ended.outcome)
        pose = self._core.values.get('pose', self._ended.end_pose)
        self.result = replace(
            self._ended, end_pose=Pose2(*pose), events_sha256=self._story.sha256()
        )

    def _new_core(self) -> Core:
        return Core(self.robot.spec, self.settings, self._story.tell, make_frame, self.services)

    def _note(self, kind: str, text: str = '') -> None:
        core = self._core
        core.tell(Event(core.tick, core.now, kind, self.job.entry if self.job else '', text=text))
