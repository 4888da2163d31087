"""Help texts: the main menu, the menus of parts, and one text for each command."""

from collections.abc import Iterable, Mapping

from walking_robots.ars_magna.console.inquiries import INQUIRIES
from walking_robots.ars_magna.console.operations import OPERATIONS
from walking_robots.ars_magna.console.session import ARGUMENTS
from walking_robots.ars_magna.inputs import suggestion

MENUS: Mapping[str, str] = {'menu-bin': 'bin', 'menu-camera': 'camera', 'menu-hand': 'hand'}
"""The part that each menu is about."""

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
        notes = [line for key in operation.arguments for line in ARGUMENTS[key].note.splitlines()]
        return [' '.join((name, *operation.arguments)), operation.help, *notes]
    known = (*BUILT_IN, *INQUIRIES, *OPERATIONS)
    raise ValueError(f"there is no command '{word:.40}'; {suggestion(name, known)}")


def _listed(usages: Iterable[str]) -> list[str]:
    return [f'  {usage.strip()}' for usage in usages]
