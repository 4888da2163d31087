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
import os
import re
import shutil
import subprocess
import sys
import sysconfig
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from machine import REQUIREMENTS, ROOT, NoEnvironmentError, Plan, check_machine, plan_for

COMMON = REQUIREMENTS / 'common.txt'
INTERFACES = ROOT / 'interfaces' / 'walking_robots_interfaces'
OVERLAY = ROOT / 'interfaces' / 'overlay' / 'tf2_msgs'
STAMP = 'walking_robots.json'


def fingerprint(plan: Plan) -> str:
    """Hash whatever the environment is made of."""
    names = [COMMON, REQUIREMENTS / f'{plan.distro}.txt', ROOT / 'setup.py', ROOT / 'setup.cfg']
    names.append(ROOT / 'walking_robots' / 'systems.py')
    names += [
        *sorted(ROOT.glob('tools/*.py')),
        *sorted(INTERFACES.rglob('*')),
        *sorted(OVERLAY.rglob('*')),
    ]
    digest = hashlib.sha256()
    for name in names:
        if name.is_file():
            digest.update(f'{name.relative_to(ROOT)}\0'.encode())
            digest.update(name.read_bytes())
    return digest.hexdigest()


def read_stamp(plan: Plan) -> dict[str, str]:
    """Return what the environment was made of, or nothing when it was never finished."""
    try:
        stamp = json.loads((plan.venv / STAMP).read_text())
    except (OSError, ValueError):
        return {}
    return stamp if isinstance(stamp, dict) else {}


def build_environment(plan: Plan) -> dict[str, str]:
    """Return the variables under which the environment's own programs run."""
    env = dict(os.environ)
    env['PATH'] = f'{plan.venv / "bin"}{os.pathsep}{env.get("PATH", "")}'
    env['VIRTUAL_ENV'] = str(plan.venv)
    # Set when some other environment's Python started this one; the wheels take it for their own.
    env.pop('_ROS_WHEELS_BOOTSTRAP_COMPLETE', None)
    if not plan.sourced:
        for name in ('AMENT_PREFIX_PATH', 'CMAKE_PREFIX_PATH', 'PYTHONPATH', 'LD_LIBRARY_PATH'):
            env.pop(name, None)
    return env


def call(plan: Plan, purpose: str, *command: str | Path) -> None:
    """Run a command in silence, and show what it said only when it fails."""
    done = subprocess.run(
        [str(part) for part in command],
        cwd=ROOT,
        env=build_environment(plan),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )
    if done.returncode:
        sys.stderr.write(done.stdout[-6000:])
        raise NoEnvironmentError(f'Could not {purpose}; what was said about it stands above.')


def install(plan: Plan, purpose: str, *arguments: str | Path) -> None:
    """Install with pip."""
    pip = (plan.python, '-m', 'pip', '--disable-pip-version-check', '--no-input')
    call(plan, purpose, *pip, 'install', *arguments)


def mend_cmake_files(venv: Path) -> None:
    """Replace the folders of the machine that built the wheels, in their cmake files, by ours."""
    numpy = next(venv.glob('lib/python3*/site-packages/numpy/_core/include'))
    built_at = r'/opt/python/cp\d+-cp\d+'
    rules = (
        (rf'{built_at}/lib/python[\d.]+/site-packages/numpy/_?core/include', str(numpy)),
        (rf'{built_at}/include/python[\d.]+', sysconfig.get_path('include')),
        (built_at, str(venv)),
    )
    for path in venv.glob('share/*/cmake/*.cmake'):
        text = mended = path.read_text()
        for pattern, folder in rules:
            mended = re.sub(pattern, folder, mended)
        if mended != text:
            path.write_text(mended)


