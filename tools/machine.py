"""Say what environment is wanted, and whether this machine can have it."""

from __future__ import annotations

import importlib.util
import os
import shutil
import sys
import sysconfig
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
REQUIREMENTS = ROOT / 'requirements'
WHEEL_PYTHONS = ((3, 11), (3, 12))


class NoEnvironmentError(Exception):
    """Say in one sentence why there is no environment."""


@dataclass(frozen=True)
class Plan:
    """Hold what is to be made: where, of which distribution, from wheels or from a sourced one."""

    venv: Path
    distro: str
    sourced: bool

    @property
    def python(self) -> Path:
        """Return the environment's interpreter."""
        return self.venv / 'bin' / 'python'

    @property
    def wheels(self) -> Path:
        """Return the list of the distribution's wheels."""
        return REQUIREMENTS / f'{self.distro}.txt'

    @property
    def build(self) -> Path:
        """Return the folder of whatever the finished environment does not need."""
        return self.venv / 'build'

    @property
    def identity(self) -> str:
        """Name everything that cannot be changed in an environment once it is made."""
        origin = 'sourced' if self.sourced else 'wheels'
        return f'{sys.version} {sys.base_prefix} {self.distro} {origin} {self.venv}'


def plan_for(venv: Path) -> Plan:
    """Decide between the wheels and a sourced distribution."""
    distro = os.environ.get('ROS_DISTRO') or 'kilted'
    sourced = bool(
        os.environ.get('AMENT_PREFIX_PATH')
        and os.environ.get('ROS_DISTRO')
        and importlib.util.find_spec('rclpy')
    )
    return Plan(venv.absolute(), distro, sourced)


def check_machine(plan: Plan) -> None:
    """Refuse, in one sentence, a machine on which the environment cannot be made."""
    number = sys.version_info[:2]
    version = '{}.{}'.format(*number)
    if plan.sourced:
        if number < WHEEL_PYTHONS[0]:
            raise NoEnvironmentError(
                f'ROS 2 {plan.distro} runs on Python {version}, but 3.11 or later is needed.'
            )
    elif number not in WHEEL_PYTHONS:
        raise NoEnvironmentError(
            f'The ROS 2 wheels need Python 3.11 or 3.12, but {sys.executable} is {version}: '
            'name another one, such as `make env PYTHON=python3.12`.'
        )
    elif not plan.wheels.is_file():
        raise NoEnvironmentError(
            f'There are no wheels of ROS 2 {plan.distro}: source that distribution, '
            'or choose ROS_DISTRO=kilted or ROS_DISTRO=jazzy.'
        )
    refuse_missing_tools(plan, version)


def refuse_missing_tools(plan: Plan, version: str) -> None:
    """Name all that is missing at once, and the packages that bring it."""
    missing = []
    if not shutil.which(os.environ.get('CC', 'cc').split()[0]):
        missing.append(('a C compiler (cc)', 'build-essential'))
    if not shutil.which(os.environ.get('CXX', 'c++').split()[0]):
        missing.append(('a C++ compiler (c++)', 'build-essential'))
    if not Path(sysconfig.get_path('include'), 'Python.h').is_file():
        missing.append((f'the headers of Python {version} (Python.h)', 'python3-dev'))
    if not (importlib.util.find_spec('venv') and importlib.util.find_spec('ensurepip')):
        missing.append(('the venv module of Python', 'python3-venv'))
    if plan.sourced and not shutil.which('cmake'):
        missing.append(('cmake', 'cmake'))
    if missing:
        *most, last = [what for what, _ in missing]
        things = f'{", ".join(most)} and {last}' if most else last
        packages = ' '.join(dict.fromkeys(package for _, package in missing))
        raise NoEnvironmentError(
            f'The environment needs {things}, missing here: on Debian or Ubuntu, '
            f'`apt install {packages}` brings what is missing.'
        )
