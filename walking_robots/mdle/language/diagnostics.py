"""What is said of a program that is wrong or doubtful (mdle.md §7)."""

from dataclasses import dataclass, field
from typing import Literal

from walking_robots.mdle.language.ast import NOWHERE, Place

MOST_DIAGNOSTICS = 100
"""The most diagnostics of one check (mdle.md §7)."""

Severity = Literal['error', 'warning', 'information']


@dataclass(frozen=True, slots=True, order=True)
class Diagnostic:
    """One finding about a program: where, what, and what to do about it.

    code: of mdle.md §7; element: dotted path of the element, such as 'follow.follow_step';
    text: one clause without a full stop; hint: the remedy, empty where there is none.
    """

    place: Place = field(default=NOWHERE)
    code: str = ''
    text: str = ''
    element: str = ''
    hint: str = ''
    severity: Severity = 'error'

    def line(self, file: str) -> str:
        """Return it as people and editors read it: file:line:col: CODE severity: text.

        What stands nowhere has no line.
        """
        element = f' [{self.element}]' if self.element else ''
        hint = f' ({self.hint})' if self.hint else ''
        place = self.place
        where = f'{file}:{place.line}:{place.column}' if place.line else file
        return f'{where}: {self.code} {self.severity}: {self.text}{element}{hint}'


class ProgramError(ValueError):
    """A program that cannot be read or run, with the diagnostics that say why."""

    def __init__(self, diagnostics: list[Diagnostic], file: str = 'program') -> None:
        """Keep the diagnostics; the message is the first of them."""
        self.diagnostics = diagnostics
        super().__init__(diagnostics[0].line(file))


def program_error(place: Place, text: str, hint: str = '', code: str = 'E101') -> ProgramError:
    """Return the error with one diagnostic; who knows the file raises it again with its name."""
    return ProgramError([Diagnostic(place, code, text, hint=hint)])