def build_interfaces(plan: Plan, source: Path) -> None:
    """Generate, compile and install one interface package into the environment."""
    build = plan.venv / 'build' / source.name
    prefixes = [str(plan.venv), *os.environ.get('AMENT_PREFIX_PATH', '').split(os.pathsep)]
    options = {
        'BUILD_TESTING': 'OFF',
        'CMAKE_INSTALL_PREFIX': plan.venv,
        'CMAKE_PREFIX_PATH': ';'.join(prefixes if plan.sourced else prefixes[:1]),
        'Python3_EXECUTABLE': plan.python,
        # The messages are copied, not computed with: optimising them takes longer than it saves.
        'CMAKE_C_FLAGS': '-O1',
        'CMAKE_CXX_FLAGS': '-O0',
        'WITHOUT_CPP': 'OFF' if plan.sourced else 'ON',
    }
    if shutil.which('ninja', path=build_environment(plan)['PATH']):
        options['CMAKE_GENERATOR'] = 'Ninja'
    defines = [f'-D{name}={value}' for name, value in options.items()]
    call(plan, f'configure {source.name}', 'cmake', '-S', source, '-B', build, *defines)
    call(
        plan,
        f'build {source.name}',
        'cmake',
        '--build',
        build,
        '--parallel',
        str(os.cpu_count() or 1),
    )
    call(plan, f'install {source.name}', 'cmake', '--install', build)


def make_environment(plan: Plan) -> None:
    """Make or bring up to date the environment, package and interfaces included."""
    fresh = read_stamp(plan).get('identity') != plan.identity
    if fresh:
        say(f'Making {plan.venv} for ROS 2 {plan.distro} with Python {sys.version.split()[0]}')
        options = ['--system-site-packages'] if plan.sourced else []
        call(plan, 'make a virtual environment', sys.executable, '-m', 'venv', '--clear',
             *options, plan.venv)  # fmt: skip
    libraries: tuple[str | Path, ...] = ('-r', COMMON)
    if plan.sourced:
        say(f'ROS 2 {plan.distro} is sourced and used as it is')
        constraints = plan.venv / 'constraints.txt'
        constraints.write_text(numpy_of_distribution(plan))
        libraries = (*libraries, '-c', constraints)
        add_library_path(plan)
        packages = [INTERFACES]
    else:
        say(f'Installing the wheels of ROS 2 {plan.distro}')
        wheels = REQUIREMENTS / f'{plan.distro}.txt'
        install(plan, 'install the ROS 2 wheels', '-r', wheels, '-c', COMMON, 'setuptools')
        mend_cmake_files(plan.venv)
        packages = [OVERLAY, INTERFACES]
    say('Installing the libraries, building the interfaces')
    # Compiling and downloading wait for different things.
    with ThreadPoolExecutor() as pool:
        installed = pool.submit(install, plan, 'install the libraries', *libraries)
        if plan.sourced:
            installed.result()
        for package in packages:
            build_interfaces(plan, package)
        installed.result()
    editable = ('--no-deps', '--no-build-isolation', '--editable', ROOT)
    install(plan, 'install walking_robots', *editable)
    stamp = {'identity': plan.identity, 'fingerprint': fingerprint(plan)}
    (plan.venv / STAMP).write_text(json.dumps(stamp, indent=1))


def add_library_path(plan: Plan) -> None:
    """Have every interpreter of the environment find the libraries in it."""
    site = next(plan.venv.glob('lib/python3*/site-packages'))
    shutil.copy(ROOT / 'tools' / 'library_path.py', site / 'walking_robots_library_path.py')
    (site / 'walking_robots_library_path.pth').write_text('import walking_robots_library_path\n')


def numpy_of_distribution(plan: Plan) -> str:
    """Return the constraint that keeps the numpy which the distribution was built with."""
    code = 'import numpy; print(f"numpy=={numpy.__version__}")'
    done = subprocess.run([sys.executable, '-c', code], capture_output=True, text=True)
    if done.returncode:
        raise NoEnvironmentError(f'ROS 2 {plan.distro} is sourced, but its numpy does not import.')
    return done.stdout


def say(line: str) -> None:
    """Print a line of progress at once."""
    print(line, flush=True)


def main() -> int:
    """Make the environment named on the command line, unless it is there already."""
    parser = argparse.ArgumentParser(description=main.__doc__)
    parser.add_argument('venv', type=Path, help='folder of the virtual environment')
    plan = plan_for(parser.parse_args().venv)
    wanted = {'identity': plan.identity, 'fingerprint': fingerprint(plan)}
    if plan.python.exists() and read_stamp(plan) == wanted:
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
