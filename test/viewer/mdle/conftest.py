"""Return the tests of the page a program in the middle of its work."""

import pytest

from walking_robots.viewer.mdle.state import (
    Element,
    GuardReading,
    NamedPoint,
    Object,
    PlanLine,
    PlanView,
    Transition,
)


@pytest.fixture
def following() -> PlanView:
    """Return the plan `follow` in its second pass, on its way to where the object was."""
    return PlanView(
        phase='RUNNING',
        entry='follow',
        time=37.4,
        tree=(
            PlanLine('follow', 'plan', 'follow', 0),
            PlanLine('follow.step', 'behavior', 'step()', 1),
            PlanLine('follow.step.wait', 'atom', 'wait(0.15 m)', 2),
            PlanLine('follow.step.go_to', 'atom', 'go_to(target)', 2),
            PlanLine('follow.back_off', 'handler', 'back_off(0.2 m)', 1),
            PlanLine('follow.finally', 'finally', 'stop()', 1),
        ),
        source='mdle 1;\n',
        active=(
            Element('follow', 1, 37.4, 1800.0),
            Element('follow.step', 0, 20.8, guards=(GuardReading('contact', 'masked'),)),
            Element('follow.step.go_to', 0, 15.0, 60.0, (GuardReading('at', 'false'),)),
        ),
        space='body2',
        control=(0.2, 0.0032),
        board=(('target', '(1.02588, 0.424932)'), ('side', 'left')),
        points=(NamedPoint('target', 2.02588, 1.424932),),
        log=(
            Transition(0.0, 'start', 'follow'),
            Transition(0.04, 'enter', 'follow'),
            Transition(
                9.2, 'exit', 'follow.step.wait', 'interrupt', 'moved', (('shift', '0.264884'),)
            ),
        ),
        plans=('follow', 'park'),
        object=Object(2.0, 1.5, 0.25, 0.4),
    )
