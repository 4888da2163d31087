"""One robot, many programs: requests come in, are checked, wait, run, and give results.

What belongs to a transport, such as actions of ROS 2, is not here.
"""

from collections import deque
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import Enum
from typing import Any, Literal

from walking_robots.mdle.analysis.checker import NO_ARGUMENTS, check, check_order, types_of_board
from walking_robots.mdle.analysis.report import Report
from walking_robots.mdle.knowledge.names import Library
from walking_robots.mdle.language import ast
from walking_robots.mdle.language.ast import NOWHERE
from walking_robots.mdle.language.diagnostics import Diagnostic, ProgramError
from walking_robots.mdle.program_store import board_value, parse_arguments, parse_program
from walking_robots.mdle.robot import RobotSpec, VirtualRobot
from walking_robots.mdle.runtime.checkpoint import parse_checkpoint
from walking_robots.mdle.runtime.events import Event, Outcome, Result, RunError
from walking_robots.mdle.runtime.executor import Executor, RunPhase
from walking_robots.mdle.runtime.job import Job, call_of, default_entry, resumed
from walking_robots.mdle.runtime.settings import ExecutorSettings, OperatorRequest

MOST_WAITING = 16
"""Programs that wait for their turn at most."""
ORDER = 'order'
"""Name of the plan that does what a request says, unless the program has one of that name."""
LONGEST_MEANWHILE = 20_000
"""Letters of a program that is read while another one runs: about two ticks of work."""


class Busy(Enum):
    """What to do with an order while another program runs.

    A program that preempts another begins once the robot has been seen to rest; one that takes
    over goes on in the same tick, without a stop, unless the other has cleanups to run.
    """

    REJECT = 0
    QUEUE = 1
    PREEMPT = 2
    TAKE_OVER = 3

    @property
    def ends_others(self) -> bool:
        """Return whether it ends the program that runs."""
        return self in (Busy.PREEMPT, Busy.TAKE_OVER)


