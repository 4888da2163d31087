"""Files without a name, which end with the process that wrote them."""

import os
from pathlib import Path
from tempfile import TemporaryFile
from typing import IO


def unnamed_file(text: str = '') -> IO[str]:
    """Return an open file with a text; the system removes it however this process ends."""
    file = TemporaryFile('w')  # noqa: SIM115
    file.write(text)
    file.flush()
    return file


def path_of(file: IO[str]) -> Path:
    """Return a path by which processes of this user open a file while this process has it open."""
    return Path(f'/proc/{os.getpid()}/fd/{file.fileno()}')
