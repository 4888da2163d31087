"""Make the figures of the documents: ``python tools/make_figures.py DOCS WORK``.

A document shows a figure and has the command that draws it, which names the same file after
``--plot`` or ``--picture``. The commands run in the folder WORK, where sweeps that were stopped go
on.
"""

import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

_IMAGE = re.compile(r'!\[[^]]*\]\((\w+\.png)\)')
_COMMAND = re.compile(r'^(walking_robots .*)$|`(walking_robots [^`]*)`', re.MULTILINE)
_DRAWS = re.compile(r'--(?:plot|picture) (\S+)')


def figure_commands(docs: Path) -> dict[str, str]:
    """Return the command of each figure by the name of its file."""
    found = {}
    for page in sorted(docs.glob('*.md')):
        text = page.read_text('utf-8')
        shown = set(_IMAGE.findall(text))
        for command in (''.join(match.groups('')) for match in _COMMAND.finditer(text)):
            drawn = _DRAWS.search(command)
            if drawn is not None and drawn[1] in shown:
                found[drawn[1]] = command
    return found


def main() -> None:
    """Run all commands and copy what they have drawn into the documents."""
    docs, work = map(Path, sys.argv[1:])
    work.mkdir(parents=True, exist_ok=True)
    for name, command in figure_commands(docs).items():
        print(command, flush=True)
        words = [sys.executable, '-m', *shlex.split(command)]
        subprocess.run(words, cwd=work, check=True, stdout=subprocess.DEVNULL)
        shutil.copyfile(work / name, docs / name)


if __name__ == '__main__':
    main()
