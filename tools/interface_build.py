"""Generate, compile and install the interface packages into the environment."""

from __future__ import annotations

import os
import re
import shutil
import sysconfig
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path

from installer import Installer, build_environment, call
from machine import REQUIREMENTS, ROOT, Plan

INTERFACES = ROOT / 'interfaces' / 'walking_robots_interfaces'
OVERLAY = ROOT / 'interfaces' / 'overlay'
TOOLS = REQUIREMENTS / 'build.txt'


def interface_sources(plan: Plan) -> list[Path]:
    """Return the files that built interfaces depend on."""
    return [
        Path(__file__),
        TOOLS,
        plan.wheels,
        *sorted(INTERFACES.rglob('*')),
        *sorted(OVERLAY.rglob('*')),
    ]


def build_interfaces(plan: Plan, installer: Installer) -> None:
    """Build the interfaces side by side, with tools that leave with the build folder."""
    packages = [INTERFACES]
    variables = {}
    if not plan.sourced:
        packages += sorted(path.parent for path in OVERLAY.glob('*/package.xml'))
        tools = plan.build / 'tools'
        installer.install('install the build tools', '--target', tools, '-r', TOOLS)
        path = build_environment(plan)['PATH']
        parsed = plan.build / 'parsed'
        parsed.mkdir(exist_ok=True)
        variables = {
            'PARSED_INTERFACES': str(parsed),
            'PYTHONPATH': f'{ROOT / "tools" / "generators"}{os.pathsep}{tools}',
            'PATH': f'{tools / "bin"}{os.pathsep}{path}',
        }
        mend_cmake_files(plan.venv)
    with ThreadPoolExecutor() as pool:
        list(pool.map(partial(build_package, plan, variables), packages))


def build_package(plan: Plan, variables: dict[str, str], source: Path) -> None:
    """Generate, compile and install one interface package."""
    build = plan.build / source.name
    prefixes = [str(plan.venv), *os.environ.get('AMENT_PREFIX_PATH', '').split(os.pathsep)]
    options = {
        'BUILD_TESTING': 'OFF',
        'CMAKE_INSTALL_PREFIX': plan.venv,
        'CMAKE_PREFIX_PATH': ';'.join(prefixes if plan.sourced else prefixes[:1]),
        'Python3_EXECUTABLE': plan.python,
        # The messages are copied, not computed with: optimising them takes longer than it saves.
        'CMAKE_C_FLAGS': '-O0',
        'CMAKE_CXX_FLAGS': '-O0',
        'PYTHON_ONLY': 'OFF' if plan.sourced else 'ON',
    }
    if not plan.sourced or shutil.which('ninja'):
        options['CMAKE_GENERATOR'] = 'Ninja'
    defines = [f'-D{name}={value}' for name, value in options.items()]
    jobs = str(os.cpu_count() or 1)
    cmake = partial(call, plan, variables=variables)
    cmake(f'configure {source.name}', 'cmake', '-S', source, '-B', build, *defines)
    cmake(f'build {source.name}', 'cmake', '--build', build, '--parallel', jobs)
    cmake(f'install {source.name}', 'cmake', '--install', build)


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
            # A new file, because uv links those that it installs to its cache.
            path.unlink()
            path.write_text(mended)
