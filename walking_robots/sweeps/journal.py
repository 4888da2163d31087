"""What has been run of a sweep, on disk: a sweep that is killed goes on where it was."""

import fcntl
import json
import os
from collections.abc import Mapping
from pathlib import Path
from types import TracebackType
from typing import Any, Self

Result = Mapping[str, Any]


class SweepJournal:
    """A file with the sweep in its first line and a finished run in each other one.

    ``results`` are those of finished runs by number. A line that a kill has cut off is none.
    """

    def __init__(self, path: Path, sweep: str) -> None:
        """Open the file, or begin it; ``sweep`` says which runs it holds.

        Raises ValueError, one sentence, where it holds those of another sweep, or another process
        writes it, and OSError where it cannot be written.
        """
        self.results: dict[int, Result] = {}
        self._path = path
        self._file = path.open('a+b')
        try:
            fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            self._file.close()
            raise ValueError(
                f'{path} is written by another sweep now; wait for it, or choose another --out'
            ) from None
        try:
            self._read(sweep)
        except BaseException:
            self._file.close()
            raise

    def _read(self, sweep: str) -> None:
        self._file.seek(0)
        content = self._file.read()
        whole = content.rfind(b'\n') + 1
        self._file.truncate(whole)
        first, *lines = content[:whole].splitlines() or [b'']
        if not first:
            self._write({'sweep': sweep})
            return
        try:
            if json.loads(first) != {'sweep': sweep}:
                raise ValueError('another')
            for line in lines:
                entry = json.loads(line)
                self.results[int(entry['run'])] = dict(entry['result'])
        except (ValueError, TypeError, KeyError, UnicodeDecodeError):
            raise ValueError(
                f'{self._path} holds the runs of another sweep; remove it, or choose another --out'
            ) from None

    def add(self, number: int, result: Result) -> None:
        """Keep the result of a run, on disk when this returns."""
        self._write({'run': number, 'result': result})
        self.results[number] = result

    def _write(self, entry: Mapping[str, Any]) -> None:
        self._file.write(json.dumps(entry, allow_nan=False).encode() + b'\n')
        self._file.flush()
        os.fsync(self._file.fileno())

    def remove(self) -> None:
        """Delete the file: what it holds is somewhere else now."""
        self._path.unlink()

    def __enter__(self) -> Self:
        """Return itself."""
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Close the file, which stays."""
        self._file.close()
