"""The command `walking_robots` before its modules are loaded and after it has run."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest


@pytest.mark.parametrize('place', ['import', 'exit'])
def test_ctrl_c_is_no_traceback(
    place: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    waits = "import time; print('here', flush=True); time.sleep({})"
    if place == 'import':
        (tmp_path / 'click.py').write_text(waits.format(60.0))
    else:
        (tmp_path / 'sitecustomize.py').write_text(
            f'import atexit; atexit.register(lambda: exec("{waits.format(1.0)}"))'
        )
    monkeypatch.setenv('PYTHONPATH', str(tmp_path), prepend=os.pathsep)
    process = subprocess.Popen(
        [sys.executable, '-m', 'walking_robots', '--version'],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert process.stdout is not None
    while process.stdout.readline() != 'here\n':
        assert process.poll() is None
    process.send_signal(signal.SIGINT)
    assert process.communicate()[1] == ''
    assert process.returncode == (130 if place == 'import' else 0)
