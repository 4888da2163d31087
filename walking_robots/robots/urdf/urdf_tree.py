"""Read a URDF, or what xacro makes one of: links and joints, and where they are."""

import math
import os
import re
import subprocess
import sys
from collections.abc import Iterator, Mapping
from copy import deepcopy
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory
from xml.etree import ElementTree

import numpy as np
from numpy.typing import NDArray
from transforms3d.axangles import axangle2mat
from transforms3d.euler import euler2mat

from walking_robots.documents.files import read_text
from walking_robots.documents.sentences import one_line

Array = NDArray[np.float64]

LARGEST = 20_000_000
TURNING = ('revolute', 'continuous')
"""Types of joints that turn without end, or between limits."""
BASE = 'base_link'
PARENTS = 4
"""Folders above a xacro file in which packages are looked for."""


@dataclass(frozen=True)
class UrdfShape:
    """A shape of a link for collisions or to look at.

    kind: sphere, box, cylinder or mesh; size: radius, or three sides, or radius and length, m, or
    three scales; file: of a mesh; pose: (4, 4), in the frame of its link.
    """

    kind: str
    size: tuple[float, ...]
    file: str
    pose: Array


@dataclass(frozen=True)
class UrdfLink:
    """A link: its mass, kg, and shapes, those for collisions first."""

    name: str
    mass: float = 0.0
    shapes: tuple[UrdfShape, ...] = ()


@dataclass(frozen=True)
class UrdfJoint:
    """A joint: where its child is at 0, (4, 4), its axis, a unit (3,), and its limits.

    low, high: rad, infinite where nothing limits it; speed, rad/s, and effort, N m: 0 where the
    file does not say them.
    """

    name: str
    kind: str
    parent: str
    child: str
    origin: Array
    axis: Array
    low: float = -math.inf
    high: float = math.inf
    speed: float = 0.0
    effort: float = 0.0

    @property
    def turns(self) -> bool:
        """Return whether it is a rotary joint."""
        return self.kind in TURNING


@dataclass(frozen=True)
class UrdfTree:
    """A robot as a tree of links; ``joints`` by the name of their child, ``root`` has none.

    ``document`` is the URDF itself.
    """

    name: str
    file: Path
    document: ElementTree.Element
    links: Mapping[str, UrdfLink]
    joints: Mapping[str, UrdfJoint]
    root: str
    children: Mapping[str, tuple[UrdfJoint, ...]] = field(init=False)

    def __post_init__(self) -> None:
        """List the joints below each link."""
        below: dict[str, list[UrdfJoint]] = {name: [] for name in self.links}
        for joint in self.joints.values():
            below[joint.parent].append(joint)
        found = {name: tuple(joints) for name, joints in below.items()}
        object.__setattr__(self, 'children', found)

    def pose(self, link: str, values: Mapping[str, float] | None = None) -> Array:
        """Return the pose of a link, (4, 4), in that of the root; values: of joints, rad."""
        found = np.eye(4)
        while link != self.root:
            joint = self.joints[link]
            turned = np.eye(4)
            if joint.turns and values:
                turned[:3, :3] = axangle2mat(joint.axis, values.get(joint.name, 0.0))
            found = joint.origin @ turned @ found
            link = joint.parent
        return found

    def rigid(self, link: str) -> Iterator[str]:
        """Return a link and all that follow it without a rotary joint between them."""
        yield link
        for joint in self.children[link]:
            if not joint.turns:
                yield from self.rigid(joint.child)

    def above(self, link: str) -> Iterator[str]:
        """Return a link and those that it hangs on, up to the root."""
        yield link
        while link != self.root:
            link = self.joints[link].parent
            yield link

    def below(self, link: str) -> Iterator[str]:
        """Return a link and all that hang on it."""
        yield link
        for joint in self.children[link]:
            yield from self.below(joint.child)

    def with_mesh_paths(self) -> ElementTree.Element:
        """Return its document with the whole paths of the meshes that are found."""
        document = deepcopy(self.document)
        for part in document.iter('mesh'):
            if path := self.mesh_file(part.get('filename', '')):
                part.set('filename', path.resolve().as_uri())
        return document

    def mesh_file(self, name: str) -> Path | None:
        """Return the file of a mesh as a URDF names it, None where it is not found."""
        _, package, rest = name.rpartition('://')
        folders = list(self.file.resolve().parents)
        if name.startswith('package'):
            inside = rest.partition('/')[2]
            places = [place for folder in folders for place in (folder / rest, folder / inside)]
        else:
            places = [Path('/') / rest if package else self.file.parent / rest]
        return next((place for place in places if place.is_file()), None)


def read_urdf(path: str | Path) -> UrdfTree:
    """Read a URDF; a file whose name ends in .xacro is rendered by xacro first.

    Raises ValueError, one sentence, where that does not work or it describes no tree of links.
    """
    path = Path(path)
    text = read_text(path, 'a robot in URDF or xacro', largest=LARGEST, shorter='leave meshes out')
    if path.suffix == '.xacro':
        text = _rendered(path)
    # Entities can grow without end.
    if '<!DOCTYPE' in text or '<!ENTITY' in text:
        raise ValueError(f'{path}: has a DOCTYPE, which no URDF needs; remove it')
    try:
        robot = ElementTree.fromstring(text)
    except ElementTree.ParseError as error:
        raise ValueError(f'{path}: is not XML ({error}); correct it') from None
    if robot.tag != 'robot':
        raise ValueError(f'{path}: is <{robot.tag}>, no <robot>; give a robot in URDF')
    if '{http' in ''.join(part.tag for part in robot.iter() if isinstance(part.tag, str)):
        raise ValueError(f'{path}: holds xacro; name it {path.stem}.xacro')
    try:
        return _tree(robot, path)
    except (KeyError, ValueError) as error:
        what = f'{error.args[0]!r} is missing' if isinstance(error, KeyError) else str(error)
        raise ValueError(one_line(f'{path}: {what}; correct it')) from None


