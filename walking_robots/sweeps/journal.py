"""What has been run of a sweep, on disk: a sweep that is killed goes on where it was."""

import fcntl
import json
import os
from collections.abc import Mapping
from pathlib import Path
from types import TracebackType
from typing import Any, Self

Result = Mapping[str, Any]

_BEGINS = b'{"sweep": '


class SweepJournal:
    """A file with the sweep in its first line and a finished run in each other one.

    ``results`` are those of finished runs by number. A line that a kill has cut off is none.
    """

    def __init__(self, path: Path, sweep: str) -> None:
        """Open the file, or begin it; ``sweep`` says which runs it holds.

        A file of another sweep is taken if no run in it is finished. Raises ValueError, one
        sentence, where it holds something else, or another process writes it, and OSError where
        it cannot be written.
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
        header = _line({'sweep': sweep})
        whole = content.rfind(b'\n') + 1
        first, *lines = content[:whole].splitlines(keepends=True) or [content]
        if not lines and _is_empty(first):
            # No run of whatever sweep it was is finished, so nothing is lost.
            self._file.truncate(0)
            self._write(header)
            return
        try:
            if first != header:
                raise ValueError('another')
            for line in lines:
                entry = json.loads(line)
                self.results[int(entry['run'])] = dict(entry['result'])
        except (ValueError, TypeError, KeyError):
            raise ValueError(
                f'{self._path} holds something else than runs of this sweep; remove it, or choose '
                'another --out'
            ) from None
        self._file.truncate(whole)

    def add(self, number: int, result: Result) -> None:
        """Keep the result of a run, on disk when this returns."""
        self._write(_line({'run': number, 'result': result}))
        self.results[number] = result

    def _write(self, line: bytes) -> None:
        self._file.write(line)
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


def _line(entry: Mapping[str, Any]) -> bytes:
    return json.dumps(entry, allow_nan=False).encode() + b'\n'


def _is_empty(content: bytes) -> bool:
    """Return whether this is the first line of a sweep, or what a kill left of one."""
    return content.startswith(_BEGINS) or _BEGINS.startswith(content)
