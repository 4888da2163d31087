"""Whether the arguments of an order fit the element that it runs."""

from collections.abc import Mapping
from dataclasses import replace

from walking_robots.mdle.analysis.bodies import check_element
from walking_robots.mdle.analysis.facts import Facts
from walking_robots.mdle.analysis.ledger import Ledger, Site
from walking_robots.mdle.knowledge.names import Library, Names
from walking_robots.mdle.language.ast import (
    NOWHERE,
    Argument,
    Call,
    Encapsulation,
    Expression,
    Name,
    Program,
    Run,
)
from walking_robots.mdle.language.diagnostics import Diagnostic
from walking_robots.mdle.robot import RobotSpec

__all__ = ['check_order']


def check_order(
    program: Program,
    library: Library,
    robot: RobotSpec | None,
    entry: str,
    arguments: Mapping[str, Expression],
) -> list[Diagnostic]:
    """Give what is wrong with the arguments of an entry: names, types, units, missing ones.

    Nothing has a place, since arguments stand in no file. An entry that is not there is for the
    checker to tell.
    """
    names = Names(program, library)
    if names.find(entry) is None:
        return []
    wrong = [d for d in _found(names, robot, entry, arguments) if d.code == 'E301']
    for name, value in arguments.items():
        for found in _found(names, robot, entry, {name: value}):
            if found.code != 'E301':
                wrong.append(replace(found, text=f'argument {name}: {found.text}'))
    return [replace(found, place=NOWHERE) for found in wrong]


def _found(
    names: Names, robot: RobotSpec | None, entry: str, arguments: Mapping[str, Expression]
) -> list[Diagnostic]:
    """Check a plan that would run the entry with these arguments, and nothing else."""
    given = tuple(Argument(value, name) for name, value in arguments.items())
    order = Encapsulation('plan', entry, (Run(Call(Name(entry), given)),))
    facts = Facts(names, robot, Ledger())
    check_element(order, facts, names, Site(entry))
    return [found for found in facts.ledger.diagnostics() if found.severity == 'error']
