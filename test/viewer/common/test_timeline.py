"""The slider of time on the page of a record."""

import math
from types import SimpleNamespace

import pytest
import viser

from walking_robots.viewer.common.timeline import Timeline, TimelineControls


@pytest.mark.parametrize('later', [False, True])
def test_what_a_person_sets_is_not_set_again_by_the_page(
    server: viser.ViserServer, later: bool
) -> None:
    """What they set next may be on its way already, and would be lost."""
    sought: list[float] = []
    controls = TimelineControls(sought.append, lambda held: None, lambda speed: None)
    timeline = Timeline(server.gui, 5.0, controls)
    slider = timeline._time
    slider.value = 1.3
    for callback in slider._impl.update_cb:
        callback(SimpleNamespace(client='a page'))  # type: ignore[arg-type]
    assert sought == [1.3]
    timeline.show(1.3, False)
    slider.value = 2.0
    if later:
        timeline._moved = -math.inf
    timeline.show(1.3, False)
    assert slider.value == 2.0

    timeline._moved = -math.inf
    timeline.show(1.4, True)
    assert slider.value == 1.4 and timeline._held.value
