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
    'terrain': 'hexapod.terrain:Terrain',
    'free_gait': 'hexapod.free_gait:FreeGait',
    'periodic_gait': 'hexapod.periodic_gait:PeriodicGait',
    'leg_servo': 'hexapod.leg_servo:LegServoNode',
    'hexapod_sim': 'hexapod.sim:HexapodSim',
    'viewer': 'viewer:Viewer',
}

SYSTEMS: Mapping[str, System] = {
    'asv': System(
        nodes={
            'terrain': 'hexapod.terrain:Terrain',
            'free_gait': 'hexapod.free_gait:FreeGait',
            'leg_servo': 'hexapod.leg_servo:LegServoNode',
            'hexapod_sim': 'hexapod.sim:HexapodSim',
            'viewer': 'viewer:Viewer',
        },
        parameters='config/asv.yaml',
    ),
    'aquarobot': System(nodes=_HEXAPOD, parameters='config/aquarobot.yaml'),
    'hexapod': System(nodes=_HEXAPOD, parameters='config/hexapod.yaml'),
    'biped': System(
        # The servos are in the physics, unless its parameter `servo` puts them into joint_servo.
        nodes={
            'biped_gait': 'biped.gait:BipedGaitNode',
            'joint_servo': 'biped.joint_servo:JointServo',
            'biped_sim': 'biped.sim:BipedSim',
            'viewer': 'viewer:Viewer',
        },
        parameters='config/biped.yaml',
    ),
    'scout': System(
        nodes={
            'scout_emulator': 'scout.emulator:ScoutEmulatorNode',
            'scout_driver': 'scout.driver:ScoutDriverNode',
            'scout_wander': 'scout.wander:ScoutWanderNode',
            'viewer': 'viewer:Viewer',
        },
        parameters='config/scout.yaml',
    ),
    'mdle': System(
        nodes={
            'scout_emulator': 'scout.emulator:ScoutEmulatorNode',
            'scout_driver': 'scout.driver:ScoutDriverNode',
            'mdle_executor': 'mdle.executor:MdleExecutorNode',
            'viewer': 'viewer:Viewer',
        },
        parameters='config/mdle.yaml',
    ),
    'ars_magna': System(
        nodes={
            'ars_magna': 'ars_magna.world:ArsMagnaNode',
            'ars_program': 'ars_magna.program:ArsProgramNode',
            'viewer': 'viewer:Viewer',
        },
        parameters='config/ars_magna.yaml',
    ),
}


def executables() -> Mapping[str, str]:
    """Return the module of each executable, by name."""
    targets = {
        name: target for system in SYSTEMS.values() for name, target in system.nodes.items()
    }
    targets['teleop'] = 'teleop:Teleop'
    return {
        name: f'walking_robots.nodes.{target.split(":")[0]}' for name, target in targets.items()
    }
