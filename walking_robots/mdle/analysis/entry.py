"""What is run, and what the executor adds to it."""

from walking_robots.mdle.analysis.facts import Facts
from walking_robots.mdle.analysis.ledger import Site, nearest
from walking_robots.mdle.analysis.nodes import Node, Watch
from walking_robots.mdle.knowledge.elements import PythonAtom
from walking_robots.mdle.knowledge.names import Found
from walking_robots.mdle.language.ast import (
    Action,
    Atom,
    Encapsulation,
    Expression,
    Guard,
    Member,
    Name,
    Place,
)
from walking_robots.mdle.profiles import REPORT_DEFAULTS

__all__ = ['START', 'check_convention', 'default_guard', 'find_entry']

START = Place(1, 1)
"""Where what concerns the whole file is told."""


def find_entry(name: str, facts: Facts) -> Found | None:
    """Give the element of a name, or what would be run without one.

    That is the last plan, else the last behavior, else the last atom. Tells when there is none of
    that name (E201).
    """
    program = facts.program
    if not name:
        kinds = (program.plans, program.behaviors, program.atoms)
        return next((Found(kind[-1], facts.names) for kind in kinds if kind), None)
    found = facts.names.find(*name.split('.'))
    if found and isinstance(found.element, Atom | Encapsulation | PythonAtom):
        return found
    text = f"'{name}' is not defined{nearest(name, facts.names.all_names(), facts.ledger)}"
    if found:
        text = f"'{name}' is no atom, behavior or plan"
    facts.ledger.add(Site(), 'E201', START, text, 'name an atom, behavior or plan as entry')
    return None


def check_convention(convention: str, site: Site, place: Place, facts: Facts) -> None:
    """E404: the convention of the report turns a real robot the wrong way."""
    robot = facts.robot
    if robot and robot.real and convention == 'report':
        text = f"kinematics convention 'report' with the real robot '{robot.name}'"
        hint = "use the convention 'ros': with the other one it turns the wrong way"
        facts.ledger.add(site, 'E404', place, text, hint)


def default_guard(root: Node, facts: Facts) -> Watch | None:
    """Give the guard of the executor on contact (mdle.md §4.7), None where there is none.

    It stands back while an element within watches contact itself, so it hides no other guard; in
    the profile of the report's defaults it has no action, and does not stand back.
    """
    robot, every_level = facts.robot, REPORT_DEFAULTS in facts.profiles
    if not (facts.default_guard or every_level):
        return None
    if robot is None or robot.contact not in robot.outputs:
        return None
    condition: Expression = Name('y')
    for part in robot.contact.split('.'):
        condition = Member(condition, part)
    action = None if every_level else Action('fail', 'contact')
    return Watch(Guard(condition, action), root.scope, True, default=True)
