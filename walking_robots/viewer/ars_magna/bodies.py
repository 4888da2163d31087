"""Draw things on the ground: as wide as they are large, crossed out where they block sight.

The manual's picture of a thing (ars_magna.md §5.2), raised into a block: solid if it keeps robots
out, else one can see through it.
"""

import math
from collections.abc import Iterable, Mapping, Sequence

import numpy as np
import viser
from numpy.typing import NDArray

from walking_robots.viewer.ars_magna import colours
from walking_robots.viewer.ars_magna.frame import CoordinateFrame
from walking_robots.viewer.ars_magna.state import RobotView, ThingView

Place = tuple[float, float]

LOCAL = 1.0
"""Distance, cells, below which a thing is local to a robot (ars_magna.md §1.2)."""
_ASIDE = 0.42
"""Distance, cells, from the middle of things that lie at the same place."""
_CORNERS = np.array(
    [
        (x, y, z)
        for z in (0.0, 1.0)
        for x, y in ((-0.5, -0.5), (0.5, -0.5), (0.5, 0.5), (-0.5, 0.5))
    ]
)
_EDGES = ((0, 1), (1, 2), (2, 3), (3, 0), (4, 5), (5, 6), (6, 7), (7, 4), (0, 4), (1, 5), (2, 6),
          (3, 7))  # fmt: skip
_CROSSES = ((4, 6), (5, 7), (0, 5), (1, 4), (1, 6), (2, 5), (2, 7), (3, 6), (3, 4), (0, 7))


def places_of(things: Iterable[ThingView]) -> dict[str, Place]:
    """Return where each thing is drawn: those that lie at the same place beside one another."""
    found = {}
    for (x, y), labels in _heaps(things).items():
        aside = _ASIDE if len(labels) > 1 else 0.0
        for number, label in enumerate(labels):
            angle = math.tau * number / len(labels)
            found[label] = (x + aside * math.cos(angle), y + aside * math.sin(angle))
    return found


def names_of(things: Iterable[ThingView]) -> dict[str, str]:
    """Return what is written above a thing: all that lies at its place above the last of it."""
    return {labels[-1]: ', '.join(labels).lower() for labels in _heaps(things).values()}


def beside(
    robots: Sequence[RobotView], things: Sequence[ThingView]
) -> dict[str, tuple[ThingView, ...]]:
    """Return, by the names of robots, what is local to each: it is named with the robot.

    What is local to several is listed with the first.
    """
    left, found = list(things), {}
    for robot in robots:
        near = [one for one in left if math.dist((one.x, one.y), (robot.x, robot.y)) < LOCAL]
        left = [one for one in left if one not in near]
        found[robot.name] = tuple(near)
    return found


def _heaps(things: Iterable[ThingView]) -> Mapping[Place, list[str]]:
    """Return the labels of things by where they lie."""
    heaps: dict[Place, list[str]] = {}
    for thing in things:
        heaps.setdefault((thing.x, thing.y), []).append(thing.label)
    return heaps


class Bodies:
    """The things in the scene, each drawn anew only when it changes."""

    def __init__(self, scene: viser.SceneApi, root: str) -> None:
        """Draw below the scene node `root`."""
        self._scene = scene
        self._root = root
        self._drawn: dict[str, tuple[ThingView, _Solid]] = {}
        self._labels = True

    def switch_labels(self, visible: bool) -> None:
        """Show or hide what things are called."""
        self._labels = visible
        for _, body in self._drawn.values():
            body.show_name(body.label.text, visible)

    def show(
        self,
        things: tuple[ThingView, ...],
        frame: CoordinateFrame,
        nameless: Iterable[ThingView] = (),
    ) -> None:
        """Draw these things and no others; `nameless`: those that are named elsewhere."""
        places, elsewhere = places_of(things), {*nameless}
        names = names_of(thing for thing in things if thing not in elsewhere)
        for label in self._drawn.keys() - places.keys():
            self._drawn.pop(label)[1].remove()
        for thing in things:
            before, body = self._drawn.get(thing.label, (None, None))
            if body is not None and before is not None and before[3:] != thing[3:]:
                body.remove()
                body = None
            if body is None:
                name = f'{self._root}/{thing.label.replace("#", "_")}'
                body = _Solid(self._scene, name, thing)
            self._drawn[thing.label] = (thing, body)
            x, y = frame.point(*places[thing.label])
            body.frame.position = (x, y, 0.0)
            body.show_name(names.get(thing.label, ''), self._labels)


class _Solid:
    """A block with its edges and its name."""

    def __init__(self, scene: viser.SceneApi, name: str, thing: ThingView) -> None:
        across = colours.thing_width(thing.size)
        size = np.array((across, across, max(across, 0.4)))
        self.frame = scene.add_frame(name, show_axes=False)
        scene.add_box(
            f'{name}/block',
            colours.thing_colour(thing.color),
            tuple(size.tolist()),
            opacity=1.0 if thing.obsmove else 0.62,
            position=(0.0, 0.0, 0.5 * size[2]),
        )
        scene.add_line_segments(
            f'{name}/edges', _lines(_EDGES, size), colours.EDGE, thickness=0.035
        )
        if thing.obsview:
            # A little outside of the block, so that the cross is not lost in its faces.
            scene.add_line_segments(
                f'{name}/cross', _lines(_CROSSES, 1.02 * size), colours.EDGE, thickness=0.06
            )
        self.label = scene.add_label(
            f'{name}/label',
            '',
            position=(0.0, 0.0, size[2] + 0.7),
            anchor='bottom-center',
            font_screen_scale=0.9,
            visible=False,
        )

    def show_name(self, name: str, wanted: bool) -> None:
        """Write a name above it, or nothing."""
        self.label.text = name
        self.label.visible = wanted and bool(name)

    def remove(self) -> None:
        """Take it out of the scene."""
        self.frame.remove()


def _lines(pairs: tuple[tuple[int, int], ...], size: NDArray[np.float64]) -> NDArray[np.float32]:
    """Return lines between corners of a block as pieces (n, 2, 3)."""
    return np.asarray(_CORNERS[np.array(pairs)] * size, dtype=np.float32)
