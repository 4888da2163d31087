"""The definitions of messages as text, for whoever reads records without ROS."""

import os
import re
import sys
from functools import cache
from pathlib import Path

BAR = '=' * 80
"""The line between two definitions, as ROS tools write it."""

_TYPES = ('bool', 'byte', 'char', 'string', 'wstring')
_PLAIN = re.compile(rf'({"|".join(_TYPES)}|u?int(8|16|32|64)|float(32|64))(<=\d+)?')
_FIELD = re.compile(r'([A-Za-z][\w/]*(?:<=\d+)?)(?:\[[^]]*\])?\s+[A-Za-z]\w*')


@cache
def definition_of(kind: str) -> str:
    """Return the definition of a message such as ``nav_msgs/msg/Odometry``, and of all its parts.

    That is the text of its file, and after it that of each part with its name, as the encoding
    ``ros2msg`` of MCAP has it. Raises ValueError, one sentence, where one is not installed.
    """
    texts = {kind: _text_of(kind)}
    waiting = [kind]
    while waiting:
        whole = waiting.pop(0)
        for part in _parts(whole, texts[whole]):
            if part not in texts:
                texts[part] = _text_of(part)
                waiting.append(part)
    first, *others = texts.items()
    return '\n'.join(
        [first[1], *(f'{BAR}\nMSG: {name.replace("/msg/", "/")}\n{text}' for name, text in others)]
    )


def _parts(kind: str, text: str) -> list[str]:
    """Return the messages that a definition is made of."""
    found = []
    for line in text.splitlines():
        field = _FIELD.match(line.strip())
        if field is not None and not _PLAIN.fullmatch(field[1]):
            package, _, name = field[1].rpartition('/')
            package = package.removesuffix('/msg') or kind.split('/')[0]
            found.append(f'{package}/msg/{name}')
    return found


def _text_of(kind: str) -> str:
    package, _, name = kind.split('/')
    prefixes = [path for path in os.environ.get('AMENT_PREFIX_PATH', '').split(':') if path]
    for prefix in (*prefixes, sys.prefix):
        path = Path(prefix, 'share', package, 'msg', f'{name}.msg')
        if path.is_file():
            return path.read_text('utf-8')
    raise ValueError(f'the definition of {kind} is not installed; install the package {package}')
