"""Run a program on a virtual robot, tick by tick (mdle.md §4.6).

The executor never waits and never reads a clock: whoever calls ``tick`` says what time it is. A
run is over when the robot has been seen to rest.
"""

import math
from collections import deque
from collections.abc import Iterator
from dataclasses import replace
from enum import Enum
from typing import Any, Literal

from walking_robots.geometry.se2 import ORIGIN, Pose2
from walking_robots.mdle.language.ast import Encapsulation, walk
from walking_robots.mdle.language.expression_printer import format_expression
from walking_robots.mdle.robot import VirtualRobot
from walking_robots.mdle.runtime.checkpoint import Checkpoint
from walking_robots.mdle.runtime.driving import Driving, Stopping
from walking_robots.mdle.runtime.events import Ending, Event, EventLog, Outcome, Result, RunError
from walking_robots.mdle.runtime.frame_factory import make_frame
from walking_robots.mdle.runtime.frames import EntryContext, RunFrame
from walking_robots.mdle.runtime.job import Job, default_guard, resumed
from walking_robots.mdle.runtime.leaves import BY_OPERATOR
from walking_robots.mdle.runtime.run_context import RunContext
from walking_robots.mdle.runtime.sequence import Sequence
from walking_robots.mdle.runtime.settings import ExecutorSettings, OperatorRequest
from walking_robots.mdle.runtime.tick_monitor import TickMonitor
from walking_robots.mdle.runtime.unwinding import Unwinding

ENDINGS = ('fault', 'stop', 'cancel', 'preempt', 'take_over')
"""Requests that end a program, the first of them first (mdle.md §4.6.2, §4.7)."""


class RunPhase(Enum):
    """The state of the executor; values are those of the report's run flag, where it has one."""

    NOTRUN = 0
    RUNNING = 1
    TERMINATED = 2
    PAUSED = 3
    STOPPING = 4


