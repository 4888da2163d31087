"""The parameters of the executor of MDLe programs, declared with range and unit."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

from walking_robots.mdle.execution.settings import Settings
from walking_robots.mdle.profiles import PROFILES, known_profiles
from walking_robots.mdle.robot import RobotSpec
from walking_robots.nodes.base import GraphNode, one_of
from walking_robots.nodes.velocity import stamped_parameter
from walking_robots.robots.super_scout import SUPER_SCOUT
from walking_robots.virtual_robots.scout import scout_spec
from walking_robots.virtual_robots.twist import twist_spec

__all__ = ['MdleParameters']

ROBOTS: dict[str, Callable[..., RobotSpec]] = {'scout': scout_spec, 'twist': twist_spec}
AUTONOMY = ('full', 'confirm', 'step')


class MdleParameters:
    """The parameters of an executor node: settings, the robot, and where programs lie."""

    def __init__(self, node: GraphNode) -> None:
        """Declare them; raise RefusedError for a wrong one."""
        own = node.parameter
        self._node = node
        default = Settings()
        # Drivers end a velocity that is not repeated for half a second.
        own('tick_period', default.tick_period, 'between two ticks', 's', low=0.005, high=0.2)
        own('tick_budget', 0.5, 'share of the period that a tick may take', '', low=0.05, high=1.0)
        own(
            'zeno_limit',
            default.zeno_limit,
            'changes of element in one tick that are a fault',
            low=1,
            high=10_000,
        )
        own('stop_timeout', default.stop_timeout, 'for a stop to be seen', 's', low=0.1, high=60.0)
        own('mask_limit', default.mask_limit, 'a guard is held back', 's', low=0.0, high=60.0)
        own('default_guards', True, 'a touch ends the plan, unless it says what follows')
        own('profiles', [''], f'any of {", ".join(PROFILES)}', check=known_profiles)
        own(
            'autonomy_level',
            'full',
            'full; confirm: programs begin paused; step: they pause at every transition',
            check=one_of('autonomy_level', AUTONOMY),
        )
        self.stop_speed: float = own(
            'stop_speed', 0.01, 'that counts as rest', 'm/s', low=0.001, high=0.5, fixed=True
        )
        self.robot_name: str = own('robot_name', 'robot', 'own name among partners', fixed=True)
        self.partners: list[str] = [
            name
            for name in own('partners', [''], 'robots that are listened to', fixed=True)
            if name
        ]
        self.shared: list[str] = own(
            'shared_outputs', ['pose'], 'channels that partners may read', fixed=True
        )
        self.run_name: str = own('run_name', '', 'run that signals belong to', fixed=True)
        self.stamped = stamped_parameter(node)
        self.library_paths: list[Path] = [
            Path(folder).expanduser()
            for folder in own('library_paths', [''], 'folders of programs and modules', fixed=True)
            if folder
        ]
        self.bring_up: bool = own(
            'bring_up', True, 'configure and activate at the start', fixed=True
        )
        self.autostart: str = own('autostart', '', 'program to run at the start', fixed=True)
        self.spec = self._robot()

    def _robot(self) -> RobotSpec:
        own = self._node.parameter
        name = own('robot', 'scout', 'kind of robot', check=one_of('robot', ROBOTS), fixed=True)
        speed = own(
            'max_linear_speed',
            SUPER_SCOUT.default_speed,
            'limit of body2',
            'm/s',
            low=0.01,
            high=10.0,
            fixed=True,
        )
        turn = own(
            'max_angular_speed',
            SUPER_SCOUT.default_turn,
            'limit of body2',
            'rad/s',
            low=0.01,
            high=20.0,
            fixed=True,
        )
        return ROBOTS[name](speed=speed, turn=turn)

    def settings(self) -> Settings:
        """Give the settings as they are now."""
        value: Callable[[str], Any] = lambda name: self._node.get_parameter(name).value  # noqa: E731
        return Settings(
            tick_period=value('tick_period'),
            zeno_limit=value('zeno_limit'),
            stop_timeout=value('stop_timeout'),
            mask_limit=value('mask_limit'),
            default_guards=value('default_guards'),
            profiles=known_profiles(value('profiles')),
        )

    def budget(self) -> float:
        """Give the time that a tick may take, s."""
        get = self._node.get_parameter
        return float(get('tick_budget').value * get('tick_period').value)

    def autonomy(self) -> str:
        """Give how much is done without a person."""
        return str(self._node.get_parameter('autonomy_level').value)
