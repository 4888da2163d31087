"""Run the command ``walking_robots``; Ctrl-C ends it without a traceback, also while it loads."""

import os
import signal


def main() -> None:
    """Run the command and exit with its code."""
    interrupt = signal.getsignal(signal.SIGINT)
    if interrupt is not signal.SIG_IGN:
        signal.signal(signal.SIGINT, lambda *_: os._exit(128 + signal.SIGINT))
    # For small matrices, threads of BLAS only cost time.
    os.environ.setdefault('OPENBLAS_NUM_THREADS', '1')
    from walking_robots.cli import main as run

    signal.signal(signal.SIGINT, interrupt)
    try:
        run()
    finally:
        signal.signal(signal.SIGINT, signal.SIG_IGN)


if __name__ == '__main__':
    main()
