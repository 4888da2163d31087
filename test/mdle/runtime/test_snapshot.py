"""What a snapshot says of a run that goes on."""

from mdle_stage import after

from walking_robots.mdle.runtime.executor import RunPhase


def test_looking_at_a_run_does_not_change_it():
    text = 'interrupt l = y.a with latch; atom go() on none { until l; timeout 2 s; }'
    outcomes = []
    for looks in (False, True):
        stage = after(3, text)
        stage.ask('pause')
        stage.tick()
        stage.robot.values['a'] = True
        stage.tick()
        for frame in stage.executor.frames() if looks else ():
            assert [guard.reading(stage.robot.values, stage.now) for guard in frame.guards]
        stage.robot.values['a'] = False
        stage.ask('resume')
        stage.tick(3)
        outcomes.append(stage.executor.phase)
    assert outcomes == [RunPhase.RUNNING, RunPhase.RUNNING]
