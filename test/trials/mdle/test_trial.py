"""Programs on simulated robots: acceptance checks, limits, recordings that are replayed."""

import math
from dataclasses import replace
from pathlib import Path
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from walking_robots.geometry.se2 import Pose2
from walking_robots.mdle.knowledge.library import standard_library
from walking_robots.mdle.language.diagnostics import ProgramError
from walking_robots.mdle.robot import Observation
from walking_robots.trials.mdle.trial import ROBOTS, MdleLoop, MdleTrial, replay, run
from walking_robots.virtual_robots.recorded import RecordedReading, Recorder, Replayed
from walking_robots.virtual_robots.recording_file import load_recording, save_recording
from walking_robots.worlds.moving_disc import Jump

ROOT = Path(__file__).resolve().parents[3]
HEAD = 'mdle 1;\nimport std.body2;\n'
FOLLOW = MdleTrial(
    (ROOT / 'config/plans/follow.mdle').read_text(),
    object_script=(Jump(0.0, 2.0, 0.0), Jump(1.0, 2.0, 1.0), Jump('rest', 1.0, 1.0)),
    limit=40.0,
)


def times(trial):
    """Return what was left, in order: last part of the path, duration in s, guard or cause."""
    entered, left = {}, []

    def watch(loop, events):
        for event in events:
            if event.kind == 'enter':
                entered[event.path] = event.stamp
            elif event.kind == 'exit':
                seconds = (event.stamp - entered[event.path]) * 1e-9
                left.append((event.path.rsplit('.', 1)[-1], seconds, event.name or event.cause))

    result = run(trial, watch=watch)
    return result, left


CLOSED_LOOP = """
plan tour {
  do {
    drive_fb(1 m);
    spin_fb(90 deg);
    go_to(point(1 m, 1.5 m));
    go_to_pose(pose(0 m, 1 m, 180 deg), tol = 0.05 m);
    face(0 deg, tol = 1 deg);
  }
}
"""


def test_ac40_one_plan_ends_at_one_pose_on_every_robot_that_drives():
    ends = []
    for robot in ROBOTS:
        for slip in (0.0, 0.03) if robot == 'scout-sim' else (0.0,):
            result = run(MdleTrial(HEAD + CLOSED_LOOP, robot=robot, slip=slip, seed=3))
            assert result.outcome == 'DONE', result
            ends.append(result.end_pose)
    for pose in ends:
        assert math.dist(pose[:2], (0.0, 1.0)) < 0.10
        assert abs(pose.heading) < math.radians(5.0)
        assert math.dist(pose[:2], ends[0][:2]) < 0.10


def test_ac41_the_object_is_followed_one_step_behind():
    result, left = times(FOLLOW)
    assert result.outcome == 'CANCELED'
    orients = [seconds for name, seconds, why in left if (name, why) == ('orient', 'facing')]
    goes = [seconds for name, seconds, why in left if (name, why) == ('go_to', 'at')]
    assert orients == pytest.approx([0.0, 3.8], abs=0.3)
    assert goes == pytest.approx([9.5, 4.5], abs=0.3)
    assert math.dist(result.end_pose[:2], (2.0, 1.0)) < 0.10


def test_ac41_the_third_loop_has_a_fresh_target():
    script = (*FOLLOW.object_script, Jump('rest', 0.0, 1.0, wait=1.0))
    result, left = times(replace(FOLLOW, object_script=script, limit=60.0))
    assert len([1 for name, _, why in left if (name, why) == ('go_to', 'at')]) == 3
    assert math.dist(result.end_pose[:2], (1.0, 1.0)) < 0.10


def test_ac42_orient_from_a_right_angle_takes_79_ticks():
    result = run(MdleTrial(HEAD + 'plan p { do { orient(point(0 m, 2 m)); } }'))
    assert result.outcome == 'DONE'
    assert abs(result.ticks - 79) <= 2
    assert result.duration_s == pytest.approx(3.97, abs=0.1)


def test_ac43_a_clock_that_runs_ten_times_as_fast_changes_no_duration():
    trial = MdleTrial(HEAD + CLOSED_LOOP)
    expected = run(trial)
    for seed in range(5):
        # Ticks of a fast clock come as unevenly as its steps are long.
        rng = Random(seed)
        loop = MdleLoop(trial, trial.build_robot(), standard_library())
        while loop.ticket.result is None:
            due = loop.now
            loop.now = due + round(rng.uniform(0.0, 0.4) * 0.05e9)
            loop.tick()
            loop.now = due + 50_000_000
        result = loop.ticket.result
        assert result.outcome == 'DONE'
        # Six elements, each a tick at most.
        assert abs(result.duration - expected.duration_s) <= 6 * 0.05
        assert math.dist(result.end_pose[:2], expected.end_pose[:2]) < 0.03


def test_a_run_that_does_not_end_is_stopped_and_says_so():
    result = run(MdleTrial(HEAD + 'plan p { do { ahead() timeout 60 s; } }', limit=5.0))
    assert (result.outcome, result.message) == ('CANCELED', 'stopped at the time limit of 5 s')
    assert not result.succeeded
    # The tick that stops it is the one at this time.
    assert (result.ticks, result.duration_s) == (100, 5.0)
    assert result.end_pose.x == pytest.approx(1.0, abs=0.02)


def test_what_a_program_says_is_kept_and_others_are_not_there():
    steps = 'log("hello"); signal("go"); await_signal("go") timeout 1 s => fail "not heard";'
    result = run(MdleTrial(HEAD + f'plan p {{ do {{ {steps} }} }}'))
    assert (result.outcome, result.log) == ('DONE', ('hello',))
    for step in (
        'publish("/x", "{}")',
        'call_action("/x")',
        'call_service("/x")',
        'ask_operator("x")',
    ):
        result = run(MdleTrial(HEAD + f'plan p {{ do {{ {step}; }} }}', limit=5.0))
        assert (result.outcome, result.code) == ('FAULT', 'E808')
        assert 'in a simulation; run the program on the graph' in result.message


