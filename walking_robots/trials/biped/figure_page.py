"""Draw the thesis's page of figures of a biped's walk (biped.md §11)."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from walking_robots.documents.extras import extra_needed
from walking_robots.simulation.biped.friction import needed_friction
from walking_robots.trials.biped.trial import BipedTrial, LoopTick

if TYPE_CHECKING:
    from matplotlib.axes import Axes

FORMATS = ('.png', '.svg', '.pdf')
SIZE = (9.0, 14.0)
DOTS_PER_INCH = 100
_RIGHT, _LEFT, _SET = '#20435c', '#c25b12', '#888888'
MOST_FRICTION = 1.5
"""Upper end of the axis of friction: it peaks as a foot lifts off."""


def check_format(target: Path) -> None:
    """Raise ValueError, one sentence, for a picture of an unknown format."""
    if target.suffix not in FORMATS:
        raise ValueError(f'{target.name} must end in {", ".join(FORMATS)}')


def draw(trial: BipedTrial, ticks: Sequence[LoopTick], target: Path) -> None:
    """Draw a walk against time, angles in degrees, the left leg dotted.

    Raises ValueError for an unknown format and OSError where nothing can be written.
    """
    check_format(target)
    # Loaded by whoever wants a picture, and by nobody else.
    with extra_needed('figures'):
        from matplotlib.figure import Figure

    figure = Figure(figsize=SIZE, layout='constrained')
    axes = figure.subplots(10, 1, sharex=True)
    robot, parameters = trial.robot, trial.parameters
    time = np.array([tick.state.time for tick in ticks])
    states = np.array([(t.height, t.state.velocity[0], t.state.pitch) for t in ticks])
    knee = 'N' if robot.knee == 'prismatic' else 'N m'
    speed = parameters.speed if trial.speed is None else trial.speed
    for place, (name, values, wanted) in enumerate(
        (
            ('height m', states[:, 0], parameters.height),
            ('speed m/s', states[:, 1], speed),
            ('pitch °', np.degrees(states[:, 2]), 0.0),
            ('state', np.array([tick.gait.memory.state for tick in ticks]), None),
        )
    ):
        axes[place].plot(time, values, color=_RIGHT, drawstyle='steps-post', lw=0.9)
        if wanted is not None:
            axes[place].axhline(wanted, color=_SET, ls='--', lw=0.8)
        axes[place].set_ylabel(name)
    efforts = np.array([tick.state.efforts for tick in ticks])
    legs = np.array([[leg[:2] for leg in tick.gait.legs] for tick in ticks])
    for place, name, pair in (
        (4, 'hips N m', efforts[:, ::2]),
        (5, f'knees {knee}', efforts[:, 1::2]),
        (6, 'legs m', legs[:, :, 0]),
        (7, 'legs °', np.degrees(legs[:, :, 1])),
        (9, 'friction', _friction(ticks)),
    ):
        _pair(axes[place], time, pair, name)
    axes[9].set_ylim(0.0, MOST_FRICTION)
    forces = np.array([(tick.gait.forward, tick.gait.upward) for tick in ticks])
    axes[8].plot(time, forces[:, 1], color=_RIGHT, lw=0.9, label='upward')
    axes[8].plot(time, forces[:, 0], color=_LEFT, lw=0.9, label='forward')
    axes[8].set_ylabel('on body N')
    axes[8].legend(loc='upper right', ncols=2, fontsize='x-small')
    axes[4].legend(loc='upper right', ncols=2, fontsize='x-small')
    axes[-1].set_xlabel('time s')
    axes[0].set_title(f'{robot.name}, contact: {trial.settings.contact}')
    figure.align_ylabels(axes)
    figure.savefig(target, dpi=DOTS_PER_INCH)


def _pair(axes: 'Axes', time: NDArray[np.float64], pair: NDArray[np.float64], name: str) -> None:
    """Draw what right and left leg have."""
    axes.plot(time, pair[:, 0], color=_RIGHT, lw=0.9, label='right')
    axes.plot(time, pair[:, 1], color=_LEFT, lw=0.9, ls=':', label='left')
    axes.set_ylabel(name)


def _friction(ticks: Sequence[LoopTick]) -> NDArray[np.float64]:
    """Return the friction that each foot needs, NaN where it is hardly loaded."""
    return np.array(
        [[needed_friction(foot, t.gait.memory.slope) for foot in t.state.feet] for t in ticks],
        dtype=np.float64,
    )
