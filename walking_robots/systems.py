"""The systems of this package, one record each: a new system is entered here and nowhere else.

setup.py, the launch files, the viewer, the demos, the command line and ``make help`` read these
records. Only the standard library is imported, because setup.py reads this file before anything
is installed. ``python walking_robots/systems.py`` lists the systems.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from importlib import import_module
from typing import Any

NAMESPACED_TOPICS = {'/tf': 'tf', '/tf_static': 'tf_static', '/clock': 'clock'}
"""Remappings of all nodes: each namespace has frames and simulated time of its own."""


@dataclass(frozen=True)
class DemoSpec:
    """The demo of a system.

    summary: what it shows; ends: when ``--once`` ends it; show: 'module:name' below ``nodes/``
    of a function that returns its Show; fixed: arguments of that function; options: more of
    them that the command line may change, with the choices, the default first; one alone may be
    anything; eyes: gaits that can see their terrain, the default of ``--eyes`` first.
    """

    summary: str
    ends: str
    show: str
    fixed: Mapping[str, str] = field(default_factory=dict)
    options: Mapping[str, tuple[str | None, ...]] = field(default_factory=dict)
    eyes: tuple[str, ...] = ()

    def arguments(self) -> dict[str, str | None]:
        """Return the arguments of the demo without options on the command line."""
        return {**self.fixed, **{name: values[0] for name, values in self.options.items()}}


@dataclass(frozen=True)
class System:
    """A system by its name, which its parameter file and its launch file have too.

    nodes: 'module:class' below ``nodes/`` by executable; page: 'module:name' below ``nodes/`` of a
    function that makes the robot's page on the viewer's node; robots: values of the viewer's
    parameter ``robot`` that this page is for, empty for every other robot; trial:
    'module:command' below ``cli/``, empty where the system has no trial; more_nodes: nodes that
    run only where they are asked for.
    """

    name: str
    nodes: Mapping[str, str]
    page: str
    demo: DemoSpec
    robots: tuple[str, ...] = ()
    trial: str = ''
    more_nodes: Mapping[str, str] = field(default_factory=dict)

    @property
    def parameters(self) -> str:
        """Path of the parameter file of all its nodes, below the share folder."""
        return f'config/{self.name}.yaml'

    def node_class(self, executable: str) -> Any:
        """Import and return the class of a node."""
        nodes = {**self.nodes, **self.more_nodes}
        return load(f'nodes.{nodes[executable]}')


_VIEWER = {'viewer': 'viewer:Viewer'}
_FREE_HEXAPOD = {
    'terrain': 'hexapod.terrain:Terrain',
    'free_gait': 'hexapod.free_gait:FreeGait',
    'leg_servo': 'hexapod.leg_servo:LegServoNode',
    'hexapod_sim': 'hexapod.sim:HexapodSim',
}
_EYES = {
    'elevation_map': 'hexapod.elevation_map:ElevationMapNode',
    'terrain_classifier': 'hexapod.terrain_classifier:TerrainClassifierNode',
}
_PROGRAMS = {'mdle_executor': 'mdle.executor:MdleExecutorNode'}
_MAPS = {
    'mdle_cartographer': 'mdle.cartographer:MdleCartographerNode',
    'mdle_planner': 'mdle.planner:MdlePlannerNode',
}
_SERVOS = {'servo_bus': 'hexapod.servo_bus:ServoBusNode'}
_FREE_GAITS = ('free', 'planned', 'auto')
_GAITS = ('tripod', 'ripple', 'wave', *_FREE_GAITS)
_ASV_GAITS = ('auto', 'rules', 'planned')
_PHYSICS = ('kinematic', 'mujoco')
# The simulation of a demo needs joint commands.
_OUTPUTS = ('joint_command', 'both')
_WALKS: Mapping[str, tuple[str | None, ...]] = {
    'gait': _GAITS, 'physics': _PHYSICS, 'forbidden': (None,), 'output': _OUTPUTS,
}  # fmt: skip
# Launch file and demo start one of the two gaits.
_HEXAPOD = _FREE_HEXAPOD | {'periodic_gait': 'hexapod.periodic_gait:PeriodicGait'} | _VIEWER
_SCOUT = {
    'scout_emulator': 'scout.emulator:ScoutEmulatorNode',
    'scout_driver': 'scout.driver:ScoutDriverNode',
}

SYSTEMS: dict[str, System] = {
    system.name: system
    for system in (
        System(
            'asv',
            nodes=_FREE_HEXAPOD | _VIEWER,
            page='hexapod.page:page_of_asv',
            robots=('asv',),
            demo=DemoSpec(
                'The Adaptive Suspension Vehicle crosses a ditch.',
                'one crossing',
                'hexapod.demo_asv:show',
                options={'gait': _ASV_GAITS, 'physics': _PHYSICS},
                eyes=_ASV_GAITS,
            ),
            trial='asv:trial_asv',
            more_nodes=_EYES | _PROGRAMS,
        ),
        System(
            'aquarobot',
            nodes=_HEXAPOD,
            page='hexapod.page:page_of_hexapod',
            demo=DemoSpec(
                'Aquarobot walks in all its gaits; move its body from the page.',
                'all gaits and postures',
                'hexapod.demo:show',
                fixed={'robot': 'aquarobot'},
                options=_WALKS,
                eyes=_FREE_GAITS,
            ),
            more_nodes=_EYES | _PROGRAMS | _MAPS | _SERVOS,
        ),
        System(
            'hexapod',
            nodes=_HEXAPOD,
            page='hexapod.page:page_of_hexapod',
            demo=DemoSpec(
                'Any hexapod described in a file walks; move its body from the page.',
                'all gaits and postures',
                'hexapod.demo:show',
                options={'robot': ('insect18',), **_WALKS},
                eyes=_FREE_GAITS,
            ),
            trial='hexapod:trial_hexapod',
            more_nodes=_EYES | _PROGRAMS | _MAPS | _SERVOS,
        ),
        System(
            'biped',
            # joint_servo runs only where the servos are not simulated (parameter `servo`).
            nodes={
                'biped_gait': 'biped.gait:BipedGaitNode',
                'joint_servo': 'biped.joint_servo:JointServo',
                'biped_sim': 'biped.sim:BipedSim',
            }
            | _VIEWER,
            page='biped.page:BipedPage',
            robots=('kwalk',),
            demo=DemoSpec(
                'Blind bipeds walk over ground that they do not see; push them from the page.',
                'six walks',
                'biped.demo:show',
            ),
            trial='biped:trial_biped',
            more_nodes=_PROGRAMS,
        ),
        System(
            'scout',
            nodes=_SCOUT | {'scout_wander': 'scout.wander:ScoutWanderNode'} | _VIEWER,
            page='scout_page:scout_page',
            robots=('super_scout',),
            demo=DemoSpec(
                'An emulated Super Scout wanders through rooms; drive it from the page.',
                'half a minute of wandering',
                'scout.demo:show',
            ),
            trial='scout:trial_scout',
        ),
        System(
            'mdle',
            nodes=_SCOUT | _PROGRAMS | _VIEWER,
            page='scout_page:scout_page',
            robots=('super_scout',),
            demo=DemoSpec(
                'A Scout follows a moving object by a plan, or explores an office by the planner.',
                'it has followed to three places, or has explored and is home',
                'mdle.demo:show',
                options={
                    'robot': ('scout', 'insect18', 'rectangular'),
                    'plan': ('follow', 'explore'),
                },
            ),
            trial='mdle_planner:trial_mdle',
            more_nodes=_MAPS,
        ),
        System(
            'ars_magna',
            nodes={
                'ars_magna': 'ars_magna.world:ArsMagnaNode',
                'ars_program': 'ars_magna.program:ArsProgramNode',
            }
            | _VIEWER,
            page='ars_magna.page:ArsMagnaPage',
            robots=('ars_magna',),
            demo=DemoSpec(
                'An abstract robot fetches a thing by a program; change its world from the page.',
                'it has brought the thing',
                'ars_magna.demo:show',
            ),
            trial='ars_magna_trial:trial_ars_magna',
        ),
    )
}

TOOLS = {'teleop': 'teleop:Teleop', 'recorder': 'recorder:GraphRecorder'}
"""Executables that belong to no single system."""


def executables() -> dict[str, str]:
    """Return the module of every executable, by name."""
    nodes = [found for system in SYSTEMS.values() for found in (system.nodes, system.more_nodes)]
    return {
        name: f'walking_robots.nodes.{target.split(":")[0]}'
        for targets in (*nodes, TOOLS)
        for name, target in targets.items()
    }


def load(target: str) -> Any:
    """Import and return 'module:name' below this package."""
    module, name = target.split(':')
    return getattr(import_module(f'walking_robots.{module}'), name)


def page_of(robot: str) -> Any:
    """Import and return what makes the page of a robot; any other name is a hexapod in a file."""
    systems = [s for s in SYSTEMS.values() if robot in s.robots or not s.robots]
    return load(f'nodes.{max(systems, key=lambda system: len(system.robots)).page}')


def overview(systems: Sequence[System] = tuple(SYSTEMS.values())) -> str:
    """Return a line per system: its name and what its demo shows."""
    return '\n'.join(f'{system.name:11} {system.demo.summary}' for system in systems)


if __name__ == '__main__':
    print(overview())
