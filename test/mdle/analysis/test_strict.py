"""Profile ``strict``: what is outside the formalism is told, what is inside is not."""

import pytest
from mdle_marked import LIBRARY, SCOUT, checked, marked, program_of

from walking_robots.mdle.analysis.checker import check
from walking_robots.mdle.language.core_notation import parse_core

STRICT = ('strict',)
GO = (
    'atom go(d: m) on body2 { control [0.1 m/s, 0 rad/s]; until y.odometer > d; timeout 9 s; }\n'
    'behavior b(d: m) { do { go(d); } }\n'
    'atom span(d: m) on body2 { control [0.1 m/s, 0 rad/s] for d / 0.1 m * 1 s; }\n'
)


def remarks(text, **options):
    """Give places and texts of what is outside the profile; nothing else is wrong."""
    found = checked(text, profiles=STRICT, **options).errors
    assert {d.code for d in found} <= {'E901'} and all(d.text and d.element for d in found)
    return [(d.place, d.text) for d in found]


@pytest.mark.parametrize(
    ('text', 'what'),
    [
        ('plan p { »on timeout => done; timeout 9 s => next; do { stop(); } }', 'a handler'),
        ('plan p { do { »if contact { stop(); }; } }', "'if'"),
        ('plan p { do { »par all { stop(); }; } }', "'par'"),
        ('plan p { do { stop(); »reverse last; } }', "'reverse'"),
        ('plan p { finally »stop(); do { stop(); } }', "'finally'"),
        ('plan p { requires »contact; do { stop(); } }', "'requires'"),
        ('plan p { »loop forever; do { stop(); } }', "a loop 'forever'"),
        ('plan p { »loop while contact; do { stop(); } }', "a loop 'while'"),
        ('plan p { timeout 9 s; do { stop() »times forever; } }', "a loop 'forever'"),
        ('plan p { until contact => »fail "x"; do { stop(); } }', "the action 'fail'"),
        ('plan p { do { stop() until contact => »retry 2; } }', "the action 'retry'"),
        ('plan p { do { (stop()) timeout 9 s => »abort; } }', "the action 'abort'"),
        ('plan p { do { stop() timeout 9 s => »restart; } }', "the action 'restart'"),
        ('plan p { do { stop() until contact => »run stop(); } }', "the action 'run'"),
        ('plan p { do { (stop()) »timeout 9 s; } }', 'a timer that makes'),
        ('plan p { do { b() »timeout 9 s; } } behavior b { do { stop(); } }', 'a timer that'),
        ('interrupt e = contact with »edge; plan p { until e; do { stop(); } }', "filter 'edge'"),
        ('plan p { do { hold() until »t > 1 s; } }', "reads 't'"),
        ('»atom a() on none { timeout 1 s; }', 'an atom without a control'),
        (
            '»atom a() on body2 { control [0 m/s, 0 rad/s] for 1 s; irreversible; }',
            "'irreversible'",
        ),
        ('plan p { do { drive(»bb.x); set("x", 1); } }', "'bb.x' of the blackboard"),
        ('plan p { do { »drive_fb(1 m); } }', "'drive_fb' has the action 'fail'"),
        ('plan p { do { »align_wall() timeout 9 s => next; } }', "'align_to_wall' has logic in"),
        ('»law w(speed: m/s) on body2 extern "std.body2.along_corridor";', 'a law in Python'),
        (
            '»atom w() on wheels2 { control [0.1 m/s, 0 m/s] for 1 s; } plan p { do { w(); } }',
            "the control space 'wheels2'",
        ),
        (GO + 'plan p { do { go(»y.odometer + 1 m); } }', 'a value that is read at an entry'),
        (GO + 'plan p { do { b(»y.odometer); } }', 'a value that is read at an entry'),
        (GO + 'plan p { do { drive(»y0.odometer); } }', 'a value that is read at an entry'),
        (
            'atom go(d: m = »y.odometer) on body2 { control [d / 9 s, 0 rad/s] for 1 s; }',
            'a value that is read at an entry',
        ),
        ('plan p { do { »log("x"); } }', "'log' has logic in Python"),
        ('plan p { do { hold() until »corner(1 m); } }', "'corner' has the filter 'hold'"),
    ],
)
def test_what_is_outside_the_formalism_is_told_at_its_place(text, what):
    found = remarks(text)
    assert marked(text) in {place for place, said in found if what in said}, found
    assert not [d for d in checked(text).diagnostics if d.code == 'E901']