@dataclass(frozen=True, slots=True)
class RunRequest:
    """A request to run a program.

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
    """A request on its way; ``result`` is there once it has ended, one way or the other."""

    request: RunRequest
    job: Job | None = None
    report: Report | None = None
    result: Result | None = None

    def refuse(
        self, outcome: Outcome, message: str, code: str = '', line: int = 0, path: str = ''
    ) -> None:
        """End it without having run."""
        self.result = Result(outcome, code, message, path, line)


def check_program(
    program: ast.Program,
    library: Library,
    spec: RobotSpec | None,
    entry: str,
    settings: ExecutorSettings,
    arguments: Mapping[str, ast.Expression] = NO_ARGUMENTS,
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
    """Runs requests on one robot, one at a time, in one thread.

    current, last: the request that runs, and the one that ran last.
    """

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
        self.current: RunHandle | None = None
        self._waiting: deque[RunHandle] = deque()

    @property
    def waiting(self) -> int:
        """How many requests wait."""
        return len(self._waiting)

    def submit(self, request: RunRequest, now: int) -> RunHandle:
        """Take a request at a time, ns; it may be refused at once, see its result."""
        handle = RunHandle(request)
        try:
            self._prepare(handle)
            if not handle.result:
                self._accept(handle, now)
        except ProgramError as error:
            found = error.diagnostics[0]
            line, hint = found.place.line, f' ({found.hint})' if found.hint else ''
            message = f'line {line}: {found.text}{hint}' if line else f'{found.text}{hint}'
            handle.refuse('REJECTED', message, found.code, line, found.element)
        except RunError as error:
            handle.refuse('REJECTED', error.text, error.code)
        except ValueError as error:
            handle.refuse('REJECTED', str(error))
        return handle

    def _accept(self, handle: RunHandle, now: int) -> None:
        """Run a request now or later; raise ValueError where it can be neither."""
        if not self.current:
            self._begin(handle, now)
        elif handle.request.on_busy is Busy.REJECT:
            running = self.current.job.entry if self.current.job else ''
            raise ValueError(f"'{running}' runs already; queue or preempt instead")
        elif handle.request.on_busy.ends_others:
            self._preempt(handle)
        elif len(self._waiting) >= MOST_WAITING:
            raise ValueError(f'{MOST_WAITING} programs wait already')
        else:
            self._waiting.append(handle)

    def _preempt(self, handle: RunHandle) -> None:
        """Preempt what runs, and who was to take over before."""
        for other in [t for t in self._waiting if t.request.on_busy.ends_others]:
            self._waiting.remove(other)
            other.refuse('PREEMPTED', 'another program took over before it began')
        self._waiting.appendleft(handle)
        takes_over = handle.request.on_busy is Busy.TAKE_OVER
        kind: Literal['take_over', 'preempt'] = 'take_over' if takes_over else 'preempt'
        self.executor.ask(OperatorRequest(kind, 'for another program'))

    def check_length(self, source: str) -> None:
        """Raise ValueError for a text that cannot be read now: ticks must not wait for it."""
        if self.current and len(source) > LONGEST_MEANWHILE:
            raise ValueError(
                f'the program is too long to be read while another one runs ({len(source)} '
                f'letters, {LONGEST_MEANWHILE} at most); send it when that has ended'
            )

    def cancel(self, handle: RunHandle) -> bool:
        """Cancel a request; return whether it was waiting or running."""
        if handle is self.current:
            self.executor.ask(OperatorRequest('cancel'))
            return True
        if handle in self._waiting:
            self._waiting.remove(handle)
            handle.refuse('CANCELED', 'canceled while it waited')
            return True
        return False

    def set_value(self, name: str, text: str) -> None:
        """Set ``bb.name`` of the program that runs, from a value as it is written there.

        Raises ValueError where none runs, or the value does not fit.
        """
        executor, job = self.executor, self.current.job if self.current else None
        if job is None or executor.phase not in (RunPhase.RUNNING, RunPhase.PAUSED):
            raise ValueError('no program runs, and each begins with a blackboard of its own')
        types = types_of_board(job.program, job.names)
        executor.context.board[name] = board_value(name, text, executor.context.board, types)

    def stop_all(self, text: str = '') -> None:
        """Stop what runs, and forget what waits."""
        while self._waiting:
            self._waiting.popleft().refuse('CANCELED', text or 'all programs were stopped')
        if self.current:
            self.executor.ask(OperatorRequest('stop', text))

    def tick(self, now: int) -> list[Event]:
        """Do one tick at a time, ns; return what happened in it."""
        executor = self.executor
        phase = executor.tick(now)
        events = executor.take_events()
        if phase is RunPhase.TERMINATED and self.current:
            self.current.result = executor.result
            self.last, self.current = self.current, None
        if not self.current and self._waiting:
            begun = self._waiting.popleft()
            self._begin(begun, now)
            if begun.request.on_busy is Busy.TAKE_OVER:
                # In the same tick, as between two atoms: the robot drives meanwhile.
                executor.tick(now)
                events += executor.take_events()
        return events

    def _prepare(self, handle: RunHandle) -> None:
        """Read and check a request; raise ProgramError, RunError or ValueError for a wrong one."""
        request = handle.request
        self.check_length(request.source)
        program = parse_program(request.source, request.form, request.file)
        job = resumed(
            Job(
                program,
                self.library,
                request.entry or default_entry(program),
                parse_arguments(request.arguments),
                request.alpha or None,
                request.beta,
                request.backwards,
                parse_checkpoint(request.resume) if request.resume else None,
            )
        )
        wrong = self._wrong(handle, job)
        if wrong:
            raise ProgramError(list(wrong), request.file)
        handle.job = job
        if job.element and request.dry_run:
            handle.refuse('DONE', 'checked; nothing was run')

    def _wrong(self, handle: RunHandle, job: Job) -> Sequence[Diagnostic]:
        """Check what is to be run, for the report of its request; return what is wrong with it."""
        program, entry, arguments = job.program, job.entry, job.arguments
        spec, settings = self.executor.robot.spec, self.executor.settings
        handle.report = check_program(program, self.library, spec, entry, settings, arguments)
        wrong = handle.report.errors or check_order(program, self.library, spec, entry, arguments)
        if not wrong and (job.alpha or job.backwards or job.beta != 1.0):
            # What goes for the step of a plan that would do the same goes for the request.
            program, entry = with_order(job, job.alpha or self._unscaled())
            handle.report = check_program(program, self.library, spec, entry, settings)
            wrong = [replace(found, place=NOWHERE) for found in handle.report.errors]
        return wrong

    def _unscaled(self) -> tuple[float, ...]:
        """Return factors that change nothing; () where control spaces differ in width."""
        spaces = self.executor.robot.spec.spaces.values()
        widths = {len(space.channels) for space in spaces} - {0}
        return (1.0,) * widths.pop() if len(widths) == 1 else ()

    def _begin(self, handle: RunHandle, now: int) -> None:
        assert handle.job
        self.current = handle
        self.executor.start(handle.job, now, handle.request.start_paused)


def with_order(job: Job, alpha: tuple[float, ...]) -> tuple[ast.Program, str]:
    """Return a program with one plan more, which does what a job does, and its name.

    It scales or reverses the entry as a step would (mdle.md §4.10, §4.11).
    """
    call = call_of(job.entry, job.arguments)
    step: ast.Step = ast.Reverse(call) if job.backwards else ast.Run(call)
    if alpha:
        scale = ast.Scale(tuple(map(_number, alpha)), _number(job.beta))
        step = ast.Run(steps=(step,), scale=scale) if job.backwards else ast.Run(call, scale=scale)
    program, name = job.program, ORDER
    while any(declared.name == name for declared in program.declarations()):
        name += '_'
    plan = ast.Encapsulation('plan', name, (step,))
    return replace(program, plans=(*program.plans, plan)), name


def _number(value: float) -> ast.Expression:
    return ast.Unary('-', ast.Number(-value)) if value < 0.0 else ast.Number(value)
