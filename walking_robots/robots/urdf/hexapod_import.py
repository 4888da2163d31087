"""Find the legs of a hexapod in a URDF, and write the file that describes it."""

import json
import math
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from xml.etree import ElementTree

import numpy as np

from walking_robots.robots.articulated import JOINTS, LEGS, ArticulatedHexapod, Stance
from walking_robots.robots.hexapod_files import parse_hexapod
from walking_robots.robots.urdf.leg_geometry import (
    BESIDE,
    CROOKED,
    Chain,
    LegGeometry,
    leg_geometry,
)
from walking_robots.robots.urdf.meshes import unreadable_meshes
from walking_robots.robots.urdf.urdf_tree import BASE, UrdfJoint, UrdfTree

FASTEST, STRONGEST = 100.0, 1000.0
"""Speed, rad/s, and effort, N m, from which on a limit stands for none."""

GUESSED_SPEED = math.radians(200.0)
CELL, FOOT = 0.15, 0.045
"""Guesses: side of a terrain cell, and radius of a foot, in lengths of a tibia."""

DENSITY = 100.0
"""Guess of the mass of a body, in cubes of its reach, kg/m3."""

PLACEHOLDER = 1e-3
"""Mass of a body or of a leg, in that guess, that stands for none."""

LINK_SHARE = 0.03
"""Guess of the mass of a link, in that of the body."""

LINKS = ('coxa', 'femur', 'tibia')
OWN = re.compile(r'leg([1-6])_yaw')


@dataclass(frozen=True)
class ImportedHexapod:
    """A hexapod of a URDF: its legs 1 to 6, and a sentence for each thing that is not known.

    masses: of body, coxa, femur and tibia, kg; speed: of the slowest joint, rad/s; effort: of the
    weakest, N m, None where the file does not say it.
    """

    tree: UrdfTree
    base: str
    legs: tuple[LegGeometry, ...]
    masses: tuple[float, float, float, float]
    speed: float
    effort: float | None
    notes: tuple[str, ...]

    def robot(self, stance: Stance | None = None) -> ArticulatedHexapod:
        """Return the robot that its file describes."""
        return parse_hexapod(self.text(stance), f'{self.tree.name} of {self.tree.file}')

    def text(self, stance: Stance | None = None, description: str = '') -> str:
        """Return the file of the robot; without a stance its feet are half stretched out.

        description: path, from there, of the URDF by which to show it, if there is one.
        """
        legs = self.legs
        coxa, femur, tibia = np.mean([leg.links for leg in legs], axis=0).tolist()
        stance = stance or Stance(0.6 * tibia, coxa + 0.8 * femur)
        low = np.max([leg.low for leg in legs], axis=0).tolist()
        high = np.min([leg.high for leg in legs], axis=0).tolist()
        home = np.clip(np.mean([leg.home for leg in legs], axis=0), low, high).tolist()
        lines = [
            f'# {self.tree.name} of {self.tree.file.name}, by `walking_robots robot import`.',
            '# Joints of legs 1 to 6 from the body outwards are, in this order:',
            *(f'#   {", ".join(joint.name for joint in leg.joints)}' for leg in legs),
            *(f'# {note}' for note in self.notes),
            '',
            'hexapod_schema: 1',
            f'name: {_name(self.tree.name)}',
            '',
            'legs:',
            '  mounts:',
            '    list:',
        ]
        for leg in legs:
            place = ', '.join(map(_length, leg.mount))
            lines.append(f'      - {{at: [{place}], heading: {_angle(leg.heading)}}}')
        for name, length in (('coxa', coxa), ('femur', femur), ('tibia', tibia)):
            lines.append(f'  {name}: {_length(length)}')
        for index, name in enumerate(JOINTS):
            directions = [str(leg.directions[index]) for leg in legs]
            offsets = [_angle(leg.offsets[index]) for leg in legs]
            lines += [
                f'  {name}:',
                f'    range: [{_angle(low[index])}, {_angle(high[index])}]',
                f'    home: {_angle(home[index])}',
                f'    direction: {_alike(directions)}',
                f'    offset: {_alike(offsets)}',
            ]
        weights = ', '.join(
            f'{part}: {mass:.6f}' for part, mass in zip(('body', *LINKS), self.masses, strict=True)
        )
        radius = min(leg.tip.radius or FOOT * tibia for leg in legs)
        lines += [
            f'masses: {{{weights}, guessed: true}}',
            f'foot_radius: {_length(radius)}',
            f'joint_speed: {_angle(self.speed)}/s',
            f'stance: {{height: {_length(stance.height)}, reach: {_length(stance.reach)}}}',
            f'cell: {_length(round(CELL * tibia, 3))}',
        ]
        if description:
            lines.append(f'description: {json.dumps(description)}')
        if self.effort is not None:
            lines.append(f'servo: {{torque: {self.effort:.6f}}}')
        return '\n'.join(lines) + '\n'

    def urdf(self) -> str:
        """Return the URDF by which to show the robot, with its meshes by path.

        Links and joints of its legs are named as by this package; what is not below its body is
        left out, so that its first link is base_link.
        """
        links, joints = {self.base: BASE}, {}
        for number, leg in enumerate(self.legs, 1):
            for joint, link, turn in zip(leg.joints, LINKS, JOINTS, strict=True):
                links[joint.child] = f'leg{number}_{link}'
                joints[joint.name] = f'leg{number}_{turn}'
        document = self.tree.with_mesh_paths()
        kept = set(self.tree.below(self.base))
        kept_joints = {joint.name for joint in self.tree.joints.values() if joint.parent in kept}
        for tag, names in (('link', kept), ('joint', kept_joints)):
            for part in document.findall(tag):
                if part.attrib['name'] not in names:
                    document.remove(part)
        for part in document.iter():
            for key, new in (('link', links), ('joint', joints), ('reference', links | joints)):
                if (name := part.get(key)) in new:
                    part.set(key, new[name])
            new = {'link': links, 'joint': joints}.get(part.tag, {})
            if (name := part.get('name')) in new:
                part.set('name', new[name])
        return ElementTree.tostring(document, 'unicode', xml_declaration=True) + '\n'

    def greatest_error(self, robot: ArticulatedHexapod, samples: int = 20) -> float:
        """Return how far a foot of the robot is at most from that of its URDF, m.

        At as many random postures within the limits of the joints as ``samples`` says.
        """
        random = np.random.default_rng(1)
        base = np.linalg.inv(self.tree.pose(self.base))
        worst = 0.0
        for _ in range(samples):
            for leg, found in zip(robot.legs, self.legs, strict=True):
                canonical = [random.uniform(limits.low, limits.high) for limits in leg.ranges]
                values = {
                    joint.name: direction * angle + offset
                    for joint, angle, direction, offset in zip(
                        found.joints, canonical, leg.directions, leg.offsets, strict=True
                    )
                }
                tip = self.tree.pose(found.joints[-1].child, values) @ [*found.tip.place, 1.0]
                worst = max(worst, math.dist(leg.forward(canonical), (base @ tip)[:3]))
        return worst


