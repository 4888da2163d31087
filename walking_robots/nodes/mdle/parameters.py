"""The parameters of the executor of MDLe programs, declared with range and unit."""

import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from walking_robots.gaits.biped.parameter_files import shipped_sets
from walking_robots.gaits.biped.record import FASTEST_TURN, STILL_TIME
from walking_robots.gaits.mobility import GAITS, mobility_of, usual_gait
from walking_robots.mdle.robot import RobotSpec
from walking_robots.mdle.runtime.settings import ExecutorSettings
from walking_robots.nodes.common.node import ConfigurationError, GraphNode, one_of
from walking_robots.nodes.common.velocity_publisher import stamped_parameter
from walking_robots.robots.kwalk import KWALKS
from walking_robots.robots.kwalk_spatial import SPATIAL_KWALKS
from walking_robots.robots.super_scout import SUPER_SCOUT
from walking_robots.virtual_robots.legged import biped_spec, hexapod_spec
from walking_robots.virtual_robots.scout import scout_spec
from walking_robots.virtual_robots.twist import twist_spec

ON_WHEELS: dict[str, Callable[..., RobotSpec]] = {'scout': scout_spec, 'twist': twist_spec}
BIPEDS = {f'kwalk{letter}': letter for letter in (*KWALKS, *SPATIAL_KWALKS)}
STILL = 0.05
"""Share of its greatest speed at which a slow robot counts as at rest."""
NAME = re.compile('[A-Za-z][A-Za-z0-9_]*')
"""A name that is a part of topics, and behind the @ of a channel in programs."""
# Drivers end a velocity that is not repeated for half a second.
SETTINGS: tuple[tuple[str, str, str, float, float], ...] = (
    ('tick_period', 'between two ticks', 's', 0.005, 0.2),
    ('tick_budget', 'share of the period that a tick may take', '', 0.05, 1.0),
    ('zeno_limit', 'changes of element in one tick that are a fault', '', 1, 10_000),
    ('stop_timeout', 'for a stop to be seen', 's', 0.1, 60.0),
    ('mask_limit', 'a guard is held back', 's', 0.0, 60.0),
)
"""Settings of the executor that are numbers: name, meaning, unit, least and greatest value."""
AUTONOMY = ('full', 'confirm', 'step')


class MdleParameters:
    """The parameters of an executor node: settings, the robot, and where programs lie."""

    def __init__(self, node: GraphNode) -> None:
        """Declare them; raise ConfigurationError for a wrong one."""
        own = node.parameter
        self._node = node
        default = ExecutorSettings()
        for name, text, unit, low, high in SETTINGS:
            own(name, getattr(default, name), text, unit, low=low, high=high)
        own('default_guards', True, 'a touch ends the plan, unless it says what follows')
        own(
            'autonomy_level',
            'full',
            'full; confirm: programs begin paused; step: they pause at every transition',
            check=one_of('autonomy_level', AUTONOMY),
        )
        self.stop_speed: float = own(
            'stop_speed', 0.01, 'that counts as rest', 'm/s', low=0.001, high=0.5, fixed=True
        )
        self.spec = self._robot()
        # A robot on legs may be slower than that.
        slow = min(self.stop_speed, STILL * self.spec.limits()['limit.v'])
        self.rest = self.spec.sway or slow
        self.robot_name: str = own(
            'robot_name', 'robot', 'own name among partners', check=_check_name, fixed=True
        )
        self.partners: list[str] = _given(
            own('partners', [''], 'robots that are listened to', check=_check_partners, fixed=True)
        )
        self.shared: list[str] = _given(
            own(
                'shared_outputs',
                ['pose'],
                'channels that partners may read',
                check=self._check_channels,
                fixed=True,
            )
        )
        self.run_name: str = own('run_name', '', 'run that signals belong to', fixed=True)
        self.stamped = stamped_parameter(node)
        self.library_paths: list[Path] = _folders(
            own(
                'library_paths',
                [''],
                'folders of programs and modules',
                check=_check_folders,
                fixed=True,
            )
        )
        self.bring_up: bool = own(
            'bring_up', True, 'configure and activate at the start', fixed=True
        )
        self.autostart: str = own('autostart', '', 'program to run at the start', fixed=True)

    def _robot(self) -> RobotSpec:
        own = self._node.parameter
        name, gait = declare_robot(self._node)
        limits = (
            ('max_linear_speed', SUPER_SCOUT.default_speed, 'm/s', 10.0),
            ('max_angular_speed', SUPER_SCOUT.default_turn, 'rad/s', 20.0),
        )
        speed, turn = (
            own(limit, default, 'limit of body2', unit, low=0.01, high=high, fixed=True)
            for limit, default, unit, high in limits
        )
        return spec_of_robot(self._node.get_name(), name, gait, speed, turn)

    def _check_channels(self, names: list[str]) -> None:
        for name in _given(names):
            if name not in self.spec.outputs:
                known = ', '.join(sorted(self.spec.outputs))
                raise ValueError(
                    f"shared_outputs: robot '{self.spec.name}' has no channel '{name}'; it has "
                    f'{known}'
                )

    def settings(self) -> ExecutorSettings:
        """Return the settings as they are now."""
        names = (*(name for name, *_ in SETTINGS), 'default_guards')
        return ExecutorSettings(**{name: self._node.get_parameter(name).value for name in names})

    def autonomy(self) -> str:
        """Return how much is done without a person."""
        return str(self._node.get_parameter('autonomy_level').value)


