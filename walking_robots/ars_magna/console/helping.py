"""Help texts: the main menu, the menus of parts, and one text for each command."""

from collections.abc import Iterable, Mapping

from walking_robots.ars_magna.console.inquiries import INQUIRIES
from walking_robots.ars_magna.console.operations import OPERATIONS
from walking_robots.ars_magna.console.session import DESIGNATORS_AND_VALUES, SOME_TICKS
from walking_robots.ars_magna.console.words import SPECIFICATIONS
from walking_robots.ars_magna.names import suggestion

MENUS: Mapping[str, str] = {'menu-bin': 'bin', 'menu-camera': 'camera', 'menu-hand': 'hand'}
"""The part that each menu is about."""

_NOTES: Mapping[str, tuple[str, ...]] = {
    'specs': SPECIFICATIONS,
    'cam': ('cam: number of a camera, from 0',),
    'hand': ('hand: number of a hand, from 0',),
    'bin': ('bin: number of a bin, from 0',),
    'desig': ('desig: number of a designator',),
    'speed': ('speed: cells a tick',),
    'place': ('place: type of a place, such as doorway',),
    'part': ('part: robot, camera, hand or bin, and then its number',),
    'type': ('type: local for what is at less than a cell, non-local for what is farther away',),
    'angle': ('angle: rad, clockwise',),
    'side': ('side: left or right',),
    SOME_TICKS: ('ticks: for how many; without a number, to the end of the wall',),
    DESIGNATORS_AND_VALUES: ('designators: their numbers; values: further numbers or words',),
}

BUILT_IN: Mapping[str, tuple[str, str]] = {
    'alias': ('[name command]', 'List the aliases, or let a name stand for a command.'),
    'repeat': ('number command', 'Run a command several times.'),
    'help': ('[command]', 'Show the main menu, or the help of a command.'),
    'quit': ('', 'Leave.'),
    'wait': ('ticks', 'Let ticks pass.'),
    'menu-bin': ('', 'Show the commands for bins.'),
    'menu-camera': ('', 'Show the commands for cameras.'),
    'menu-hand': ('', 'Show the commands for hands, and manipulations.'),
}
"""Arguments and help of the commands about the command line itself."""


def main_menu() -> list[str]:
    """List the built-in commands, and those that move and turn the robot."""
    built_in = [f'{name} {usage}' for name, (usage, _) in BUILT_IN.items()]
    built_in += [f'{inquiry.name} {inquiry.usage}' for inquiry in INQUIRIES.values()]
    return [
        'Built in:',
        *_listed(built_in),
        'Moving:',
        *menu('moving'),
        'Turning:',
        *menu('turning'),
        'Cameras, hands and bins: menu-camera, menu-hand, menu-bin. Of one command: help command.',
    ]


def menu(part: str) -> list[str]:
    """List the commands of one menu."""
    return _listed(
        ' '.join((operation.name, *operation.arguments))
        for operation in OPERATIONS.values()
        if operation.menu == part
    )


def help_on(word: str) -> list[str]:
    """Return the help of a command; raise ValueError when there is none of that name."""
    name = word.lower().replace('_', '-')
    if name in BUILT_IN:
        usage, text = BUILT_IN[name]
        return [f'{name} {usage}'.rstrip(), text]
    if name in INQUIRIES:
        inquiry = INQUIRIES[name]
        return [f'{name} {inquiry.usage}'.rstrip(), inquiry.help]
    if name in OPERATIONS:
        operation = OPERATIONS[name]
        notes = [line for key in operation.arguments for line in _NOTES.get(key, ())]
        return [' '.join((name, *operation.arguments)), operation.help, *notes]
    known = (*BUILT_IN, *INQUIRIES, *OPERATIONS)
    raise ValueError(f"there is no command '{word:.40}'; {suggestion(name, known)}")


def _listed(usages: Iterable[str]) -> list[str]:
    return [f'  {usage.strip()}' for usage in usages]