def test_outputs_are_told_where_they_are_given_made_and_taken():
    text = (
        'atom a() -> (»x: m) on body2 { control [0 m/s, 0 rad/s] for 1 s; emit x = 1 m; }\n'
        'plan p { do { x = a(); drive(x); } }'
    )
    said = [what.split(' is outside')[0] for _, what in remarks(text)]
    assert said == ["the output 'x'", "'emit'", "the output 'x'"]
    assert remarks(text)[0][0] == marked(text)


def test_every_call_of_an_element_of_a_module_is_told():
    text = 'plan p { do { »go_to(point(1 m, 0 m)); go_to(point(0 m, 0 m)); } }'
    found = remarks(text)
    assert [place.column for place, _ in found] == [15, 39] and found[0][0] == marked(text)
    [deep] = {what for _, what in remarks('plan p { do { bounce(); } }')}
    assert deep.startswith("'back_off' has the action 'fail'")


def test_an_entry_of_a_module_is_told_too():
    [found] = remarks('plan p { do { stop(); } }', entry='body2.go_to')
    assert found == (
        (1, 1),
        "'go_to' has the action 'fail', which is outside the profile 'strict'",
    )
    assert remarks('plan p { do { stop(); } }', entry='body2.drive') == []


FORMAL = """
const far = 0.4 m;
interrupt close(d: m) = min(sector(y.sonar, 0 deg, 60 deg)) < d or y.bumper.any;
law creep(v: m/s) on body2 = [v * sat(y.pose.x / 1 m), 0 rad/s];
atom go(v: m/s) on body2 { control creep(v); until close(far) => next; timeout 9 s; }
atom meet() on body2 {
  control [0 m/s, 0 rad/s]; needs y@alpha.pose;
  until dist(y.pose, y@alpha.pose) < 1 m; timeout 9 s;
}
behavior twice { until contact => done; timeout 1 min => next; loop 2; do { go(0.1 m/s); } }
plan p {
  until y.battery < 0.2; timeout 1 min => done;
  do {
    scale [2, 2] time 0.5: twice();
    (drive(1 m, 0.1 m/s) times 2; spin(-90 deg) timeout 2 s) until contact timeout 9 s => next;
    hold() until travelled(1 m) timeout inf; meet();
  }
}
"""


def test_what_can_be_written_out_as_triples_is_inside():
    assert remarks(FORMAL) == []


def test_what_is_read_and_used_at_an_entry_is_inside():
    assert remarks(GO + 'plan p { do { span(y.odometer); go(1 m); } }') == []
    assert remarks('plan p { do { hold() until travelled(y.odometer) timeout 9 s; } }') == []


def test_the_formal_notation_is_inside():
    first, second = (
        '([0.2 m/s, 0 rad/s] for 2 s, y.bumper.any, 3 s)',
        '([0, 0.5 rad/s], false, 1 s)',
    )
    program = parse_core(f'(({first}, (({second}), false, 9 s)), y.battery < 0.2, 1 min)')
    assert check(program, LIBRARY, SCOUT, profiles=STRICT).diagnostics == ()


def test_a_profile_that_is_not_there_is_refused():
    with pytest.raises(ValueError, match="no profile 'lax'; use strict or report_defaults"):
        check(program_of('plan p { do { stop(); } }'), LIBRARY, profiles=['lax'])
