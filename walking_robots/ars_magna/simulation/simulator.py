"""Advance a world tick by tick: commands, kickers, tracks, reports (ars_magna.md §13.1, §13.2)."""

import math
from collections.abc import Callable, Sequence
from itertools import chain
from operator import attrgetter
from typing import Protocol

from walking_robots.ars_magna.agent.futures import errors_of, raise_first
from walking_robots.ars_magna.agent.messages import DONE, STARTED, CommandReport, CommandRequest
from walking_robots.ars_magna.codes import Code
from walking_robots.ars_magna.design.model import WorldDesign
from walking_robots.ars_magna.simulation.commands import process_of
from walking_robots.ars_magna.simulation.processes import After, Answer, Lasting, ProcessRun
from walking_robots.ars_magna.simulation.saving import SavedState
from walking_robots.ars_magna.simulation.scheduler import Scheduler
from walking_robots.ars_magna.simulation.tick_phases import (
    drop_stale,
    follow_tracks,
    kick,
    next_change,
    withdraw_parts,
)
from walking_robots.ars_magna.simulation.world_state import WorldState

Sink = Callable[[CommandReport], None]


class Clock(Protocol):
    """What waits for a tick, ``due``; inf for none."""

    due: float

    def ticked(self) -> None:
        """Go on, in this tick."""


class Simulator:
    """A world in ticks; nothing happens between two of them.

    sinks: receivers of the reports of a robot's commands, by its name; watchers: receivers
    of these reports before them, in each tick; clocks: called at the end of the tick that they
    wait for; ticked: called at the end of each tick after them.
    """

    def __init__(self, design: WorldDesign, seed: int) -> None:
        """Build a world; the same seed and the same requests give the same course of things."""
        self.world = WorldState(design, seed)
        self.world.end = self._end
        self.scheduler = Scheduler()
        self.sinks: dict[str, Sink] = {}
        self.watchers: list[Callable[[Sequence[CommandReport]], None]] = []
        self.ticked: list[Callable[[], None]] = []
        self.clocks: list[Clock] = []
        self._inbox: list[ProcessRun] = []
        self._withdrawn: list[ProcessRun] = []
        self._running: dict[str, ProcessRun] = {}
        self._reports: list[CommandReport] = []
        # The same for all commands: of thousands of them, less is to be collected.
        self._carry_on, self._bumped = self._go_on, self._bump

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

    def skip(self, most: int) -> int:
        """Advance to the next tick in which anything can happen, ``most`` ticks at the farthest.

        The ticks before it pass without a trace. Where somebody looks at each tick, or a thing has
        kickers or a camera tracks, that is the next one. Returns how many have passed.
        """
        ahead = max(min(self._next_event(), self.now + most), self.now + 1)
        passed = int(ahead) - self.now
        self.world.now = int(ahead) - 1
        self.tick()
        return passed

    def save(self) -> SavedState:
        """Return all that is so now in the world, to come back to by `restore`.

        Programs and other listeners are not part of it: they do not notice a return. What plans
        ahead in a world in which programs run takes their ``sinks`` and ``clocks`` off meanwhile.
        """
        inboxes = self._inbox, self._withdrawn, [*self._running.values()]
        return SavedState(self.world, self.scheduler, vars(self), [*chain(*inboxes)])

    def restore(self, saved: SavedState) -> None:
        """Return to a state that was saved, as often as needed.

        Raises ValueError for one of another world.
        """
        if saved.world is not self.world:
            raise ValueError('a state is restored in the world in which it was saved')
        saved.restore()

    def _next_event(self) -> float:
        """Return the next tick in which anything can happen by itself, inf for none."""
        world, now = self.world, self.now
        if (
            self._inbox
            or self._withdrawn
            or self.watchers
            or self.ticked
            or self.scheduler.errors
            or world.kicked
        ):
            return now + 1
        due = self.scheduler.next_due
        return min(self._next_clock(), math.inf if due is None else due, next_change(world))

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
            found = run.then(self.world, run.part, *run.memory)
        except Exception as error:
            self._fail(run, error)
            return
        if isinstance(found, Answer):
            self._report(run, found.code, found.values)
            return
        self.grab(run.resource)
        if run.info.ends_track:
            self._end(f'{run.resource}/track', Code.INTERRUPT)
        self._wait(run, run.issued, found)

    def _wait(self, run: ProcessRun, since: int, found: int | After | Lasting) -> None:
        """Schedule what comes next in a command, or keep it as a lasting one."""
        if isinstance(found, int):
            found = After(found, run.then, run.memory, run.cleanup)
        run.memory, run.cleanup = found.memory, found.cleanup
        if isinstance(found, Lasting):
            self._running.pop(run.resource, None)
            run.resource = found.resource
            self._running[run.resource] = run
            self._reports.append(self._about(run, STARTED, Code.NIL, found.values))
            return
        run.then = found.then
        self._running[run.resource] = run
        due = since + max(found.ticks, 1)
        self.scheduler.put(
            run.resource, due, self._carry_on, interrupt=self._bumped, subject=(run,)
        )

    def _bump(self, run: ProcessRun) -> None:
        """End a command whose resource an event of higher priority has taken."""
        if self._running.get(run.resource) is run:
            self._end(run.resource, Code.INTERRUPT)

    def _go_on(self, run: ProcessRun) -> int | None:
        """Carry a command to where it next waits, or to its end.

        Returns in how many ticks the same step is to be made again, None for none.
        """
        try:
            found = run.then(self.world, run.part, *run.memory)
        except Exception as error:
            del self._running[run.resource]
            self._clean_up(run)
            self._fail(run, error)
            return None
        if isinstance(found, int):
            return found
        if isinstance(found, Answer):
            del self._running[run.resource]
            self._clean_up(run)
            self._report(run, found.code, found.values)
        else:
            self._wait(run, self.world.now, found)
        return None

    def _clean_up(self, run: ProcessRun) -> None:
        if run.cleanup is not None:
            run.cleanup(self.world, run.part, *run.memory)

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
        self._clean_up(run)
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
        quiet = not (self._reports or self.watchers or self.ticked or self.scheduler.errors)
        if quiet and self._next_clock() > self.world.now:
            return
        reports, self._reports = self._reports, []
        errors, self.scheduler.errors = self.scheduler.errors, []
        found = errors_of(self.watchers, reports)
        for report in reports:
            sink = self.sinks.get(report.robot)
            if sink is not None:
                found += errors_of((sink,), report)
        now = self.world.now
        # What the reports set off may wait for this tick already, and one clock set another one.
        found += errors_of(clock.ticked for clock in self.clocks if clock.due <= now)
        found += errors_of(self.ticked)
        raise_first([*errors, *found])

    def _next_clock(self) -> float:
        """Return the tick for which a program waits first, inf for none."""
        return min([clock.due for clock in self.clocks], default=math.inf)
