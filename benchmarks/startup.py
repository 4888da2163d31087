"""Measure what the command costs before anything moves: CPU time of help and of short trials."""

import os
import statistics
import sys
from collections.abc import Callable

__all__ = ['measure']

ROUNDS = 7
HELP_LIMIT, TRIAL_LIMIT = 0.3, 0.45
"""Most CPU time of help, and of a trial of one simulated second, in the median, s."""
LIMITS = {
    '--help': HELP_LIMIT,
    'trial asv --help': HELP_LIMIT,
    'mdle run --help': HELP_LIMIT,
    'trial asv --max-time 1s': TRIAL_LIMIT,
    'trial hexapod --time 1s': TRIAL_LIMIT,
    'trial biped --time 1s': TRIAL_LIMIT,
    'trial scout --for 1s': TRIAL_LIMIT,
    'trial ars_magna --ticks 10': TRIAL_LIMIT,
}


def cpu_time(command: str) -> float:
    """Run a command without its output and return the CPU time of its process, s."""
    process = os.posix_spawn(
        sys.executable,
        [sys.executable, '-m', 'walking_robots', *command.split()],
        os.environ,
        file_actions=[
            (os.POSIX_SPAWN_OPEN, number, os.devnull, os.O_WRONLY, 0) for number in (1, 2)
        ],
    )
    _, _, usage = os.wait4(process, 0)
    return usage.ru_utime + usage.ru_stime


def measure(write: Callable[[str], object]) -> bool:
    """Print least, median and most of some runs; return whether the medians meet the limits."""
    write(f'walking_robots ...: CPU time of a run, s (least, median, most of {ROUNDS} runs)')
    met = True
    for command, limit in LIMITS.items():
        times = [cpu_time(command) for _ in range(ROUNDS)]
        median = statistics.median(times)
        write(f'  {command:28} {min(times):5.2f} {median:5.2f} {max(times):5.2f}')
        met &= median <= limit
    return met
