"""One robot, many programs: orders come in, are checked, wait, run, and give results.

What belongs to a transport, such as actions of ROS 2, is not here.
"""

from collections import deque
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import Enum
from typing import Any

from walking_robots.mdle.analysis.checker import NO_ARGUMENTS, check, check_order, types_of_board
from walking_robots.mdle.analysis.report import Report
from walking_robots.mdle.given_values import board_value
from walking_robots.mdle.knowledge.names import Library
from walking_robots.mdle.language.ast import NOWHERE, Expression, Program
from walking_robots.mdle.language.diagnostics import Diagnostic, ProgramError
from walking_robots.mdle.ordering import with_order
from walking_robots.mdle.program_store import parse_arguments, parse_program
from walking_robots.mdle.robot import RobotSpec, VirtualRobot
from walking_robots.mdle.runtime.checkpoint import parse_checkpoint
from walking_robots.mdle.runtime.events import Event, Outcome, Result, RunError
from walking_robots.mdle.runtime.executor import Executor, RunPhase
from walking_robots.mdle.runtime.job import Job, default_entry, resumed
from walking_robots.mdle.runtime.settings import ExecutorSettings, OperatorRequest

MOST_WAITING = 16
"""Programs that wait for their turn at most."""
LONGEST_MEANWHILE = 20_000
"""Letters of a program that is read while another one runs: about two ticks of work."""


class Busy(Enum):
    """What to do with an order while another program runs."""

    REJECT = 0
    QUEUE = 1
    PREEMPT = 2


@dataclass(frozen=True, slots=True)
class RunRequest:
    """A program to run, as somebody asked for it.

    source, form, file: its text, 'mdle' or 'yaml', its name in messages; arguments: of the entry,
    as written; alpha, beta: scale of the whole; backwards: drive it the other way round; resume:
    a checkpoint to go on at, whose order is taken up.
    """

    source: str
    form: str = 'mdle'
    file: str = 'program'
    entry: str = ''
    arguments: Mapping[str, str] = field(default_factory=dict)
    alpha: tuple[float, ...] = ()
    beta: float = 1.0
    backwards: bool = False
    dry_run: bool = False
    on_busy: Busy = Busy.REJECT
    start_paused: bool = False
    resume: str = ''


@dataclass(eq=False, slots=True)
class RunHandle:
    """An order on its way; ``result`` is there once it has ended, one way or the other."""

    order: RunRequest
    job: Job | None = None
    report: Report | None = None
    result: Result | None = None

    def refuse(self, outcome: Outcome, message: str, code: str = '', line: int = 0) -> None:
        """End it without having run."""
        self.result = Result(outcome, code, message, line=line)


def check_program(
    program: Program,
    library: Library,
    spec: RobotSpec | None,
    entry: str,
    settings: ExecutorSettings,
    arguments: Mapping[str, Expression] = NO_ARGUMENTS,
) -> Report:
    """Check a program as the executor would run it, its entry with arguments."""
    return check(
        program,
        library,
        spec,
        entry,
        tick=settings.tick_period,
        default_guard=settings.default_guards,
        arguments=arguments,
    )


