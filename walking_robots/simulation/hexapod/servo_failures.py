"""Servos that fail: dead, stuck or weak."""

import re
from collections.abc import Sequence
from typing import NamedTuple

KINDS = DEAD, STUCK, WEAK = ('dead', 'stuck', 'weak')
"""Without torque; held where it is when it fails; with `WEAK_SHARE` of its torque."""

WEAK_SHARE = 0.1

EXAMPLE = 'write a leg and how it fails, such as 3:dead, or one of its joints, such as 3.{}:stuck'


class ServoFailure(NamedTuple):
    """Servos, by their places in leg order, and one of `KINDS`."""

    servos: tuple[int, ...]
    kind: str


def parse_failure(text: str, names: Sequence[str]) -> ServoFailure:
    """Read ``LEG[.JOINT]:KIND`` for a robot whose joints have ``names`` such as leg1_yaw.

    Raises ValueError, one sentence, for anything else.
    """
    joints = [name.removeprefix('leg1_') for name in names if name.startswith('leg1_')]
    found = re.fullmatch(r'([1-6])(?:\.(\w+))?:(\w+)', text)
    if found is None:
        raise ValueError(f"'{text}' is no failure; {EXAMPLE.format(joints[1])}")
    leg, joint, kind = found.groups()
    if joint is not None and joint not in joints:
        raise ValueError(f"leg {leg} has no joint '{joint}'; use {', '.join(joints)}")
    if kind not in KINDS:
        raise ValueError(f"a servo cannot be '{kind}'; use {', '.join(KINDS)}")
    whole = [f'leg{leg}_{name}' for name in (joints if joint is None else [joint])]
    return ServoFailure(tuple(map(names.index, whole)), kind)
