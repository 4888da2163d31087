"""Draw a hexapod on articulated legs: from above, and what a leg reaches from the side."""

from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from walking_robots.documents.extras import extra_needed
from walking_robots.legs.articulated import ArticulatedLegs
from walking_robots.legs.workspace import extremes, knee_up, leg_volume
from walking_robots.robots.articulated import ArticulatedHexapod

if TYPE_CHECKING:
    from matplotlib.axes import Axes

SIZE = (12.0, 7.0)
DOTS_PER_INCH = 110
GRID = 400
_REACH, _VOLUME, _LEG, _HOME = '#cfe3f5', '#2a7ab9', '#20435c', '#c25b12'
_BELOW: dict[str, Any] = {
    'loc': 'upper center', 'bbox_to_anchor': (0.5, -0.12), 'ncols': 3, 'fontsize': 'small',
}  # fmt: skip


def draw_robot(robot: ArticulatedHexapod, target: Path) -> None:
    """Draw a robot into a picture; the suffix of ``target`` is its format.

    Raises ValueError for an unknown suffix and OSError where nothing can be written.
    """
    if target.suffix not in ('.png', '.svg'):
        raise ValueError(f'{target.name} must end in .png or .svg')
    # Loaded by whoever wants a picture, and by nobody else.
    with extra_needed('figures'):
        from matplotlib.figure import Figure

    figure = Figure(figsize=SIZE, layout='constrained')
    above, beside = figure.subplots(1, 2)
    legs = ArticulatedLegs(robot)
    feet = np.array(robot.neutral_feet)
    reach = legs.reach(feet)
    _draw_above(above, robot, legs.points(reach.joints), feet)
    _draw_beside(beside, robot, legs, reach.joints)
    above.set_title(f'{robot.name} from above, x ahead')
    beside.set_title('leg 1 from its side')
    figure.savefig(target, dpi=DOTS_PER_INCH)


def _draw_above(
    axes: 'Axes', robot: ArticulatedHexapod, points: np.ndarray, feet: np.ndarray
) -> None:
    """Draw body, legs on their neutral feet and, at that height, where each foot can be."""
    for leg, foot in zip(robot.legs, feet, strict=True):
        height = foot[2] - leg.mount[2]
        out = np.linspace(0.0, extremes(leg).outer, GRID)
        within = out[knee_up(leg, out, np.full(GRID, height))]
        if within.size:
            swing = leg.ranges[0]
            yaw = np.linspace(swing.low, swing.high, 60) + leg.heading
            r = np.concatenate((np.full(60, within[-1]), np.full(60, within[0])))
            angle = np.concatenate((yaw, yaw[::-1]))
            x, y = leg.mount[0] + r * np.cos(angle), leg.mount[1] + r * np.sin(angle)
            axes.fill(-y, x, color=_REACH, alpha=0.6, linewidth=0.0)
    for leg in robot.legs:
        x, y, _ = points[leg.number - 1].T
        axes.plot(-y, x, color=_LEG, linewidth=2.0, marker='o', markersize=3.0, zorder=3)
        away = 10.0 / np.hypot(x[-1], y[-1])
        axes.annotate(
            str(leg.number), (-y[-1], x[-1]), (-away * y[-1], away * x[-1]),
            textcoords='offset points', ha='center', va='center',
        )  # fmt: skip
    x, y = np.array((*robot.outline, robot.outline[0])).T
    axes.fill(-y, x, facecolor='#e8e4da', edgecolor='#555555', zorder=2)
    axes.plot(-feet[:, 1], feet[:, 0], 'o', color=_HOME, fillstyle='none', label='neutral feet')
    axes.plot([], [], color=_REACH, linewidth=8.0, label='reach at that height')
    axes.annotate('', (0.0, 0.9 * max(x)), (0.0, 0.0), arrowprops={'arrowstyle': '->'}, zorder=4)
    axes.set(aspect='equal', xlabel='-y in m (to the right)', ylabel='x in m (ahead)')
    axes.legend(**_BELOW)
    axes.grid(alpha=0.3)


def _draw_beside(
    axes: 'Axes', robot: ArticulatedHexapod, legs: ArticulatedLegs, joints: np.ndarray
) -> None:
    """Draw what leg 1 reaches in its plane, its volume, and two of its postures."""
    leg = robot.legs[0]
    bounds = extremes(leg)
    out = np.linspace(0.0, 1.05 * bounds.outer, GRID)
    up = np.linspace(1.05 * bounds.lowest, 1.05 * bounds.highest, GRID)
    inside = knee_up(leg, *np.meshgrid(out, up))
    axes.contourf(out, up, inside, levels=(0.5, 1.5), colors=[_REACH])
    axes.plot([], [], color=_REACH, linewidth=8.0, label='reach with the knee up')
    try:
        volume = leg_volume(robot, leg.number)
    except ValueError:
        volume = None
    if volume is not None:
        (near, far), (low, high) = volume.reach, volume.height
        axes.fill(
            (near, far, far, near), (low, low, high, high),
            facecolor='none', edgecolor=_VOLUME, hatch='//', label='working volume',
        )  # fmt: skip
    for name, posture, colour in (('neutral', joints, _LEG), ('home', legs.home, _HOME)):
        away = legs.points(posture)[0] - leg.mount
        ahead = np.array(
            (np.cos(leg.heading + posture[0, 0]), np.sin(leg.heading + posture[0, 0]))
        )
        axes.plot(
            away[:, :2] @ ahead, away[:, 2], color=colour, linewidth=2.5, marker='o', label=name
        )
    ground = -robot.height - leg.mount[2]
    axes.axhline(ground, color='#7a6a4f', linewidth=1.0, linestyle='--', label='ground')
    axes.set(aspect='equal', xlabel='out from the hip in m', ylabel='over the hip in m')
    axes.legend(**_BELOW)
    axes.grid(alpha=0.3)