def import_hexapod(tree: UrdfTree, names: Sequence[str] = ()) -> ImportedHexapod:
    """Find a hexapod in a URDF.

    names: the first joints of legs 1 to 6, or the links that they turn; without them legs are
    numbered from front to rear, odd ones on the left. Raises ValueError, one sentence, where it
    has no six legs of three rotary joints.
    """
    chains = _chosen(tree, names) if names else _all(tree)
    base = BASE if BASE in tree.links else _common(tree, [chain[0].parent for chain in chains])
    notes: list[str] = []
    legs = [leg_geometry(tree, base, chain, notes) for chain in chains]
    if not names:
        legs = _numbered(legs)
    notes += _differences(legs)
    joints = [joint for leg in legs for joint in leg.joints]
    speeds = [joint.speed for joint in joints if 0.0 < joint.speed < FASTEST]
    efforts = [joint.effort for joint in joints if 1e-3 < joint.effort < STRONGEST]
    if not speeds:
        notes.append('The file gives no speed of the joints: 200 deg/s is a guess.')
    else:
        notes.append('A URDF gives speeds of joints mostly without load: lower joint_speed.')
    if not efforts:
        notes.append('The file gives no torque of the joints.')
    masses = _masses(tree, base, legs)
    guess = DENSITY * sum(legs[0].links) ** 3
    if not masses[0] > PLACEHOLDER * guess:
        masses = (guess, *masses[1:])
        notes.append('The file gives no mass of the body: a guess, until you weigh it.')
    if not sum(masses[1:]) > PLACEHOLDER * guess:
        link = LINK_SHARE * masses[0]
        masses = (masses[0], link, link, link)
        notes.append('The file gives no masses of the legs: guesses, until you weigh them.')
    notes += unreadable_meshes(tree)
    if not all(leg.tip.radius for leg in legs):
        notes.append('The file does not say how thick a foot is: foot_radius is a guess.')
    notes.append(
        'A URDF knows neither stance nor cell, nor a posture in which to switch on (home): these '
        'are choices.'
    )
    return ImportedHexapod(
        tree, base, tuple(legs), masses, min(speeds, default=GUESSED_SPEED),
        min(efforts, default=None), tuple(dict.fromkeys(notes)),
    )  # fmt: skip


def _common(tree: UrdfTree, links: Sequence[str]) -> str:
    """Return the lowest link of a tree below which some links are."""
    above = [list(tree.above(link)) for link in links]
    return next(link for link in above[0] if all(link in others for others in above))