class Executor:
    """Runs one program after another on one robot.

    All calls come from one thread. ``ask`` keeps a request for the next tick; ``result`` is there
    once the phase is TERMINATED; ``context`` is the state of the run: channels, blackboard, clock;
    ``ticks`` counts those that were late.
    """

    def __init__(
        self, robot: VirtualRobot, settings: ExecutorSettings | None = None, services: Any = None
    ) -> None:
        """Take the robot; nothing runs yet. ``services`` are for atoms of space none."""
        self.robot = robot
        self._settings = settings or ExecutorSettings()
        self.services = services
        self.phase = RunPhase.NOTRUN
        self.result: Result | None = None
        self.job: Job | None = None
        self._requests: deque[OperatorRequest] = deque()
        self._root: RunFrame | None = None
        self._stopping: Stopping | None = None
        self._ended: Result | None = None
        self._reset(0)

    def _reset(self, now: int) -> None:
        self._log = EventLog()
        self._driving = Driving()
        self._heard = now
        self.ticks = TickMonitor()
        self._stepping = False
        self.context = RunContext(
            self.robot.spec, self.settings, self._log, make_frame, self.services
        )
        self.context.now = self.context.begun = now

    def start(self, job: Job, now: int, paused: bool = False) -> None:
        """Take a program to run from the next tick on.

        Raises RuntimeError where one runs already, RunError where the entry is missing, or the
        checkpoint to go on from does not fit.
        """
        if self.phase not in (RunPhase.NOTRUN, RunPhase.TERMINATED):
            raise RuntimeError('a program runs already')
        job = resumed(job)
        guard = default_guard(self.robot.spec, self.settings)
        step = job.step(guard)
        self.job, self.result, self._ended = job, None, None
        self._requests.clear()
        self._reset(now)
        core = self.context
        core.names, core.default_guard, core.guarded = job.names, guard, job.element
        if not job.reverses_recorded:
            core.recording.ticks = deque(maxlen=0)
        if job.resume:
            core.board.update(job.resume.board)
        entry = EntryContext(
            core,
            job.names,
            {},
            job.entry,
            alpha=job.alpha,
            beta=job.beta,
            direct=job.beta,
            resume=job.resume.where if job.resume else None,
        )
        self._root = Sequence(entry, Encapsulation('behavior', '', (step,)), 'program')
        self.phase = RunPhase.PAUSED if paused else RunPhase.RUNNING
        self._note('start')

    def ask(self, request: OperatorRequest) -> None:
        """Keep a request of the operator for the next tick."""
        self._requests.append(request)

    def take_events(self) -> list[Event]:
        """Return the events since the last call."""
        return self._log.take()

    @property
    def settings(self) -> ExecutorSettings:
        """The settings; new breakpoints count at once."""
        return self._settings

    @settings.setter
    def settings(self, settings: ExecutorSettings) -> None:
        self._settings = self.context.settings = settings

    def frames(self) -> Iterator[RunFrame]:
        """Return all frames that run, outermost first."""
        if self._root and self._root.alive:
            frames = self._root.active()
            next(frames)
            yield from frames

    def checkpoint(self) -> Checkpoint | None:
        """Return where the run is, None where nothing runs."""
        if not self.job or self.phase not in (RunPhase.RUNNING, RunPhase.PAUSED):
            return None
        assert self._root
        job = self.job
        return Checkpoint(
            job.digest,
            job.entry,
            self._root.where() if self._root.alive else self._root.entry.resume,
            dict(self.context.board),
            {name: format_expression(value) for name, value in job.arguments.items()},
            job.alpha,
            job.beta,
            job.backwards,
        )

    # Ticks

    def tick(self, now: int) -> RunPhase:
        """Do one tick at a time, ns; return the phase after it."""
        if self.phase in (RunPhase.NOTRUN, RunPhase.TERMINATED):
            return self.phase
        core = self.context
        core.observe(self.robot.read(now), now)
        if self.phase is not RunPhase.PAUSED:
            # A clock that was set back, such as a simulation's, is followed (mdle.md §4.6.6).
            core.now += max(now - self._heard, 0)
        self._heard = now
        if core.values.get('estop') and self.phase is not RunPhase.STOPPING:
            # Before all else, whatever the program says.
            self._fault(RunError('ESTOP', 'the emergency stop is pressed'))
        self._watch_ticks(now)
        self._serve()
        if self.phase is RunPhase.PAUSED:
            self.robot.stop('brake')
            return self.phase
        core.transitions = 0
        if self.phase is RunPhase.RUNNING:
            self._run()
        if self.phase is RunPhase.STOPPING:
            self._stop()
        core.tick += 1
        return self.phase

    def _watch_ticks(self, now: int) -> None:
        """Warn of the first late tick; several in a row, or a stall, are a fault (E805)."""
        ticks = self.ticks
        if self.phase is not RunPhase.RUNNING:
            ticks.rest()
            return
        missed = ticks.missed
        late = ticks.tick(now, self.settings)
        path = ([frame.path for frame in self.frames()] or [''])[-1] if late else ''
        if ticks.fault:
            self._fault(RunError('E805', ticks.fault, path=path))
        elif ticks.missed and not missed:
            self.context.note('warning', path, text=f'E805 {late}')

    def _run(self) -> None:
        """Do the part of a tick that is the program's."""
        core, root = self.context, self._root
        assert root
        try:
            before = len(self._log)
            ending: Ending | None
            if core.order == 'fail' and not root.alive:
                # Nothing was entered yet.
                ending = Ending('fail', root.path, text=BY_OPERATOR)
            else:
                act = root.check if root.alive else root.start
                ending = act(core.values, core.now)
            core.order = ''
            if ending:
                self._begin_stop(self._result(ending, *ending.outcome()))
            elif core.halted:
                self._pause(f'before {core.halted}')
            elif self._stepping and len(self._log) > before:
                self._pause('after a step')
            else:
                self._driving.drive(core, self.robot)
        except RunError as fault:
            self._fault(fault)
        except Exception as error:
            # Nothing is known to come here; whatever does must not leave the robot driving.
            text = f'the executor is at fault ({type(error).__name__}: {error}); please report it'
            self._fault(RunError('E800', text))

    def _stop(self) -> None:
        """Go on stopping until the robot was seen to rest (mdle.md §4.6.4)."""
        assert self._stopping and self._ended
        state = self._stopping.step()
        if not state:
            return
        if state == 'late':
            values, waited = self.context.values, self._stopping.waited
            v, w = values.get('twist.v', math.nan), values.get('twist.w', math.nan)
            text = f'the stop is not confirmed: {v:.3f} m/s, {w:.3f} rad/s after {waited:.1f} s'
            ending = Ending('fault', self._ended.path)
            text = f'{text}; {self._ended.message}'
            self._ended = self._result(ending, 'FAULT', text, 'E807')
        self._end(self._ended)

    def _end(self, result: Result) -> None:
        self.phase = RunPhase.TERMINATED
        if self.ticks.missed:
            self._note('warning', f'E805 {self.ticks.missed} ticks were missed')
        self._note('end', result.outcome)
        pose = self.context.values.get('pose', result.end_pose)
        self.result = replace(result, end_pose=Pose2(*pose), events_sha256=self._log.sha256())

    # Requests of the operator

    def _serve(self) -> None:
        """Serve the requests of the operator, one a tick."""
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
        if kind == 'fault':
            self._fault(RunError(request.code, request.text))
        elif kind in ENDINGS and self.phase in (RunPhase.RUNNING, RunPhase.PAUSED):
            cause: Literal['preempted', 'canceled'] = 'canceled'
            outcome: Outcome = 'CANCELED'
            if kind in ('preempt', 'take_over'):
                cause, outcome = 'preempted', 'PREEMPTED'
            message = request.text or 'by the operator'
            drives_on = kind == 'take_over' and self.phase is RunPhase.RUNNING
            self._abandon(Ending(cause, text=request.text), outcome, message, drives_on=drives_on)
        elif kind == 'pause' and self.phase is RunPhase.RUNNING:
            self._pause(request.text)
        elif kind in ('resume', 'step') and self.phase is RunPhase.PAUSED:
            self._resume(request)

    def _pause(self, text: str) -> None:
        self.context.halted = ''
        self._stepping = False
        self.phase = RunPhase.PAUSED
        self.robot.stop('brake')
        self._note('pause', text)
        try:
            for frame in self.frames():
                frame.pause()
        except RunError as fault:
            self._fault(fault)

    def _resume(self, request: OperatorRequest) -> None:
        self.phase = RunPhase.RUNNING
        self._stepping = request.kind == 'step'
        self._note('resume', request.policy)
        try:
            if request.policy == 'continue':
                for frame in self.frames():
                    frame.resume()
            else:
                self.context.order = request.policy
        except RunError as fault:
            self._fault(fault)

    # Ends

    def _fault(self, fault: RunError) -> None:
        if self.phase is RunPhase.STOPPING:
            self._note('warning', fault.text)
            return
        ending = Ending('fault', fault.path, fault.place, name=fault.code, text=fault.text)
        self._abandon(ending, 'FAULT', fault.text, fault.code)

    def _abandon(
        self,
        ending: Ending,
        outcome: Outcome,
        message: str,
        code: str = '',
        *,
        drives_on: bool = False,
    ) -> None:
        """Leave all frames, stop the robot, and run what is left to run without driving.

        drives_on: whether the robot goes on as it was last commanded, for a program that takes
        over in this tick; it stops all the same where something is left to run.
        """
        root, core = self._root, self.context
        assert root
        result = self._result(ending, outcome, message, code)
        core.order = ''
        if not drives_on:
            self.robot.stop('brake')
        core.withheld = True
        core.transitions = 0
        try:
            cleanups = root.leave(ending)
        except RunError as error:
            self._note('warning', error.text)
            cleanups, drives_on = (), False
        core.driving.clear()
        if drives_on and not cleanups:
            self._end(result)
            return
        entry = EntryContext(core, root.entry.names, {}, root.path)
        self._root = unwinding = Unwinding(entry, cleanups, None)
        self._begin_stop(result, unwinding)
        try:
            unwinding.start(core.values, core.now)
        except RunError as error:
            self._note('warning', error.text)

    def _begin_stop(self, result: Result, unwinding: Unwinding | None = None) -> None:
        self._ended = result
        self.phase = RunPhase.STOPPING
        self._stopping = Stopping(self.context, self.robot, unwinding)
        self._note('stopping', result.outcome)

    def _result(self, ending: Ending, outcome: Outcome, message: str, code: str = '') -> Result:
        core, line = self.context, ending.place.line
        site = core.sites.get(ending.path)
        if line and site and site.module:
            part = site.part
            if not part or all(node.place is not ending.place for node in walk(part)):
                # A line of the library is of no use to whoever wrote the program.
                message = f'{message} (in {site.module}, line {line})' if code else message
                line = part.place.line if part else 0
        return Result(
            outcome,
            code,
            message,
            ending.path,
            line,
            ending.name if ending.cause != 'fault' else '',
            dict(ending.values),
            (core.now - core.begun) * 1e-9,
            self._driving.ticks,
            self._driving.way,
            self._driving.effort,
            core.interrupts,
            dict(ending.outputs),
            Pose2(*core.values.get('pose', ORIGIN)),
        )

    def _note(self, kind: str, text: str = '') -> None:
        self.context.note(kind, self.job.entry if self.job else '', text=text)
