"""Run a function many times by Dask: in processes of this machine, or on a cluster."""

import logging
import signal
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack
from itertools import islice
from typing import Any

from walking_robots.documents.extras import extra_needed

ABREAST = 4
"""Runs that wait for each worker: none is idle, and few are lost with a scheduler."""

SURVIVED = 10
"""Workers that may die under one run before it is blamed."""

_FROM_TERMINAL = (signal.SIGINT, signal.SIGHUP)


def run_all(
    work: Callable[..., Any],
    tasks: Mapping[int, tuple[Any, ...]],
    *,
    workers: int,
    scheduler: str = '',
) -> Iterator[tuple[int, Any]]:
    """Call ``work`` with each of ``tasks`` and yield numbers and results as they come.

    With the address of a ``scheduler`` its workers run them, which need this package; otherwise
    so many processes of this machine. What a worker that dies was running is run again.
    Raises what ``work`` raises, and ValueError, one sentence, where no scheduler or worker is.
    """
    with extra_needed('sweeps'):
        import dask
        from distributed import Client, LocalCluster, as_completed
    dask.config.set({'distributed.scheduler.allowed-failures': SURVIVED})
    with ExitStack() as stack:
        if scheduler:
            try:
                client = stack.enter_context(Client(scheduler, timeout=10))
            except (OSError, ValueError) as error:
                raise ValueError(
                    f'no scheduler answers at {scheduler} ({error}); start one by dask scheduler'
                ) from None
        else:
            # The cluster logs again once it is closed, while lines to its workers still end.
            logging.getLogger('distributed').setLevel(logging.CRITICAL)
            # The processes begin with these signals blocked: a terminal sends them to all.
            before = signal.pthread_sigmask(signal.SIG_BLOCK, _FROM_TERMINAL)
            try:
                cluster = stack.enter_context(
                    LocalCluster(
                        n_workers=workers, threads_per_worker=1, host='127.0.0.1',
                        dashboard_address=None, silence_logs='CRITICAL',
                        # Without a number it takes that of its page, and warns if that is taken.
                        scheduler_kwargs={'dashboard_address': '127.0.0.1:0'},
                    )
                )  # fmt: skip
                client = stack.enter_context(Client(cluster))
                # Their event loop takes SIGINT all the same.
                client.run(_ignore_ctrl_c)
            finally:
                signal.pthread_sigmask(signal.SIG_SETMASK, before)
        waiting = iter(tasks.items())

        def submitted(count: int) -> list[Any]:
            return [
                client.submit(work, *task, key=f'run-{number}')
                for number, task in islice(waiting, count)
            ]

        running = as_completed(submitted(ABREAST * _workers(client, scheduler)))
        for future in running:
            yield int(future.key.removeprefix('run-')), future.result()
            running.update(submitted(1))


def _workers(client: Any, scheduler: str) -> int:
    """Return how many threads compute; raises ValueError where there are none."""
    count: int = sum(client.nthreads().values())
    if not count:
        raise ValueError(f'the scheduler at {scheduler} has no workers; start some by dask worker')
    return count


def _ignore_ctrl_c() -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)
