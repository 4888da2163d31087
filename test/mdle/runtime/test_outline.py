"""The structure of a program as lines: what it says, and that it is never more than fits."""

import pytest
from mdle_stage import job

from benchmarks.cpu_time import cpu_time
from walking_robots.mdle.runtime.outline import MOST_NODES, outline


def test_handlers_and_cleanup_stand_below_the_steps():
    nodes = outline(
        job(
            'behavior b { on fail => run stop(); finally stop(); do { drive(1 m); } }\n'
            'plan p { do { b(); } }'
        )
    )
    assert [(node.path, node.kind, node.depth) for node in nodes] == [
        ('p', 'plan', 0),
        ('p.b', 'behavior', 1),
        ('p.b.drive', 'atom', 2),
        ('p.b.stop', 'handler', 2),
        ('p.b.finally', 'finally', 2),
    ]


@pytest.mark.parametrize(
    'inside',
    [
        'on timeout => run {0}(); on fail => run {0}(); do {{ stop(); }}',
        'finally {0}(); finally {0}(); do {{ stop(); }}',
        'do {{ {0}(); {0}(); }}',
        'on fail => run {0}(); finally {0}(); do {{ if contact {{ {0}(); }} else {{ {0}(); }}; }}',
    ],
)
@pytest.mark.usefixtures('untraced')
def test_what_doubles_at_each_of_30_levels_is_cut_at_once(inside):
    lines = ['behavior b0 { do { stop(); } }']
    lines += [f'behavior b{i} {{ {inside.format(f"b{i - 1}")} }}' for i in range(1, 31)]
    one = job('\n'.join(lines))
    assert len(outline(one)) == MOST_NODES
    # Some 8 ms; it was more than a minute.
    assert cpu_time(lambda: outline(one), 0.1) < 0.1
