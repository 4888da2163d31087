"""Test what the page says of a robot: the panels of ars_magna.md §5.2."""

import re
from dataclasses import replace

from walking_robots.viewer.ars_magna.state import (
    ArsView,
    DesignatorView,
    PartView,
    RunView,
    WorldPicture,
)
from walking_robots.viewer.ars_magna.status import (
    MOST_DESIGNATORS,
    MOST_MESSAGES,
    cameras_html,
    designators_html,
    dial_svg,
    heading_html,
    legend_html,
    messages_html,
    parts_html,
    robot_html,
    things_html,
)


def words(html: str) -> str:
    """Return the text of markup."""
    return re.sub(r'\s+', ' ', re.sub(r'<[^>]*>', ' ', html)).strip()


def test_heading_shows_the_program_and_the_tick(view: ArsView) -> None:
    said = words(heading_html(view))
    assert said == (
        'Persistent runs tick 40 · 12 ticks since it began camera 0: track has begun careful'
    )
    failed = words(heading_html(ArsView(run=RunView('fetch', 'failed', 3, 'grab: LOST-TRACK'))))
    assert failed == 'Fetch failed No news of the world · 3 ticks since it began grab: LOST-TRACK'
    assert words(heading_html(ArsView())) == 'No program runs No news of the world'


def test_place_is_that_of_the_manual(picture: WorldPicture) -> None:
    said = words(robot_html(picture.robots[0]))
    assert 'x 2.00 y 1.00 heading 90° (1.57 rad)' in said


def test_cameras_have_three_lines(picture: WorldPicture) -> None:
    html = cameras_html(picture.robots[0])
    first, second = html.split('class="camera"')[1:]
    assert 'camera 0 at 14°, 45° wide 16 54 tracks lamp#1 , non-local, about 2.5 away' in words(
        first
    )
    assert 'on the robot' in words(first)
    assert first.count('ellipsis') == 1, 'only views are cut'
    assert 'class="tick"' in first
    assert 'no view was taken tracks nothing in robbie/bin/0' in words(second)
    assert 'class="tick"' not in second


def test_dial_has_ahead_upwards_and_right_to_the_right() -> None:
    svg = dial_svg(PartView(1.5707963, 0.1), 1.5707963, (1, 2, 3))
    assert 'M 0 0 L 26.0 -1.3 A 26.0 26.0 0 0 1 26.0 1.3 Z' in svg
    assert 'M 19.0 -0.0 L 29.0 -0.0' in svg
    assert ' 1 1 ' in dial_svg(PartView(0.0, 4.0), None, (1, 2, 3)), 'more than half a turn'


def test_hands_and_bins_show_what_they_hold(picture: WorldPicture) -> None:
    said = words(parts_html(picture.robots[0]))
    assert 'hand 0 holds pen#2 in robbie/bin/0 hand 1 empty' in said
    assert 'bin 0 open, box#4 bin 1 closed, empty' in said


def test_designators_show_what_they_truly_are(picture: WorldPicture) -> None:
    robot = picture.robots[0]
    said = words(designators_html(robot))
    assert said.endswith('5 local -57° size 9.0 false 3 non-local 17° color red, size 2.1 lamp#1')
    assert 'ellipsis' not in designators_html(robot), 'what does not fit goes on below'
    many = tuple(DesignatorView(n, 'local', 0.0, 'LAMP#1') for n in range(MOST_DESIGNATORS + 3))
    said = words(designators_html(replace(robot, designators=many)))
    assert said.endswith('and 3 older ones')


def test_messages_begin_with_the_last_and_cannot_be_markup(picture: WorldPicture) -> None:
    html = messages_html(picture.messages)
    assert words(html).startswith('Messages 39 robbie: that is &lt;wrong&gt; 0 it began')
    many = messages_html(picture.messages[:1] * (MOST_MESSAGES + 5))
    assert many.count('it began') == MOST_MESSAGES


def test_things_are_listed_with_their_places(picture: WorldPicture) -> None:
    said = words(things_html(picture.things))
    assert 'big-box#5 size 12 5.0, 2.0' in said
    assert words(things_html(())).endswith('nothing')


def test_legend_names_all_places() -> None:
    said = words(legend_html())
    for name in ('convex', 'concave', 'beak', 'doorway'):
        assert f'{name} place' in said
