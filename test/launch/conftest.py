"""Run launch files as `ros2 launch` does."""

import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

FOLDER = Path(__file__).parents[2] / 'launch'
SCRIPT = """
import sys
from launch import LaunchService
from launch.actions import IncludeLaunchDescription
from launch.launch_description_sources import PythonLaunchDescriptionSource

service = LaunchService()
arguments = [text.split(':=') for text in sys.argv[2:]]
source = PythonLaunchDescriptionSource(sys.argv[1])
service.include_launch_description(
    IncludeLaunchDescription(source, launch_arguments=arguments))
sys.exit(service.run())
"""


@pytest.fixture
def start() -> Iterator[Callable[..., subprocess.Popen[str]]]:
    """Return a function that launches a system with arguments such as 'viewer:=false'."""
    started: list[subprocess.Popen[str]] = []

    def launch(system: str, *arguments: str) -> subprocess.Popen[str]:
        file = FOLDER / f'{system}.launch.py'
        started.append(
            subprocess.Popen(
                [sys.executable, '-c', SCRIPT, str(file), *arguments],
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                text=True,
                env=os.environ | {'PYTHONUNBUFFERED': '1'},
            )
        )
        return started[-1]

    yield launch
    for process in started:
        process.kill()
        process.communicate()
