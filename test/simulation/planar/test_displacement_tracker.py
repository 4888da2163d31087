"""How long a displacement is reported."""

from walking_robots.geometry.se2 import ORIGIN
from walking_robots.mdle.cartographer.moved_object import ObjectNews
from walking_robots.simulation.planar.displacement_tracker import DisplacementTracker

TICK = 0.05
Point = tuple[float, float]


class Story:
    """Tells ticks of a robot that rests or drives, with an object at some place."""

    def __init__(self) -> None:
        self.told, self.ticks = DisplacementTracker(), 0

    def go(self, ticks: int, moving: bool, place: Point | None) -> ObjectNews:
        for _ in range(ticks):
            news = self.told.step(self.ticks * TICK, moving, ORIGIN, place)
            self.ticks += 1
        return news


def test_nothing_is_reported_before_anything_moved() -> None:
    story = Story()
    assert story.go(3, False, None) == (False, 0.0, (0.0, 0.0), (0.0, 0.0))
    assert story.go(30, False, (2.0, 0.0)) == (False, 0.0, (2.0, 0.0), (2.0, 0.0))


def test_a_move_is_news_until_the_robot_sets_off() -> None:
    story = Story()
    story.go(1, False, (2.0, 0.0))
    news = story.go(100, False, (2.0, 1.0))
    assert news == (True, 1.0, (2.0, 0.0), (2.0, 1.0))
    assert story.go(1, True, (2.0, 1.0)).shift == 0.0
    news = story.go(100, False, (2.0, 1.0))
    assert news == (True, 0.0, (2.0, 1.0), (2.0, 1.0))


def test_a_move_during_a_drive_is_news_until_the_robot_has_rested_and_sets_off() -> None:
    story = Story()
    story.go(1, False, (2.0, 0.0))
    story.go(5, True, (2.0, 0.0))
    assert story.go(5, True, (2.0, 1.0)).shift == 1.0
    # A standstill too short to be a rest, as between two turns, takes nothing away.
    story.go(2, False, (2.0, 1.0))
    assert story.go(2, True, (2.0, 1.0)).previous == (2.0, 0.0)
    assert story.go(20, False, (2.0, 1.0)).shift == 1.0
    assert story.go(1, True, (2.0, 1.0)).shift == 0.0


def test_a_walk_counts_as_a_whole() -> None:
    story = Story()
    for step in range(11):
        news = story.go(3, False, (2.0, 0.05 * step))
    assert news.previous == (2.0, 0.0)
    assert abs(news.shift - 0.5) < 1e-12


def test_a_jump_in_the_tick_of_setting_off_was_not_reported_yet() -> None:
    story = Story()
    story.go(5, False, (2.0, 0.0))
    news = story.go(1, True, (2.0, 1.0))
    assert (news.previous, news.shift) == ((2.0, 0.0), 1.0)