def test_a_wrong_program_is_reported_with_all_that_is_wrong():
    with pytest.raises(ProgramError) as found:
        run(MdleTrial(HEAD + 'plan p { do { dive(1 m); drive(1 s); } }', file='p.mdle'))
    assert [d.code for d in found.value.diagnostics if d.severity == 'error'] == ['E201', 'E303']
    with pytest.raises(ProgramError) as found:
        run(MdleTrial('mdle 1; plan { }; plan p { do { x() } }'))
    assert len(found.value.diagnostics) > 1


@pytest.mark.parametrize(
    ('fields', 'word'),
    [
        ({'robot': 'unicorn'}, 'scout-sim, twist'),
        ({'world': 'nowhere.yaml'}, 'nowhere.yaml'),
        ({'arguments': {'d': '1 +'}}, 'argument d'),
        ({'slip': 0.1, 'robot': 'twist'}, 'no two wheels'),
    ],
)
def test_a_trial_that_cannot_be_is_refused(fields, word):
    with pytest.raises(ValueError, match=word):
        run(MdleTrial(HEAD + 'plan p(d: m = 1 m) { do { drive(d); } }', **fields))


def test_ac28_a_replay_gives_the_same_events(tmp_path):
    # Noise, slip and latency, so that nothing is round.
    trial = replace(FOLLOW, slip=0.02, latency=0.03, seed=4, limit=25.0)
    recorder = Recorder(trial.build_robot())
    events, again = [], []
    first = run(trial, robot=recorder, watch=lambda loop, new: events.extend(new))
    assert len(recorder.readings) > 400
    second = replay(trial, recorder.readings, watch=lambda loop, new: again.extend(new))
    assert second == first and again == events
    path = tmp_path / 'follow.jsonl'
    save_recording(path, trial.about(), recorder.readings)
    recording = load_recording(path)
    assert recording.readings == tuple(recorder.readings)
    assert replay(trial, recording.readings) == first
    assert recording.about['limit'] == 25.0
    # What is recorded matters: with one channel of one reading another way, the events differ.
    now, reported, rests = recorder.readings[100]
    other = list(recorder.readings)
    other[100] = RecordedReading(
        now, Observation(dict(reported.values, **{'bumper.any': True}), reported.stamps), rests
    )
    assert replay(replace(trial, limit=20.0), other).events_sha256 != first.events_sha256


def test_a_recording_that_is_too_short_for_a_program_says_so():
    trial = MdleTrial(HEAD + 'plan p { do { drive(1 m); } }')
    recorder = Recorder(trial.build_robot())
    run(trial, robot=recorder)
    with pytest.raises(ValueError, match='over after 50 readings'):
        replay(trial, recorder.readings[:50])
    with pytest.raises(ValueError, match='period of its ticks'):
        replay(replace(trial, tick_period=0.1), recorder.readings)


FLOATS = st.floats(allow_nan=False)
VALUES = st.one_of(
    st.booleans(),
    FLOATS,
    st.text(max_size=5),
    st.builds(Pose2, FLOATS, FLOATS, FLOATS),
    st.tuples(FLOATS, FLOATS),
    st.lists(FLOATS, max_size=4).map(tuple),
)


@given(
    st.dictionaries(st.text(max_size=8), VALUES, max_size=5),
    st.integers(0, 2**62),
    st.booleans(),
    st.data(),
)
@settings(max_examples=60, deadline=None)
def test_readings_survive_a_file_to_the_last_bit(tmp_path_factory, values, now, rests, data):
    names = data.draw(st.sets(st.sampled_from(sorted(values)))) if values else set()
    stamps = {name: now - data.draw(st.integers(0, 5)) for name in names}
    reading = RecordedReading(now, Observation(values, stamps), rests)
    path = tmp_path_factory.mktemp('recordings') / 'a.jsonl'
    save_recording(path, {}, [reading])
    [again] = load_recording(path).readings
    assert repr(again) == repr(reading._replace(observation=again.observation))
    assert {n: repr(v) for n, v in again.observation.values.items()} == {
        n: repr(v) for n, v in values.items()
    }
    assert again.observation.stamps == stamps


def test_what_is_not_a_number_survives_a_file(tmp_path):
    path = tmp_path / 'a.jsonl'
    save_recording(
        path, {}, [RecordedReading(0, Observation({'x': math.nan, 'r': (math.inf,)}, {}), True)]
    )
    values = load_recording(path).readings[0].observation.values
    assert math.isnan(values['x']) and values['r'] == (math.inf,)


@pytest.mark.parametrize(
    ('text', 'line'),
    [
        ('', 1),
        ('{}\n', 1),
        ('[]\n', 1),
        ('{"kind":"walking_robots.recording","version":1}\n{"now": 1}\n', 2),
        ('{"kind":"walking_robots.recording","version":1}\nnonsense\n', 2),
    ],
)
def test_what_is_no_recording_is_reported_with_its_line(tmp_path, text, line):
    path = tmp_path / 'a.jsonl'
    path.write_text(text)
    with pytest.raises(ValueError, match=f'a.jsonl, line {line}: is not a recording'):
        load_recording(path)
    with pytest.raises(ValueError, match='cannot be read'):
        load_recording(tmp_path / 'none.jsonl')


def test_a_replayed_robot_moves_nothing():
    robot = Replayed(ROBOTS['twist'](), [])
    robot.apply('body2', (0.1, 0.0), 1.0)
    robot.stop()
    assert not robot.stopped() and robot.next is None
