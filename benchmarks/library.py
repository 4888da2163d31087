"""Measure the library: CPU time of one step, layer by layer, of a sonar ring, of ticks, of start.

Run it with ``make bench``. Times are processor time of this process, median and spread over
rounds; a round walks the same way each time.
"""

import platform
import statistics
import sys
import time
from collections.abc import Callable, Iterator
from itertools import pairwise

import numpy as np

from benchmarks import aquarobot, ars_magna, biped, legs, maps, mdle, plans, rays, startup
from walking_robots.legs.kinematics import leg_kinematics
from walking_robots.robots.asv import ASV, ft
from walking_robots.trials.hexapod.asv import AsvTrial
from walking_robots.trials.hexapod.loop import ClosedLoop

ROUNDS = 7
STEPS = 600
LIMIT_MS = 0.6
"""Most CPU time a step may take in the median, ms."""


def step_times(trial: AsvTrial) -> dict[str, list[float]]:
    """Walk once and give the CPU times (s) of each step: whole, and by layer."""
    loop = ClosedLoop(ASV, trial.build_terrain(), trial.repairs())
    kinematics = leg_kinematics(loop.model)
    times: dict[str, list[float]] = {
        name: [] for name in ('step', 'coordinator', 'leg servo', 'backend')
    }
    for _ in range(STEPS):
        before = loop.backend.state
        marks = [time.process_time_ns()]
        reports = loop.servo.state.reports(before.contacts)
        gait = loop.coordinator.step(reports, before.pose, trial.command, loop.terrain)
        marks.append(time.process_time_ns())
        pose, rates = gait.motion
        servo = loop.servo.step(gait.decisions, pose, rates, before.contacts)
        joints = kinematics.inverse(np.array(servo.feet()))
        marks.append(time.process_time_ns())
        loop.backend.step(joints)
        marks.append(time.process_time_ns())
        spans = [(b - a) * 1e-9 for a, b in pairwise(marks)]
        for name, span in zip(times, (sum(spans), *spans), strict=True):
            times[name].append(span)
    return times


def rows(trial: AsvTrial) -> Iterator[tuple[str, float, float, float]]:
    """Yield (layer, least, median, most) of the medians of all rounds, in ms."""
    rounds = [step_times(trial) for _ in range(ROUNDS)]
    for name in rounds[0]:
        medians = [statistics.median(times[name]) * 1e3 for times in rounds]
        yield name, min(medians), statistics.median(medians), max(medians)


def main(write: Callable[[str], object] = print) -> int:
    """Print the tables; 1 when anything is slower than it may be."""
    write(f'Python {platform.python_version()}, numpy {np.__version__}, {platform.machine()}')
    slow = 0
    for title, trial in (
        ('flat ground, 0.4 ft/s', AsvTrial(ft(0.4), rules='faithful')),
        ('30 % forbidden, 7 ft ditch, 0.6 ft/s', AsvTrial(ft(0.6), ditch=ft(7), forbidden=0.3)),
    ):
        write(f'{title}: CPU time of a step of 0.1 s, ms (least, median, most of {ROUNDS} rounds)')
        for name, least, median, most in rows(trial):
            write(f'  {name:12} {least:7.3f} {median:7.3f} {most:7.3f}')
            slow |= title.startswith('flat') and name == 'step' and median > LIMIT_MS
    slow |= not rays.measure(write)
    slow |= not mdle.measure(write)
    slow |= not maps.measure(write)
    slow |= not ars_magna.measure(write)
    slow |= not aquarobot.measure(write)
    slow |= not legs.measure(write)
    slow |= not plans.measure(write)
    slow |= not biped.measure(write)
    slow |= not startup.measure(write)
    return int(slow)


if __name__ == '__main__':
    sys.exit(main())
