"""Install packages into the environment: with uv, or with pip where uv cannot be had."""

from __future__ import annotations

import ast
import os
import shutil
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

from machine import ROOT, NoEnvironmentError, Plan

UV = 'uv==0.13.9'
UV_VARIABLES = {
    'index-url': 'UV_DEFAULT_INDEX',
    'extra-index-url': 'UV_INDEX',
    'find-links': 'UV_FIND_LINKS',
    'no-index': 'UV_OFFLINE',
    'trusted-host': 'UV_INSECURE_HOST',
    'cert': 'SSL_CERT_FILE',
    'client-cert': 'SSL_CLIENT_CERT',
    'proxy': 'ALL_PROXY',
    'timeout': 'UV_HTTP_TIMEOUT',
}
"""What uv reads in place of a setting of pip, whose configuration it does not read."""


class Installer:
    """Installs packages into an environment."""

    def __init__(self, plan: Plan) -> None:
        """Take uv from the path, or else from the package index, below the build folder."""
        self._plan = plan
        self._pip = (plan.python, '-m', 'pip', '--disable-pip-version-check', '--no-input')
        self._uv = shutil.which('uv')
        if self._uv is None:
            folder = plan.build / 'uv'
            only = ('--quiet', '--no-deps', '--only-binary=:all:', '--no-compile')
            if run(plan, *self._pip, 'install', *only, '--target', folder, UV).returncode == 0:
                self._uv = str(folder / 'bin' / 'uv')
            else:
                say('uv cannot be had from the package index, so pip installs, which takes longer')
        listed = run(plan, *self._pip, 'config', 'list').stdout
        self._variables = {
            name: value for name, value in uv_variables(listed).items() if name not in os.environ
        }

    def install(self, purpose: str, *arguments: str | Path) -> None:
        """Install exactly what the arguments name, without what that declares to need."""
        exactly = ('--no-deps', *arguments)
        if self._uv:
            command = (self._uv, 'pip', 'install', '--python', self._plan.python, *exactly)
            if run(self._plan, *command, variables=self._variables).returncode == 0:
                return
            self._uv = None
            say(f'uv could not {purpose}, so pip does, which takes longer')
        call(self._plan, purpose, *self._pip, 'install', '--no-compile', *exactly)


def uv_variables(listed: str) -> dict[str, str]:
    """Return uv's variables for what `pip config list` printed, as pip would act on it."""
    settings: dict[str, str] = {}
    for section in ('global', 'install', ':env:'):
        for line in listed.splitlines():
            key, _, value = line.partition('=')
            if key.startswith(f'{section}.'):
                settings[key[len(section) + 1 :].removeprefix('default-')] = ast.literal_eval(
                    value
                )
    # As with pip, no index goes before another.
    variables = {'UV_INDEX_STRATEGY': 'unsafe-best-match'}
    for name in settings.keys() & UV_VARIABLES.keys():
        separator = ',' if name == 'find-links' else ' '
        variables[UV_VARIABLES[name]] = separator.join(settings[name].split())
    return variables


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


def run(
    plan: Plan, *command: str | Path, variables: Mapping[str, str] | None = None
) -> subprocess.CompletedProcess[str]:
    """Run a command in silence, with more variables."""
    return subprocess.run(
        [str(part) for part in command],
        cwd=ROOT,
        env={**build_environment(plan), **(variables or {})},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )


def call(
    plan: Plan, purpose: str, *command: str | Path, variables: Mapping[str, str] | None = None
) -> None:
    """Run a command in silence, and show what it said only when it fails."""
    done = run(plan, *command, variables=variables)
    if done.returncode:
        sys.stderr.write(done.stdout[-6000:])
        raise NoEnvironmentError(f'Could not {purpose}; what was said about it stands above.')


def say(line: str) -> None:
    """Print a line of progress at once."""
    print(line, flush=True)
