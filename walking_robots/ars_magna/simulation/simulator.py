"""Advance a world tick by tick: commands, kickers, tracks, reports (ars_magna.md §13.1, §13.2)."""

from collections.abc import Callable, Sequence
from functools import partial
from operator import attrgetter

from walking_robots.ars_magna.agent.futures import call_all
from walking_robots.ars_magna.agent.messages import DONE, STARTED, CommandReport, CommandRequest
from walking_robots.ars_magna.codes import Code
from walking_robots.ars_magna.design.model import WorldDesign
from walking_robots.ars_magna.simulation.commands import process_of
from walking_robots.ars_magna.simulation.processes import Lasting, ProcessRun
from walking_robots.ars_magna.simulation.scheduler import Scheduler
from walking_robots.ars_magna.simulation.tick_phases import (
    drop_stale,
    follow_tracks,
    kick,
    withdraw_parts,
)
from walking_robots.ars_magna.simulation.world_state import WorldState

Sink = Callable[[CommandReport], None]


class Simulator:
    """A world in ticks; nothing happens between two of them.

    sinks: receivers of the reports of a robot's commands, by its name; watchers: receivers
    of these reports before them, in each tick; ticked: called at the end of each tick.
    """

    def __init__(self, design: WorldDesign, seed: int) -> None:
        """Build a world; the same seed and the same requests give the same course of things."""
        self.world = WorldState(design, seed)
        self.world.end = self._end
        self.scheduler = Scheduler()
        self.sinks: dict[str, Sink] = {}
        self.watchers: list[Callable[[Sequence[CommandReport]], None]] = []
        self.ticked: list[Callable[[], None]] = []
        self._inbox: list[ProcessRun] = []
        self._withdrawn: list[ProcessRun] = []
        self._running: dict[str, ProcessRun] = {}
        self._reports: list[CommandReport] = []

    @property
    def now(self) -> int:
        """Return the number of the present tick."""
        return self.world.now

    def submit(self, request: CommandRequest) -> None:
        """Take a command, which begins in the next tick.

        Raises ValueError, one sentence, for a command that no robot could be given.
        """
        self._inbox.append(process_of(self.world, request))

    def withdraw(self, robot: str, number: int) -> bool:
        """Take back a command that has not begun, which ends with INTERRUPT in the next tick."""
        for run in self._inbox:
            if (run.request.robot, run.request.number) == (robot, number):
                self._inbox.remove(run)
                self._withdrawn.append(run)
                return True
        return False

    def grab(self, resource: str) -> bool:
        """Take a resource, ending what runs on it with INTERRUPT; return whether something did."""
        ended = self._end(resource, Code.INTERRUPT)
        return self.scheduler.grab(resource) or ended

    def tick(self) -> None:
        """Advance by one tick."""
        world = self.world
        world.now += 1
        self.scheduler.now = world.messages.tick = world.now
        if self._inbox or self._withdrawn:
            self._take()
        self.scheduler.run_due()
        kick(world)
        withdraw_parts(world)
        follow_tracks(world)
        drop_stale(world)
        self._deliver()

    # Commands

    def _take(self) -> None:
        """Begin the commands received since the last tick, in an order independent of arrival."""
        runs, self._inbox = sorted(self._inbox, key=attrgetter('rank')), []
        withdrawn, self._withdrawn = self._withdrawn, []
        for run in (*withdrawn, *runs):
            run.issued = self.world.now - 1
        for run in withdrawn:
            self._report(run, Code.INTERRUPT, ())
        for run in runs:
            self._begin(run)

    def _begin(self, run: ProcessRun) -> None:
        """Begin a command; one that is wrong from the start does not disturb what runs."""
        if run.info.grabs:
            tracked = self._end(f'{run.resource}/track', Code.INTERRUPT)
            self._report(run, Code.NIL, (self.grab(run.resource) or tracked,))
            return
        try:
            wait = next(run.process)
        except StopIteration as end:
            self._report(run, end.value.code, end.value.values)
            return
        except Exception as error:
            self._fail(run, error)
            return
        self.grab(run.resource)
        if run.info.ends_track:
            self._end(f'{run.resource}/track', Code.INTERRUPT)
        self._wait(run, run.issued, wait)

    def _wait(self, run: ProcessRun, since: int, wait: int | Lasting) -> None:
        """Schedule a process, or keep it as a lasting one."""
        if isinstance(wait, Lasting):
            self._running.pop(run.resource, None)
            run.resource = wait.resource
            self._running[run.resource] = run
            self._reports.append(self._about(run, STARTED, Code.NIL, wait.values))
            return
        self._running[run.resource] = run
        self.scheduler.put(
            run.resource,
            since + max(wait, 1),
            partial(self._go_on, run),
            interrupt=partial(self._bump, run),
        )

    def _bump(self, run: ProcessRun) -> None:
        """End a command whose resource an event of higher priority has taken."""
        if self._running.get(run.resource) is run:
            self._end(run.resource, Code.INTERRUPT)

    def _go_on(self, run: ProcessRun) -> None:
        """Carry a process to where it next waits, or to its end."""
        try:
            wait = next(run.process)
        except StopIteration as end:
            del self._running[run.resource]
            self._report(run, end.value.code, end.value.values)
        except Exception as error:
            del self._running[run.resource]
            self._fail(run, error)
        else:
            self._wait(run, self.world.now, wait)

    def _fail(self, run: ProcessRun, error: Exception) -> None:
        """End a command in which there is a mistake, and report it; the world goes on."""
        self._report(run, Code.FAILED, ())
        reason = f'{type(error).__name__}: {error}'
        self.world.messages.error(
            f'{run.request.command} of {run.request.robot} has a mistake ({reason}).'
        )

    def _end(self, resource: str, code: str) -> bool:
        """End what runs on a resource from without; return whether something did."""
        run = self._running.pop(resource, None)
        if run is None:
            return False
        self.scheduler.grab(resource)
        run.process.close()
        self._report(run, code, ())
        return True

    # Reports

    def _report(self, run: ProcessRun, code: str, values: tuple[object, ...]) -> None:
        """Keep a report for the end of the tick; a command that failed gives None for values."""
        full = values + (None,) * (len(run.info.values) - len(values))
        self._reports.append(self._about(run, DONE, code, full))

    def _about(
        self, run: ProcessRun, kind: str, code: str, values: tuple[object, ...]
    ) -> CommandReport:
        request = run.request
        return CommandReport(
            request.robot,
            request.number,
            request.command,
            request.part,
            kind,
            str(code),
            values,
            run.issued,
            self.world.now,
        )

    def _deliver(self) -> None:
        """Report to watchers, then to robots, what became of their commands.

        An error of one of them, or of an event, is raised after all have been called.
        """
        reports, self._reports = self._reports, []
        errors, self.scheduler.errors = self.scheduler.errors, []
        calls: list[Callable[[], None]] = [partial(watch, reports) for watch in self.watchers]
        calls += [
            partial(self.sinks[report.robot], report)
            for report in reports
            if report.robot in self.sinks
        ]
        call_all(calls + self.ticked, errors)