class Session:
    """Runs orders on one robot, one at a time, in one thread."""

    def __init__(
        self,
        robot: VirtualRobot,
        library: Library,
        settings: ExecutorSettings | None = None,
        services: Any = None,
    ) -> None:
        """Take the robot and the modules that programs may import."""
        self.library = library
        self.executor = Executor(robot, settings, services)
        self.last: RunHandle | None = None
        self._current: RunHandle | None = None
        self._waiting: deque[RunHandle] = deque()

    @property
    def settings(self) -> ExecutorSettings:
        """The settings of the executor; new breakpoints count at once."""
        return self.executor.settings

    @settings.setter
    def settings(self, settings: ExecutorSettings) -> None:
        self.executor.settings = settings

    @property
    def current(self) -> RunHandle | None:
        """The order that runs."""
        return self._current

    @property
    def waiting(self) -> int:
        """How many orders wait."""
        return len(self._waiting)

    def submit(self, order: RunRequest, now: int) -> RunHandle:
        """Take an order at a time, ns; it may be refused at once, see its result."""
        too_long = self.too_long_now(order.source)
        if too_long:
            ticket = RunHandle(order)
            ticket.refuse('REJECTED', too_long)
            return ticket
        ticket = self._prepare(order)
        if ticket.result:
            return ticket
        if not self._current:
            self._begin(ticket, now)
        elif order.on_busy is Busy.REJECT:
            running = self._current.job.entry if self._current.job else ''
            ticket.refuse('REJECTED', f"'{running}' runs already; queue or preempt instead")
        elif order.on_busy is Busy.PREEMPT:
            self._preempt(ticket)
        elif len(self._waiting) >= MOST_WAITING:
            ticket.refuse('REJECTED', f'{MOST_WAITING} programs wait already')
        else:
            self._waiting.append(ticket)
        return ticket

    def _preempt(self, ticket: RunHandle) -> None:
        """Preempt what runs with an order, and from who was to take over before it."""
        for other in [t for t in self._waiting if t.order.on_busy is Busy.PREEMPT]:
            self._waiting.remove(other)
            other.refuse('PREEMPTED', 'another program took over before it began')
        self._waiting.appendleft(ticket)
        self.executor.ask(OperatorRequest('preempt', 'for another program'))

    def too_long_now(self, source: str) -> str:
        """Return why a text cannot be read now, '' where it can: ticks must not wait for it."""
        if self._current and len(source) > LONGEST_MEANWHILE:
            return (
                f'the program is too long to be read while another one runs ({len(source)} '
                f'letters, {LONGEST_MEANWHILE} at most); send it when that has ended'
            )
        return ''

    def cancel(self, ticket: RunHandle) -> bool:
        """Cancel an order; return whether it was waiting or running."""
        if ticket is self._current:
            self.executor.ask(OperatorRequest('cancel'))
            return True
        if ticket in self._waiting:
            self._waiting.remove(ticket)
            ticket.refuse('CANCELED', 'canceled while it waited')
            return True
        return False

    def set_value(self, name: str, text: str) -> None:
        """Set ``bb.name`` of the program that runs, from a value as it is written there.

        Raises ValueError where none runs, or the value does not fit.
        """
        executor, job = self.executor, self._current.job if self._current else None
        if job is None or executor.phase not in (RunPhase.RUNNING, RunPhase.PAUSED):
            raise ValueError('no program runs, and each begins with a blackboard of its own')
        types = types_of_board(job.program, job.names)
        executor.context.board[name] = board_value(name, text, executor.context.board, types)

    def stop_all(self, text: str = '') -> None:
        """Stop what runs, and forget what waits."""
        while self._waiting:
            self._waiting.popleft().refuse('CANCELED', text or 'all programs were stopped')
        if self._current:
            self.executor.ask(OperatorRequest('stop', text))

    def tick(self, now: int) -> list[Event]:
        """Do one tick at a time, ns; gives what happened in it."""
        executor = self.executor
        phase = executor.tick(now)
        events = executor.take_events()
        if phase is RunPhase.TERMINATED and self._current:
            self._current.result = executor.result
            self.last, self._current = self._current, None
        if not self._current and self._waiting:
            self._begin(self._waiting.popleft(), now)
        return events

    def _prepare(self, order: RunRequest) -> RunHandle:
        """Read and check an order."""
        ticket = RunHandle(order)
        try:
            program = parse_program(order.source, order.form, order.file)
            arguments = parse_arguments(order.arguments)
            resume = parse_checkpoint(order.resume) if order.resume else None
        except ProgramError as error:
            _refuse_for(ticket, error.diagnostics[0])
            return ticket
        except ValueError as error:
            ticket.refuse('REJECTED', str(error))
            return ticket
        entry = order.entry or default_entry(program)
        alpha = order.alpha or None
        job = Job(
            program, self.library, entry, arguments, alpha, order.beta, order.backwards, resume
        )
        try:
            job = resumed(job)
        except RunError as error:
            ticket.refuse('REJECTED', error.text, error.code)
            return ticket
        wrong = self._wrong(ticket, job)
        if wrong:
            _refuse_for(ticket, wrong[0])
            return ticket
        ticket.job = job
        try:
            _ = job.element
        except RunError as error:
            ticket.refuse('REJECTED', error.text, error.code)
        else:
            if order.dry_run:
                ticket.refuse('DONE', 'checked; nothing was run')
        return ticket

    def _wrong(self, ticket: RunHandle, job: Job) -> Sequence[Diagnostic]:
        """Check what is to be run, for the report of its order; gives what is wrong with it."""
        program, entry, arguments = job.program, job.entry, job.arguments
        report = ticket.report = self._judge(program, entry, arguments)
        spec = self.executor.robot.spec
        wrong = report.errors or check_order(program, self.library, spec, entry, arguments)
        if not wrong and (job.alpha or job.backwards or job.beta != 1.0):
            alpha = job.alpha or self._unscaled()
            ticket.report = self._judge(
                *with_order(program, entry, arguments, alpha, job.beta, job.backwards)
            )
            wrong = [replace(found, place=NOWHERE) for found in ticket.report.errors]
        return wrong

    def _judge(
        self,
        program: Program,
        entry: str,
        arguments: Mapping[str, Expression] = NO_ARGUMENTS,
    ) -> Report:
        executor = self.executor
        spec, settings = executor.robot.spec, executor.settings
        return check_program(program, self.library, spec, entry, settings, arguments)

    def _unscaled(self) -> tuple[float, ...]:
        """Return factors that change nothing; () where control spaces differ in width."""
        spaces = self.executor.robot.spec.spaces.values()
        widths = {len(space.channels) for space in spaces} - {0}
        return (1.0,) * widths.pop() if len(widths) == 1 else ()

    def _begin(self, ticket: RunHandle, now: int) -> None:
        assert ticket.job
        self._current = ticket
        self.executor.start(ticket.job, now, ticket.order.start_paused)


def _refuse_for(ticket: RunHandle, found: Diagnostic) -> None:
    hint = f' ({found.hint})' if found.hint else ''
    where = f'line {found.place.line}: ' if found.place.line else ''
    ticket.refuse('REJECTED', f'{where}{found.text}{hint}', found.code, found.place.line)
    if ticket.result:
        ticket.result = replace(ticket.result, path=found.element)
