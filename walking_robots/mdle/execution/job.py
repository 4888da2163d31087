"""What is to be run: a program, where it begins, and with which arguments."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property

from walking_robots.mdle.execution.checkpoint import Checkpoint
from walking_robots.mdle.execution.faults import RunError
from walking_robots.mdle.knowledge.elements import PythonAtom
from walking_robots.mdle.knowledge.names import Library, Names
from walking_robots.mdle.language.ast import (
    Argument,
    Atom,
    Call,
    Encapsulation,
    Expression,
    Member,
    Name,
    Program,
    Reverse,
    Run,
    Step,
)
from walking_robots.mdle.language.diagnostics import ProgramError
from walking_robots.mdle.language.digest import digest
from walking_robots.mdle.language.parser import parse_fragment

__all__ = ['Job', 'call_of', 'default_entry', 'taken_up']


def default_entry(program: Program) -> str:
    """Give the last plan, else the last behavior, else the last atom; '' where there is none."""
    for kind in (program.plans, program.behaviors, program.atoms):
        if kind:
            return kind[-1].name
    return ''


def call_of(entry: str, arguments: Mapping[str, Expression]) -> Call:
    """Give the call of an entry, 'p' or 'module.p', with arguments by name."""
    given = tuple(Argument(value, name) for name, value in arguments.items())
    if '.' in entry:
        module, name = entry.split('.', 1)
        return Call(Member(Name(module), name), given)
    return Call(Name(entry), given)


@dataclass(frozen=True)
class Job:
    """One order to run a program.

    arguments: of the entry, as expressions; alpha, beta: scale of the whole; backwards: drive
    the entry the other way round (mdle.md §4.11); resume: where an earlier run was, whose order
    is taken up.
    """

    program: Program
    library: Library
    entry: str
    arguments: Mapping[str, Expression] = field(default_factory=dict)
    alpha: tuple[float, ...] | None = None
    beta: float = 1.0
    backwards: bool = False
    resume: Checkpoint | None = None

    @cached_property
    def _names(self) -> Names:
        return Names(self.program, self.library)

    @cached_property
    def digest(self) -> str:
        """What tells the program from every other one."""
        return digest(self.program)

    def names(self) -> Names:
        """Give what names mean in the program."""
        return self._names

    def entry_step(self) -> Step:
        """Give the step that runs the entry.

        Raises RunError where there is no such element.
        """
        found = self._names.find(*self.entry.split('.'))
        if not found or not isinstance(found.element, (Atom, Encapsulation, PythonAtom)):
            what = f"no element '{self.entry}'" if self.entry else 'no plan, behavior or atom'
            raise RunError('E201', f'there is {what} to run')
        call = call_of(self.entry, self.arguments)
        return Reverse(call) if self.backwards else Run(call)

    def entry_element(self) -> object:
        """Give the declaration of the entry."""
        found = self._names.find(*self.entry.split('.'))
        return found.element if found else None


def taken_up(job: Job) -> Job:
    """Give a job with the order of the run that its checkpoint is of.

    Raises RunError (E809) for a checkpoint of another program, and for another order.
    """
    before = job.resume
    if before is None:
        return job
    if (before.program, before.entry) != (job.digest, job.entry):
        text = 'the checkpoint is of another program, or of another version of this one'
        raise RunError('E809', text)
    try:
        known = {n: parse_fragment('expression', text) for n, text in before.arguments.items()}
    except ProgramError:
        raise RunError('E809', 'the checkpoint has arguments that cannot be read') from None
    other = [name for name, value in job.arguments.items() if known.get(name) != value]
    other += ['alpha'] if job.alpha not in (None, before.alpha) else []
    other += ['beta'] if job.beta not in (1.0, before.beta) else []
    other += ['reverse'] if job.backwards and not before.backwards else []
    if other:
        text = f"the run of the checkpoint had another '{other[0]}'; give the same, or none"
        raise RunError('E809', text)
    return replace(
        job,
        arguments=known,
        alpha=before.alpha,
        beta=before.beta,
        backwards=before.backwards,
    )
