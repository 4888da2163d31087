"""Check programs written as text, with » before the place where something is to be found."""

import math

from walking_robots.mdle.analysis.checker import check
from walking_robots.mdle.knowledge.elements import Module, PythonAtom
from walking_robots.mdle.knowledge.library import standard_library
from walking_robots.mdle.language.ast import Place
from walking_robots.mdle.language.parser import parse_text
from walking_robots.virtual_robots.scout import scout_spec

MARK = '»'
SCOUT = scout_spec()


def external(name, space='none', reversible=False):
    return PythonAtom(name, space, (), (), frozenset(), reversible, math.inf, lambda: None)


def module(name, source):
    return Module(name, parse_text(f'mdle 1;\n{source}'))


LIBRARY = {
    **standard_library(),
    'one': module(
        'one', 'atom twice() on none { timeout 1 s; } atom lone() on none { timeout 1 s; }'
    ),
    'other': module('other', 'atom twice() on none { timeout 1 s; }'),
    'hen': module('hen', 'import egg;'),
    'egg': module('egg', 'import hen;'),
    'broken': module('broken', 'import absent;'),
    'circle': module('circle', 'behavior round { do { round(); } }'),
    'outside': Module(
        'outside',
        parse_text('mdle 1;'),
        atoms={'ask': external('ask'), 'mark': external('mark', reversible=True)},
    ),
}


def program_of(text):
    return parse_text('mdle 1;\nimport std.body2;\n' + text.replace(MARK, ''))


def marked(text):
    """Give the place of the mark in the program that is read."""
    before = ('mdle 1;\nimport std.body2;\n' + text).split(MARK)[0]
    return Place(before.count('\n') + 1, len(before) - before.rfind('\n'))


def checked(text, robot=SCOUT, **settings):
    return check(program_of(text), LIBRARY, robot, **settings)


def found(text, robot=SCOUT, **settings):
    """Give the codes and places of all that is said of a program, but for information."""
    report = checked(text, robot, **settings)
    return [(d.code, d.place) for d in report.diagnostics if d.severity != 'information']
