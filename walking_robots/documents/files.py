"""Read the text of a file; whatever stands in the way is one sentence."""

import os
import stat
from pathlib import Path


def read_text(path: str | Path, what: str, *, largest: int, shorter: str) -> str:
    """Return the text of a regular file in UTF-8, without its byte order mark.

    what: it should be, as in 'a program'; largest: bytes; shorter: how to make it shorter.
    Raises ValueError, one sentence without its full stop, where it cannot be read.
    """
    try:
        # Reading a pipe or a device may never end, and opening one may wait or act.
        if not stat.S_ISREG(mode := os.stat(path).st_mode) and not stat.S_ISDIR(mode):
            raise OSError(0, 'it is no regular file')
        with Path(path).open('rb') as file:
            data = file.read(largest + 1)
    except (OSError, ValueError) as error:
        reason = getattr(error, 'strerror', None) or 'not a path'
        raise ValueError(
            f'{path}: cannot be read ({reason.lower()}); give the path of {what}'
        ) from None
    if len(data) > largest:
        raise ValueError(f'{path}: is longer than {largest // 1_000_000} MB; {shorter}')
    try:
        return data.decode('utf-8-sig')
    except UnicodeDecodeError as error:
        line = data.count(b'\n', 0, error.start) + 1
        raise ValueError(
            f'{path}, line {line}: is not UTF-8 text; save the file as UTF-8'
        ) from None