def _below(tree: UrdfTree, joint: UrdfJoint) -> list[UrdfJoint] | None:
    """Return the rotary joints from one outwards, None where they branch."""
    found = [joint]
    while True:
        following = [
            below
            for link in tree.rigid(found[-1].child)
            for below in tree.children[link]
            if below.turns
        ]
        if len(following) > 1:
            return None
        if not following:
            return found
        found += following


def _firsts(tree: UrdfTree) -> Iterator[UrdfJoint]:
    """Return the rotary joints between the body and whatever moves on it."""
    for link in tree.rigid(tree.root):
        yield from (joint for joint in tree.children[link] if joint.turns)


def _chain(tree: UrdfTree, joint: UrdfJoint) -> Chain | None:
    found = _below(tree, joint)
    return (found[0], found[1], found[2]) if found is not None and len(found) == 3 else None


def _all(tree: UrdfTree) -> list[Chain]:
    """Return the six legs."""
    firsts = list(_firsts(tree))
    found = [chain for joint in firsts if (chain := _chain(tree, joint)) is not None]
    if len(found) != LEGS:
        counts = ', '.join(f'{joint.name}: {len(_below(tree, joint) or ())}' for joint in firsts)
        raise ValueError(
            f'{tree.file}: has {len(found)} legs of three rotary joints one after the other, not '
            f'six; name the first joints of six by --legs (joints that follow one another from '
            f'each: {counts or "none"})'
        )
    return found


def _chosen(tree: UrdfTree, names: Sequence[str]) -> list[Chain]:
    """Return the legs that begin with six joints, or at the links that these turn."""
    if len(names) != LEGS or len(set(names)) != LEGS:
        raise ValueError(f'{", ".join(names)}: are not six different legs; name the joints of six')
    known = {name: joint for joint in tree.joints.values() for name in (joint.child, joint.name)}
    found = []
    for name in names:
        joint = known.get(name)
        chain = None if joint is None or not joint.turns else _chain(tree, joint)
        if chain is None:
            firsts = ', '.join(joint.name for joint in _firsts(tree))
            raise ValueError(
                f"{tree.file}: no leg of three rotary joints begins with '{name}'; "
                f'joints next to the body are {firsts}'
            )
        found.append(chain)
    return found


def _numbered(legs: list[LegGeometry]) -> list[LegGeometry]:
    """Put legs in order: as their joints are named, from front to rear, or clockwise."""
    own = {int(match[1]): leg for leg in legs if (match := OWN.fullmatch(leg.joints[0].name))}
    if len(own) == LEGS:
        return [own[number] for number in sorted(own)]
    sides = [[leg for leg in legs if side * leg.mount[1] > BESIDE] for side in (1, -1)]
    if [len(side) for side in sides] == [LEGS // 2, LEGS // 2]:
        pairs = zip(*(sorted(side, key=lambda leg: -leg.mount[0]) for side in sides), strict=True)
        return [leg for pair in pairs for leg in pair]
    return sorted(legs, key=lambda leg: -math.atan2(leg.mount[1], leg.mount[0]) % math.tau)


def _differences(legs: Sequence[LegGeometry]) -> Iterator[str]:
    """Tell where legs are not alike."""
    for index, name in enumerate(LINKS):
        lengths = [leg.links[index] for leg in legs]
        if max(lengths) - min(lengths) > 1e-5:
            yield (
                f'The {name} is {1000 * min(lengths):.4g} to {1000 * max(lengths):.4g} mm long: '
                'all legs get the mean.'
            )
    for index, name in enumerate(JOINTS):
        ends = [[limits[index] for limits in (leg.low, leg.high)] for leg in legs]
        if np.ptp(ends, axis=0).max() > CROOKED:
            yield f'The {name} joints have different limits: all legs get what each can do.'


def _masses(
    tree: UrdfTree, base: str, legs: Sequence[LegGeometry]
) -> tuple[float, float, float, float]:
    """Return the masses of the body and of the links of a leg, their mean, kg."""

    def mass(link: str) -> float:
        return sum(tree.links[name].mass for name in tree.rigid(link))

    links = [[mass(joint.child) for joint in leg.joints] for leg in legs]
    total = sum(link.mass for link in tree.links.values())
    coxa, femur, tibia = np.mean(links, axis=0).tolist()
    return (total - float(np.sum(links)), coxa, femur, tibia)


def _name(text: str) -> str:
    """Return a name as files of hexapods take it."""
    name = re.sub(r'[^a-z0-9_]+', '_', text.lower()).strip('_')
    return (name if name[:1].isalpha() else f'hexapod_{name}'.rstrip('_'))[:40]


def _length(value: float) -> str:
    return f'{round(1000.0 * value, 9) + 0.0:.12g}mm'


def _angle(value: float) -> str:
    return f'{round(math.degrees(value), 12) + 0.0:.14g}deg'


def _alike(values: Sequence[str]) -> str:
    """Return a value that is the same for all legs, or six."""
    return values[0] if len(set(values)) == 1 else f'[{", ".join(values)}]'
