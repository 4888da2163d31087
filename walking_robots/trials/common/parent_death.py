"""End child processes with their parent, however it ends."""

import ctypes
import os
import signal

_SET_PARENT_DEATH_SIGNAL = 1
"""PR_SET_PDEATHSIG of prctl(2); it survives the execution of another program."""
_LIBC = ctypes.CDLL(None)


def end_with_parent(parent: int) -> None:
    """Have the kernel send SIGTERM to this process when its parent ends; call it in a child.

    parent: its process id. The kernel takes the end of the thread that forked for the parent's.
    """
    _LIBC.prctl(_SET_PARENT_DEATH_SIGNAL, signal.SIGTERM)
    if os.getppid() != parent:
        # It ended before.
        os._exit(128 + signal.SIGTERM)
