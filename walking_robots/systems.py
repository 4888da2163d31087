"""The systems of this package: which nodes make each of them up, by executable name."""

from collections.abc import Mapping
from dataclasses import dataclass
from importlib import import_module
from typing import Any

__all__ = ['SYSTEMS', 'System']


@dataclass(frozen=True)
class System:
    """A system: its nodes as 'module:class' by executable name, and its parameter file.

    Launch files name the same executables and the same file, which a test compares.
    """

    nodes: Mapping[str, str]
    parameters: str

    def node_class(self, executable: str) -> Any:
        """Import and give the class of a node."""
        module, name = self.nodes[executable].split(':')
        return getattr(import_module(f'walking_robots.nodes.{module}'), name)


# Of the two gaits one is left out.
_HEXAPOD = {
    'terrain': 'terrain:Terrain',
    'free_gait': 'free_gait:FreeGait',
    'periodic_gait': 'periodic_gait:PeriodicGait',
    'leg_servo': 'leg_servo:LegServoNode',
    'hexapod_sim': 'hexapod_sim:HexapodSim',
    'viewer': 'viewer:Viewer',
}

SYSTEMS: Mapping[str, System] = {
    'asv': System(
        nodes={
            'terrain': 'terrain:Terrain',
            'free_gait': 'free_gait:FreeGait',
            'leg_servo': 'leg_servo:LegServoNode',
            'hexapod_sim': 'hexapod_sim:HexapodSim',
            'viewer': 'viewer:Viewer',
        },
        parameters='config/asv.yaml',
    ),
    'aquarobot': System(nodes=_HEXAPOD, parameters='config/aquarobot.yaml'),
    'hexapod': System(nodes=_HEXAPOD, parameters='config/hexapod.yaml'),
    'biped': System(
        # The servos are in the physics, unless its parameter `servo` puts them into joint_servo.
        nodes={
            'biped_gait': 'biped_gait:BipedGaitNode',
            'joint_servo': 'joint_servo:JointServo',
            'biped_sim': 'biped_sim:BipedSim',
            'viewer': 'viewer:Viewer',
        },
        parameters='config/biped.yaml',
    ),
    'scout': System(
        nodes={
            'scout_emulator': 'scout_emulator:ScoutEmulatorNode',
            'scout_driver': 'scout_driver:ScoutDriverNode',
            'scout_wander': 'scout_wander:ScoutWanderNode',
            'viewer': 'viewer:Viewer',
        },
        parameters='config/scout.yaml',
    ),
    'mdle': System(
        nodes={
            'scout_emulator': 'scout_emulator:ScoutEmulatorNode',
            'scout_driver': 'scout_driver:ScoutDriverNode',
            'mdle_executor': 'mdle_executor:MdleExecutorNode',
            'viewer': 'viewer:Viewer',
        },
        parameters='config/mdle.yaml',
    ),
    'ars_magna': System(
        nodes={
            'ars_magna': 'ars_magna:ArsMagnaNode',
            'ars_program': 'ars_program:ArsProgramNode',
            'viewer': 'viewer:Viewer',
        },
        parameters='config/ars_magna.yaml',
    ),
}
