"""Make a virtual environment with ROS 2, the libraries, the interfaces and the package.

Needs nothing but the Python that runs it, so that it can say in one sentence what is missing.
Two ways lead to the same commands in the environment's `bin`:

* no ROS distribution sourced: rclpy and its kin come as wheels (`requirements/<distro>.txt`),
* a distribution sourced: it is used as it is, and only what it lacks is added.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import shutil
import sys
import time
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from installer import Installer, call, say
from interface_build import build_interfaces, interface_sources
from machine import REQUIREMENTS, ROOT, NoEnvironmentError, Plan, check_machine, plan_for

COMMON = REQUIREMENTS / 'common.txt'
STAMP = 'walking_robots.json'
LARGE = 100_000
"""Size of a library, bytes, from which a second copy is worth removing."""
COMPILE = """
import walking_robots.gaits.planned.planner
from walking_robots.geometry.compiled import load
load()
"""
"""Has numba compile what the first plan of footholds would have to wait for."""


def fingerprint(files: Iterable[Path]) -> str:
    """Hash names and contents of files."""
    digest = hashlib.sha256()
    for name in files:
        if name.is_file():
            digest.update(f'{name.relative_to(ROOT)}\0'.encode())
            digest.update(name.read_bytes())
    return digest.hexdigest()


def stamp_of(plan: Plan) -> dict[str, str]:
    """Return what the environment is to be made of."""
    package = [ROOT / name for name in ('setup.py', 'setup.cfg', 'walking_robots/systems.py')]
    tools = sorted(ROOT.glob('tools/*.py'))
    return {
        'identity': plan.identity,
        'package': fingerprint([COMMON, plan.wheels, *package, *tools]),
        'interfaces': fingerprint(interface_sources(plan)),
    }


def read_stamp(plan: Plan) -> dict[str, str]:
    """Return what the environment was made of, or nothing when it was never finished."""
    try:
        stamp = json.loads((plan.venv / STAMP).read_text())
    except (OSError, ValueError):
        return {}
    return stamp if isinstance(stamp, dict) else {}


def make_environment(plan: Plan) -> None:
    """Make or bring up to date the environment, package and interfaces included."""
    made, wanted = read_stamp(plan), stamp_of(plan)
    rebuilds = not plan.sourced and made.get('interfaces') != wanted['interfaces']
    # The headers that a build needs have left with the one before.
    if made.get('identity') != plan.identity or rebuilds:
        say(f'Making {plan.venv} for ROS 2 {plan.distro} with Python {sys.version.split()[0]}')
        options = ['--system-site-packages'] if plan.sourced else []
        call(plan, 'make a virtual environment', sys.executable, '-m', 'venv', '--clear',
             *options, plan.venv)  # fmt: skip
        made = {}
    installer = Installer(plan)
    if plan.sourced:
        say(f'ROS 2 {plan.distro} is sourced and used as it is; installing the libraries')
        add_library_path(plan)
        installer.install('install the libraries', '-r', COMMON)
    else:
        say(f'Installing the wheels of ROS 2 {plan.distro} and the libraries')
        installer.install('install the libraries', '-r', COMMON, '-r', plan.wheels)
    installer.install('install walking_robots', '--no-build-isolation', '--editable', ROOT)
    with ThreadPoolExecutor() as pool:
        compiled = pool.submit(
            call, plan, 'compile the geometry of footholds', plan.python, '-c', COMPILE
        )
        if made.get('interfaces') != wanted['interfaces']:
            say('Building the interfaces')
            build_interfaces(plan, installer)
        compiled.result()
    shutil.rmtree(plan.build, ignore_errors=True)
    shutil.rmtree(plan.venv / 'include', ignore_errors=True)
    for tests in sorted(plan.venv.glob('lib/python3*/site-packages/*/**/tests')):
        shutil.rmtree(tests, ignore_errors=True)
    # Interpreters other than CPython would use it; it is as large as what CPython uses.
    for spare in plan.venv.glob('lib/python3*/site-packages/zstandard/_cffi*.so'):
        spare.unlink()
    share_equal_files(plan.venv)
    (plan.venv / STAMP).write_text(json.dumps(wanted, indent=1))


def share_equal_files(venv: Path) -> None:
    """Keep one copy of libraries that several wheels bring, under all its names."""
    kept: dict[str, Path] = {}
    for path in sorted(venv.rglob('*.so*')):
        if path.is_symlink() or path.stat().st_size < LARGE:
            continue
        with path.open('rb') as file:
            content = hashlib.file_digest(file, 'sha256').hexdigest()
        first = kept.setdefault(content, path)
        if not first.samefile(path):
            path.unlink()
            path.hardlink_to(first)


def add_library_path(plan: Plan) -> None:
    """Have every interpreter of the environment find the libraries in it."""
    site = next(plan.venv.glob('lib/python3*/site-packages'))
    shutil.copy(ROOT / 'tools' / 'library_path.py', site / 'walking_robots_library_path.py')
    (site / 'walking_robots_library_path.pth').write_text('import walking_robots_library_path\n')


def main() -> int:
    """Make the environment named on the command line, unless it is there already."""
    parser = argparse.ArgumentParser(description=main.__doc__)
    parser.add_argument('venv', type=Path, help='folder of the virtual environment')
    plan = plan_for(parser.parse_args().venv)
    if plan.python.exists() and read_stamp(plan) == stamp_of(plan):
        return 0
    start = time.monotonic()
    try:
        check_machine(plan)
        make_environment(plan)
    except NoEnvironmentError as problem:
        print(f'make env: {problem}', file=sys.stderr)
        return 1
    say(f'{plan.venv} is ready ({time.monotonic() - start:.0f} s)')
    return 0


if __name__ == '__main__':
    sys.exit(main())
