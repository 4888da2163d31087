"""Describe the package to colcon and pip."""

import runpy
from itertools import chain
from pathlib import Path

from setuptools import find_packages, setup

NAME = 'walking_robots'
executables = runpy.run_path(f'{NAME}/systems.py')['executables']
EXTRAS = {
    'viewer': ['viser>=1.1', 'trimesh>=4', 'pillow>=9'],
    'physics': ['mujoco-core>=4'],
    'footholds': ['numba>=0.61'],
    'figures': ['matplotlib>=3.6'],
    'learning': ['gymnasium>=1.0', 'pettingzoo>=1.24', 'cma>=4'],
    'planning': ['pyperplan>=2.1'],
    'unified-planning': ['unified-planning>=1.2'],
    'servos': ['dynamixel-sdk>=4'],
    'mcap': ['mcap>=1.6', 'zstandard>=0.20'],
    'sweeps': ['distributed>=2024.1'],
    'parquet': ['pyarrow>=15'],
}
DATA = ('yaml', 'lark', 'json', 'mdle', 'js', 'css')
SHARED = ('launch/*.launch.py', 'config/**/*', 'urdf/**/*')


def data_files() -> list[tuple[str, list[str]]]:
    """List what is installed beside the code, folder by folder as it lies here."""
    share = f'share/{NAME}'
    folders: dict[str, list[str]] = {
        'share/ament_index/resource_index/packages': [f'resource/{NAME}'],
        share: ['package.xml'],
    }
    for pattern in SHARED:
        for path in sorted(Path().glob(pattern)):
            if path.is_file():
                folders.setdefault(f'{share}/{path.parent}', []).append(str(path))
    return list(folders.items())


setup(
    name=NAME,
    version='0.1.0',
    description='Classic legged and mobile robot control on ROS 2.',
    maintainer='walking_robots maintainers',
    maintainer_email='maintainers@users.noreply.a-seed-90b2cd52.example',
    license='Apache-2.0',
    python_requires='>=3.11',
    packages=find_packages(include=[NAME, f'{NAME}.*']),
    package_data={NAME: ['py.typed', *(f'**/*.{kind}' for kind in DATA)]},
    data_files=data_files(),
    # What distributions bring is taken as it is; requirements/ pins what `make env` installs.
    install_requires=[
        'click>=8.1',
        'lark>=1.1',
        'numpy>=1.26',
        'pydantic>=2',
        'pyserial>=3.5',
        'PyYAML>=6',
        'rich>=13',
        'transforms3d>=0.4.1',
        'xacro>=2',
    ],
    extras_require={**EXTRAS, 'all': [*chain(*EXTRAS.values())], 'test': ['pytest']},
    zip_safe=True,
    entry_points={
        'console_scripts': [
            f'{NAME} = {NAME}.__main__:main',
            # It imports the node that the executable is named after.
            *(f'{node} = {NAME}.nodes.__main__:main' for node in executables()),
        ],
    },
)
