"""Lines for hands, bins and manipulations (ars_magna.md §5.3, K18 to K25)."""

from collections.abc import Callable, Mapping, Sequence

from walking_robots.ars_magna.agent.handles import Command
from walking_robots.ars_magna.agent.robot import PartHandle
from walking_robots.ars_magna.codes import Code
from walking_robots.ars_magna.console.locating import inserted, removed
from walking_robots.ars_magna.console.session import (
    DESIGNATORS_AND_VALUES,
    ConsoleSession,
    Ended,
    Operation,
)
from walking_robots.ars_magna.console.tables import location_of
from walking_robots.ars_magna.console.words import count, real

HAND, BIN = 'hand', 'bin'


def _grasped(end: Ended) -> str:
    index = end.arguments[0].index
    return f'hand {index} grasped {end.desk.state.hands[index].held}'


def _ungrasped(end: Ended) -> str:
    hand = end.before.hands[end.arguments[0].index]
    where = location_of(end.desk.robot.name, hand.inside, 'the ground')
    return f'hand {hand.index} dropped {hand.held} into {where}'


def _checked(end: Ended) -> str:
    full = end.outcome.code == Code.GRASPING
    return f'hand {end.arguments[0].index} holds {"something" if full else "nothing"}'


def _lid(state: str) -> Callable[[Ended], str]:
    return lambda end: f'bin {end.arguments[0].index} is {state}'


def _manipulate(
    desk: ConsoleSession, name: str, part: str, number: int, words: Sequence[str]
) -> Command:
    """Issue a manipulation; words: designators, and other values after ``with``."""
    parts: Mapping[str, Sequence[PartHandle]] = {
        'robot': (desk.robot,),
        'camera': desk.robot.cameras,
        'hand': desk.robot.hands,
        'bin': desk.robot.bins,
    }
    if part not in parts or number >= len(parts[part]):
        raise ValueError(
            f"there is no '{part:.20} {number}'; name the part that does it, such as hand 0"
        )
    split = words.index('with') if 'with' in words else len(words)
    designators = [desk.designator(count(word)) for word in words[:split]]
    others = map(_value, words[split + 1 :])
    return desk.robot.manipulate(name, designators, parts[part][number], *others)


def _value(word: str) -> float | str:
    try:
        return real(word)
    except ValueError:
        return word


def _given(end: Ended) -> str:
    return f'gives {end.outcome.value}' if end.outcome.value is not None else 'done'


HANDLING = (
    Operation(
        'hand-grasp',
        HAND,
        ('hand', 'cam'),
        'Grasp what a camera tracks.',
        lambda desk, hand, camera: hand.grasp(camera, desk.tracked(camera)),
        _grasped,
    ),
    Operation(
        'hand-ungrasp',
        HAND,
        ('hand',),
        'Let go of what a hand holds.',
        lambda desk, hand: hand.ungrasp(),
        _ungrasped,
    ),
    Operation(
        'hand-insert-desig',
        HAND,
        ('hand', 'cam'),
        'Put a hand into the thing that a camera tracks.',
        lambda desk, hand, camera: hand.insert(desk.tracked(camera)),
        inserted,
    ),
    Operation(
        'hand-insert-bin',
        HAND,
        ('hand', 'bin'),
        'Put a hand into a bin.',
        lambda desk, hand, bin: hand.insert(bin),
        inserted,
    ),
    Operation(
        'hand-remove',
        HAND,
        ('hand',),
        'Take a hand out of what it is in, with what it holds.',
        lambda desk, hand: hand.remove(),
        removed,
    ),
    Operation(
        'grasp-check',
        HAND,
        ('hand',),
        'Feel whether a hand holds something.',
        lambda desk, hand: hand.grasp_check(),
        _checked,
        readings=(Code.GRASPING, Code.NOT_GRASPING),
    ),
    Operation(
        'hand-track',
        HAND,
        ('hand',),
        'Watch the grip of a hand until it is lost.',
        lambda desk, hand: hand.track(),
        lambda end: f'the grip of hand {end.arguments[0].index} is watched',
        lasts=True,
    ),
    Operation(
        'manip',
        HAND,
        ('name', 'part', 'number', DESIGNATORS_AND_VALUES),
        'Manipulate things of designators by a part: manip lock hand 0 2 3, and further '
        'values after the word with.',
        _manipulate,
        _given,
    ),
    Operation(
        'bin-open',
        BIN,
        ('bin',),
        'Open the lid of a bin.',
        lambda desk, bin: bin.open(),
        _lid('open'),
    ),
    Operation(
        'bin-close',
        BIN,
        ('bin',),
        'Close the lid of a bin.',
        lambda desk, bin: bin.close(),
        _lid('closed'),
    ),
)
