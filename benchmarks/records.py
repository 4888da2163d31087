"""Measure what recording costs: ``python -m benchmarks.records [SECONDS]``.

Records the demo of the ASV in real time with `walking_robots record`, and prints the share of a
core that the recorder takes and how fast its file grows, without the definitions of messages that
each file has once. Means nothing for the latency of an idle machine. The exit code is 1 above the
limits.
"""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from tempfile import TemporaryDirectory

from walking_robots.nodes.demo import run_demo

SECONDS = 60.0
LIMITS = (3.0, 1.0)
"""Per cent of a core, and MB a minute."""
START = 5.0
"""Wall time, s, until the recorder has subscribed."""
DEMO = 'from benchmarks.records import show; show()'


def show() -> None:
    """Show the ASV in real time from now on."""
    run_demo('asv', once=True, speed=1.0, port=8491)


def main() -> int:
    """Print both figures."""
    seconds = float(sys.argv[1]) if len(sys.argv) > 1 else SECONDS
    words = [sys.executable, '-m', 'walking_robots', 'record']
    with (
        TemporaryDirectory() as folder,
        subprocess.Popen([sys.executable, '-c', DEMO], stdout=subprocess.PIPE, text=True) as demo,
    ):
        assert demo.stdout is not None
        join = next(line for line in demo.stdout if 'ROS_DOMAIN_ID' in line).split('export ')[1]
        joined = dict(word.split('=') for word in join.split())
        path = Path(folder, 'asv.mcap')
        with subprocess.Popen([*words, str(path)], env=os.environ | joined) as record:
            used, size = [], []
            for wait in (START, seconds):
                time.sleep(wait)
                fields = Path(f'/proc/{record.pid}/stat').read_text().rpartition(')')[2].split()
                used.append(sum(map(int, fields[11:13])) / os.sysconf('SC_CLK_TCK'))
                size.append(path.stat().st_size)
            record.send_signal(signal.SIGINT)
        demo.terminate()
    share = 100.0 * (used[1] - used[0]) / seconds
    growth = (size[1] - size[0]) / 1e6 * 60.0 / seconds
    load = os.getloadavg()[0]
    print(f'record: {share:.1f} % of a core, {growth:.2f} MB a minute; load {load:.1f}')
    return int(share > LIMITS[0] or growth > LIMITS[1])


if __name__ == '__main__':
    sys.exit(main())
