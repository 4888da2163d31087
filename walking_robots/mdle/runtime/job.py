"""What is to be run: a program, where it begins, and with which arguments."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property, reduce

from walking_robots.mdle.knowledge.elements import PythonAtom
from walking_robots.mdle.knowledge.names import Library, Names
from walking_robots.mdle.language import ast
from walking_robots.mdle.language.diagnostics import ProgramError
from walking_robots.mdle.language.digest import digest
from walking_robots.mdle.language.parser import parse_fragment
from walking_robots.mdle.robot import RobotSpec
from walking_robots.mdle.runtime.checkpoint import Checkpoint
from walking_robots.mdle.runtime.events import RunError
from walking_robots.mdle.runtime.settings import ExecutorSettings


def default_entry(program: ast.Program) -> str:
    """Return the last plan, else the last behavior, else the last atom; '' where there is none."""
    for kind in (program.plans, program.behaviors, program.atoms):
        if kind:
            return kind[-1].name
    return ''


def call_of(entry: str, arguments: Mapping[str, ast.Expression]) -> ast.Call:
    """Return the call of an entry, 'p' or 'module.p', with arguments by name."""
    given = tuple(ast.Argument(value, name) for name, value in arguments.items())
    module, _, name = entry.rpartition('.')
    return ast.Call(ast.Member(ast.Name(module), name) if module else ast.Name(name), given)


@dataclass(frozen=True)
class Job:
    """One order to run a program.

    arguments: of the entry, as expressions; alpha, beta: scale of the whole; backwards: drive
    the entry the other way round (mdle.md §4.11); resume: where an earlier run was, whose order
    is taken up.
    """

    program: ast.Program
    library: Library
    entry: str
    arguments: Mapping[str, ast.Expression] = field(default_factory=dict)
    alpha: tuple[float, ...] | None = None
    beta: float = 1.0
    backwards: bool = False
    resume: Checkpoint | None = None

    @cached_property
    def names(self) -> Names:
        """What names mean in the program."""
        return Names(self.program, self.library)

    @cached_property
    def digest(self) -> str:
        """The digest of the program."""
        return digest(self.program)

    @cached_property
    def element(self) -> ast.Atom | ast.Encapsulation | PythonAtom:
        """The declaration of the entry; raises RunError where there is none."""
        found = self.names.find(*self.entry.split('.'))
        if not found or not isinstance(found.element, ast.Atom | ast.Encapsulation | PythonAtom):
            what = f"no element '{self.entry}'" if self.entry else 'no plan, behavior or atom'
            raise RunError('E201', f'there is {what} to run')
        return found.element

    @cached_property
    def reverses_recorded(self) -> bool:
        """Whether there is a ``reverse last`` in the program or the library."""
        programs = [self.program, *(module.program for module in self.library.values())]
        return any(
            isinstance(node, ast.Reverse) and not node.target
            for program in programs
            for node in ast.walk(program)
        )

    def step(self, guard: ast.Guard | None) -> ast.Step:
        """Return the step that runs the entry, guarded unless the entry is a container itself."""
        call = call_of(self.entry, self.arguments)
        if self.backwards:
            step = ast.Reverse(call)
            return ast.Run(steps=(step,), guard=guard) if guard else step
        return ast.Run(call, guard=None if isinstance(self.element, ast.Encapsulation) else guard)


def default_guard(spec: RobotSpec, settings: ExecutorSettings) -> ast.Guard | None:
    """Return ``until y.bumper.any => fail "contact"``, the executor's own guard (mdle.md §4.7)."""
    if not settings.default_guards or spec.contact not in spec.outputs:
        return None
    root: ast.Expression = ast.Name('y')
    channel = reduce(ast.Member, spec.contact.split('.'), root)
    return ast.Guard(channel, ast.Action('fail', 'contact'))


def resumed(job: Job) -> Job:
    """Return a job with the order of the run that its checkpoint is of.

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