def _rendered(path: Path) -> str:
    """Return what xacro makes of a file, with the packages of the folders above it at hand."""
    with TemporaryDirectory() as folder:
        index = Path(folder) / 'share/ament_index/resource_index/packages'
        index.mkdir(parents=True)
        for found in path.resolve().parents[:PARENTS]:
            for package in (found, *(file.parent for file in found.glob('*/package.xml'))):
                link = Path(folder) / 'share' / package.name
                if (package / 'package.xml').is_file() and not link.exists():
                    link.symlink_to(package)
                    (index / package.name).touch()
        prefixes = (folder, os.environ.get('AMENT_PREFIX_PATH'))
        done = subprocess.run(
            [sys.executable, '-c', 'import xacro; xacro.main()', str(path)],
            env=os.environ | {'AMENT_PREFIX_PATH': os.pathsep.join(filter(None, prefixes))},
            capture_output=True,
            text=True,
        )
        if done.returncode == 0:
            return done.stdout.replace(f'{folder}/share/', 'package://')
    said = [line for line in done.stderr.splitlines() if line.strip()]
    reason = next((line for line in said if 'warning' not in line), 'it ends without a word')
    raise ValueError(
        one_line(
            f"{path}: xacro cannot render it here ({reason[:200]}); run 'xacro {path.name} > "
            f"{path.name.partition('.')[0]}.urdf' where its packages are, and import that"
        )
    )


def _tree(robot: ElementTree.Element, path: Path) -> UrdfTree:
    links = {part.attrib['name']: _link(part) for part in robot.findall('link')}
    joints = [_joint(part) for part in robot.findall('joint')]
    for joint in joints:
        for end in (joint.parent, joint.child):
            if end not in links:
                raise ValueError(f"joint '{joint.name}' names a link '{end}' that there is not")
    by_child = {joint.child: joint for joint in joints}
    roots = [name for name in links if name not in by_child]
    if len(by_child) < len(joints) or len(roots) != 1:
        raise ValueError(f'the links form no tree: {len(roots)} of them have no parent, not one')
    for name in links:
        seen: set[str] = set()
        while name in by_child:
            if name in seen:
                raise ValueError(f"link '{name}' is above itself")
            seen.add(name)
            name = by_child[name].parent
    return UrdfTree(robot.get('name', path.stem), path, robot, links, by_child, roots[0])


def _link(part: ElementTree.Element) -> UrdfLink:
    mass = part.find('inertial/mass')
    shapes = tuple(
        shape
        for kind in ('collision', 'visual')
        for found in part.findall(kind)
        for shape in _shapes(found)
    )
    weight = 0.0 if mass is None else _number(mass.attrib['value'])
    return UrdfLink(part.attrib['name'], weight, shapes)


def _shapes(part: ElementTree.Element) -> Iterator[UrdfShape]:
    pose = _pose(part.find('origin'))
    for shape in part.findall('geometry/*'):
        size: tuple[float, ...] = ()
        if shape.tag == 'sphere':
            size = (_number(shape.attrib['radius']),)
        elif shape.tag == 'box':
            size = _numbers(shape.attrib['size'], 3)
        elif shape.tag == 'cylinder':
            size = (_number(shape.attrib['radius']), _number(shape.attrib['length']))
        elif shape.tag == 'mesh':
            size = _numbers(shape.get('scale', '1 1 1'), 3)
        else:
            continue
        yield UrdfShape(shape.tag, size, shape.get('filename', ''), pose)


def _joint(part: ElementTree.Element) -> UrdfJoint:
    name, kind = part.attrib['name'], part.attrib['type']
    ends = [part.find(end) for end in ('parent', 'child')]
    parent, child = ('' if end is None else end.attrib['link'] for end in ends)
    axis = part.find('axis')
    direction = np.array(_numbers('1 0 0' if axis is None else axis.attrib['xyz'], 3))
    length = float(np.linalg.norm(direction))
    if kind in TURNING and not length > 0.0:
        raise ValueError(f"joint '{name}' has an axis without a length")
    limit = part.find('limit')
    given: Mapping[str, str] = {} if limit is None else limit.attrib
    low, high = -math.inf, math.inf
    if kind == 'revolute':
        low, high = _number(given.get('lower', '0')), _number(given.get('upper', '0'))
    return UrdfJoint(
        name, kind, parent, child, _pose(part.find('origin')), direction / (length or 1.0),
        low, high, _number(given.get('velocity', '0')), _number(given.get('effort', '0')),
    )  # fmt: skip


def _pose(origin: ElementTree.Element | None) -> Array:
    found = np.eye(4)
    if origin is not None:
        found[:3, 3] = _numbers(origin.get('xyz', '0 0 0'), 3)
        found[:3, :3] = euler2mat(*_numbers(origin.get('rpy', '0 0 0'), 3))
    return found


def _number(text: str) -> float:
    return _numbers(text, 1)[0]


def _numbers(text: str, count: int) -> tuple[float, ...]:
    """Read numbers; raises ValueError for others than ``count`` finite ones."""
    words = re.split(r'[\s,]+', text.strip())
    try:
        found = tuple(map(float, words))
    except ValueError:
        found = ()
    if len(found) != count or not all(map(math.isfinite, found)):
        what = 'a finite number' if count == 1 else f'{count} finite numbers'
        raise ValueError(f"'{text}' is not {what}")
    return found
