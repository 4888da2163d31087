"""Draw what a program knows of the world: flags at its points, and what moves about."""

import math
from collections.abc import Callable

import numpy as np
import viser

from walking_robots.viewer.common.colours import Colour
from walking_robots.viewer.mdle.state import NamedPoint, Object, PlanView
from walking_robots.viewer.mdle.status import clipped

FLAG: Colour = (146, 64, 190)
POLE: Colour = (74, 80, 92)
MOVING: Colour = (217, 84, 51)
MOST_FLAGS = 12
"""Points that are shown."""

_HEIGHT, _LENGTH = 0.62, 0.2
_CLOTH = np.array(
    ((0.0, 0.0, _HEIGHT), (0.0, 0.0, _HEIGHT - 0.14), (_LENGTH, 0.0, _HEIGHT - 0.07)),
    dtype=np.float32,
)


class Marks:
    """Flags and the object in the scene, below a frame that is that of the points."""

    def __init__(
        self, scene: viser.SceneApi, root: str, move: Callable[[float, float], None]
    ) -> None:
        """Draw below the scene node `root`; `move` puts the object somewhere, m in map."""
        self._scene = scene
        self._root = root
        self._flags: list[Flag] = []
        self._object: Object | None = None
        self._drum: viser.CylinderHandle | None = None
        self._handle = scene.add_transform_controls(
            f'{root}/object_handle',
            scale=0.55,
            active_axes=(True, True, False),
            disable_rotations=True,
            depth_test=False,
            visible=False,
        )

        @self._handle.on_update
        def _(event: viser.TransformControlsEvent) -> None:
            if event.phase == 'end':
                x, y, _ = event.target.position
                move(float(x), float(y))

    def show(self, view: PlanView) -> None:
        """Draw the object, and flags while a program runs."""
        points = view.points[:MOST_FLAGS] if view.runs else ()
        while len(self._flags) < len(points):
            name = f'{self._root}/flag{len(self._flags)}'
            self._flags.append(Flag(self._scene, name))
        for number, flag in enumerate(self._flags):
            flag.show(points[number] if number < len(points) else None)
        self._show_object(view.object)

    def _show_object(self, found: Object | None) -> None:
        """Draw what moves about, and what it is moved by."""
        if found == self._object:
            return
        before, self._object = self._object, found
        if self._drum is not None and (found is None or before is None or found[2:] != before[2:]):
            self._drum.remove()
            self._drum = None
        self._handle.visible = found is not None
        if found is None:
            return
        if self._drum is None:
            self._drum = self._scene.add_cylinder(
                f'{self._root}/object', found.radius, found.height, MOVING
            )
        self._drum.position = (found.x, found.y, 0.5 * found.height)
        self._handle.position = (found.x, found.y, found.height + 0.05)


class Flag:
    """A flag with a name; it turns nowhere and is seen from both sides."""

    def __init__(self, scene: viser.SceneApi, name: str) -> None:
        """Add a flag that is not shown yet."""
        self._shown: NamedPoint | None = None
        self._frame = scene.add_frame(name, show_axes=False, visible=False)
        scene.add_cylinder(
            f'{name}/pole',
            0.012,
            _HEIGHT,
            POLE,
            radial_segments=8,
            position=(0.0, 0.0, 0.5 * _HEIGHT),
        )
        scene.add_cylinder(f'{name}/foot', 0.05, 0.012, FLAG, position=(0.0, 0.0, 0.012))
        scene.add_mesh_simple(
            f'{name}/cloth',
            _CLOTH,
            np.array(((0, 1, 2),), dtype=np.uint32),
            color=FLAG,
            side='double',
            wxyz=(math.cos(0.4), 0.0, 0.0, -math.sin(0.4)),
        )
        self._label = scene.add_label(
            f'{name}/label', '', position=(0.0, 0.0, _HEIGHT + 0.04), anchor='bottom-center'
        )

    def show(self, point: NamedPoint | None) -> None:
        """Stand at a point, or nowhere."""
        if point == self._shown:
            return
        self._shown = point
        self._frame.visible = point is not None
        if point is not None:
            self._frame.position = (point.x, point.y, 0.0)
            self._label.text = clipped(point.name)
