"""Run a node as a process: ``python -m walking_robots.nodes free_gait --ros-args ...``.

The executables of this package, each named after its node, run this as well. Signals are handled
before the modules of a node are imported, which takes seconds.
"""

import os
import signal
import sys


def main() -> None:
    """Run the node that the command is named after, and exit with its code."""
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        if signal.getsignal(number) is not signal.SIG_IGN:
            # Nothing has started; an exception could get lost in the import of a C extension.
            signal.signal(number, lambda *_: os._exit(0))
    # For small matrices, threads of BLAS only cost time.
    os.environ.setdefault('OPENBLAS_NUM_THREADS', '1')
    from importlib import import_module

    from walking_robots.systems import executables

    name = os.path.basename(sys.argv[0])
    if name not in executables():
        print(f'there is no node {name!r}; use {", ".join(executables())}.', file=sys.stderr)
        sys.exit(2)
    sys.exit(import_module(executables()[name]).main())


if __name__ == '__main__':
    del sys.argv[0]
    main()
