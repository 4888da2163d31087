"""Keep the tests to themselves, and skip, saying why, what cannot run here.

Everything here happens before any test module is imported, rclpy with it.
"""

import gc
import importlib.util
import os
import shutil
import signal
import sys
import tempfile
from pathlib import Path

import pytest
from hypothesis import settings

from benchmarks.chromium import CHROMIUM
from walking_robots.nodes.common.network import stay_on_this_machine

_SPEC = importlib.util.spec_from_file_location(
    'ros_domains', Path(__file__).with_name('domains.py')
)
_DOMAINS = importlib.util.module_from_spec(_SPEC)
sys.modules['ros_domains'] = _DOMAINS
_SPEC.loader.exec_module(_DOMAINS)

os.environ['ROS_DOMAIN_ID'] = str(_DOMAINS.SESSION_DOMAIN)
for name in (
    'FASTDDS_DEFAULT_PROFILES_FILE',
    'FASTRTPS_DEFAULT_PROFILES_FILE',
    'RMW_IMPLEMENTATION',
    'ROS_AUTOMATIC_DISCOVERY_RANGE',
):
    os.environ.pop(name, None)
if importlib.util.find_spec('rclpy') is not None:
    stay_on_this_machine()

# Processes that tests start take this over; below nohup, or in the background of a script, they
# would ignore them.
signal.signal(signal.SIGHUP, signal.SIG_DFL)
signal.signal(signal.SIGINT, signal.default_int_handler)

LOGS = tempfile.mkdtemp(prefix='walking_robots_logs_')
os.environ['ROS_LOG_DIR'] = LOGS

# A slow machine is no failure, and in CI neither is luck.
settings.register_profile('house', deadline=None, derandomize=bool(os.environ.get('CI')))
settings.load_profile('house')


OPTIONAL = Path(__file__).parents[1] / '.venv-optional'
"""The environment of large libraries of extras."""


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add an option for all that the specifications ask, which takes half an hour."""
    parser.addoption(
        '--acceptance', action='store_true', help='all seeds and programs of acceptance checks'
    )


@pytest.fixture
def optional_libraries(monkeypatch: pytest.MonkeyPatch) -> None:
    """Add libraries of extras that are installed beside the environment."""
    beside = map(str, OPTIONAL.glob('lib/python*/site-packages'))
    monkeypatch.setattr(sys, 'path', [*sys.path, *beside])
    pytest.importorskip('pyarrow', reason='run make .venv-optional/ready')


@pytest.fixture(scope='session')
def acceptance(pytestconfig: pytest.Config) -> bool:
    """Return whether long checks are repeated as often as the specifications ask."""
    return bool(pytestconfig.getoption('acceptance'))


def missing_for_tests() -> dict[str, str]:
    """Return, for each marker whose tests cannot run here, the reason."""
    reasons = {}
    if importlib.util.find_spec('rclpy') is None:
        reasons['graph'] = 'rclpy does not import: run this from the environment of `make env`.'
    if CHROMIUM is None:
        reasons['browser'] = 'There is no Chromium here, which these tests open the viewer in.'
    if importlib.util.find_spec('launch_ros') is None:
        reasons['launch'] = 'There is no launch_ros here: it comes with a ROS 2 distribution only.'
    return reasons


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Skip the tests that need what is missing."""
    reasons = missing_for_tests()
    for item in items:
        for marker, reason in reasons.items():
            if item.get_closest_marker(marker):
                item.add_marker(pytest.mark.skip(reason=reason))


def pytest_unconfigure() -> None:
    """Take the logs away."""
    shutil.rmtree(LOGS, ignore_errors=True)


@pytest.fixture(autouse=True)
def watch_every_trial(monkeypatch: pytest.MonkeyPatch) -> None:
    """Hold every kinematic walk in plain Python to the invariants of asv.md §19.2."""
    from walking_robots.simulation.hexapod.physical import PhysicalHexapod
    from walking_robots.trials.hexapod import asv
    from walking_robots.trials.hexapod.invariants import InvariantMonitor
    from walking_robots.trials.hexapod.loop import ClosedLoop, LoopStep

    class WatchedLoop(ClosedLoop):
        """A loop that fails in the step that breaks an invariant."""

        def step(self, command: tuple[float, float, float]) -> LoopStep:
            found = super().step(command)
            if isinstance(self.backend, PhysicalHexapod):
                return found
            if not hasattr(self, 'monitor'):
                self.monitor = InvariantMonitor(self.model, self.terrain, abs(command[0]))
            self.monitor.check(found, self.coordinator.memory.steps)
            assert self.monitor.violations == []
            return found

    monkeypatch.setattr(asv, 'ClosedLoop', WatchedLoop)


@pytest.fixture
def untraced():
    """Measure without the tracer of coverage, and without what other tests left on the heap.

    The one takes several times as long as the code, the other is looked through by the collector
    of garbage again and again.
    """
    tracer = sys.gettrace()
    gc.collect()
    gc.freeze()
    sys.settrace(None)
    yield
    sys.settrace(tracer)
    gc.unfreeze()