def declare_robot(node: GraphNode) -> tuple[str, str]:
    """Declare which robot it is and how it walks; return both."""
    return node.parameter(
        'robot', 'scout', 'scout; twist: any robot on cmd_vel and odom; kwalka, kwalkb or '
        'kwalkb3d; asv, a shipped hexapod, or the file of one', fixed=True,
    ), node.parameter(
        'gait', '', 'of a hexapod; empty: the usual one', fixed=True,
        check=one_of('gait', ('', *GAITS)),
    )  # fmt: skip


def spec_of_robot(node: str, name: str, gait: str, speed: float, turn: float) -> RobotSpec:
    """Return what a robot offers to programs.

    node: that is asked; speed, turn: greatest ones, m/s and rad/s. Raises ConfigurationError for
    one that is not known.
    """
    if name in ON_WHEELS:
        return ON_WHEELS[name](speed=speed, turn=turn)
    if name in BIPEDS:
        letter = BIPEDS[name]
        _, parameters = shipped_sets().find(letter, 'tuned', 'level')
        turns = min(FASTEST_TURN, turn) if letter in SPATIAL_KWALKS else 0.0
        return biped_spec(name, min(parameters.speed, speed), turn=turns, stop_time=STILL_TIME)
    try:
        mobility = mobility_of(name, gait or usual_gait(name))
    except ValueError as error:
        raise ConfigurationError(f'{node}: {str(error).rstrip(".")}.') from error
    walks = mobility.limits
    within = replace(walks, forward=min(walks.forward, speed), turn=min(walks.turn, turn))
    return hexapod_spec(
        Path(name).stem,
        within,
        deceleration=mobility.deceleration,
        stop_time=mobility.rest_time,
    )


def _given(names: list[str]) -> list[str]:
    """Return names without empty ones, of which a list of ROS has one where it has none."""
    return [name for name in names if name]


def _folders(names: list[str]) -> list[Path]:
    return [Path(name).expanduser() for name in _given(names)]


def _check_folders(names: list[str]) -> None:
    for folder in _folders(names):
        if not folder.is_dir():
            raise ValueError(f'library_paths: there is no folder {folder}')


def _check_name(name: str) -> None:
    if not NAME.fullmatch(name):
        raise ValueError(
            f"'{name}' cannot be the name of a robot; use letters, digits and _, a letter first"
        )


def _check_partners(names: list[str]) -> None:
    for name in _given(names):
        _check_name(name)
