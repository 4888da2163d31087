"""The driver in order: soft start, limits, holding, the end."""

import math

import pytest
from servo_stage import JOINTS, BusStage

from walking_robots.servos.models import MODELS
from walking_robots.servos.report import BusPhase
from walking_robots.servos.settings import BusDriverSettings

COUNT = len(JOINTS)


def command_for(stage: BusStage, goals: list[float], duration: float) -> list[float]:
    """Repeat a command, and return the greatest speed of a servo in each millisecond."""
    end, speeds, due = stage.now + duration, [], 0.0
    while stage.now < end:
        if stage.now >= due:
            stage.driver.command(goals)
            due = stage.now + 0.02
        stage.tick()
        speeds.append(max(abs(servo.speed) for servo in stage.emulated.servos))
    return speeds


@pytest.mark.parametrize('model', MODELS)
def test_it_starts_without_a_move_and_softly(model: str) -> None:
    stage = BusStage(model, settings=BusDriverSettings(soft_start=2.0)).started()
    assert stage.moved_at == -math.inf
    speeds = command_for(stage, [0.9] * COUNT, 2.5)
    # 0.7 rad, evenly in 2 s.
    assert max(speeds) < 1.3 * 0.7 / 2.0
    assert all(abs(s.angle - 0.9) < 0.02 for s in stage.emulated.servos)


def test_no_goal_jumps() -> None:
    stage = BusStage(settings=BusDriverSettings(soft_start=0.0, max_speed=1.0)).started()
    assert max(command_for(stage, [1.5] * COUNT, 2.0)) < 1.2


def test_a_command_that_is_not_repeated_is_held_and_the_next_starts_softly() -> None:
    stage = BusStage().started()
    stage.run(2.0, walking=True)
    stage.run(0.8)
    assert stage.report().phase is BusPhase.HOLDING and not stage.moves()
    assert max(command_for(stage, [1.0] * COUNT, 0.1)) < 3.5


def test_torque_is_limited_on_the_servos() -> None:
    stage = BusStage(settings=BusDriverSettings(torque_limit=0.3)).started()
    for servo in stage.emulated.servos:
        servo.burden = 0.5 * servo.model.stall_torque
    stage.run(0.5)
    assert min(servo.angle for servo in stage.emulated.servos) > 0.5


@pytest.mark.parametrize('relax', [False, True])
def test_the_end_holds_or_relaxes(relax: bool) -> None:
    settings = BusDriverSettings(relax_at_end=relax)
    stage = BusStage(settings=settings).started()
    stage.driver.end()
    stage.driver.step()
    assert stage.report().phase is BusPhase.ENDED
    stage.emulated.advance(0.5)
    assert all(servo.holds != relax for servo in stage.emulated.servos)


def test_relaxed_servos_hold_again_when_told_to() -> None:
    stage = BusStage().started()
    stage.driver.relax()
    stage.run(0.1)
    assert stage.report().phase is BusPhase.HALTED
    assert not any(servo.holds for servo in stage.emulated.servos)
    with pytest.raises(ValueError, match='limp'):
        stage.driver.command([0.0] * COUNT)
    stage.driver.resume()
    assert stage.until(lambda report: report.phase is BusPhase.HOLDING, 2.0)
    assert all(servo.holds for servo in stage.emulated.servos)
    assert stage.moved_at == -math.inf


def test_a_bus_lost_while_it_goes_on_needs_to_be_told_again() -> None:
    stage = BusStage().started()
    stage.run(0.5, walking=True)
    stage.emulated.inject('power_off', 0.4)
    assert stage.until(lambda report: report.phase is BusPhase.HALTED, 5.0, walking=True)
    stage.driver.resume()
    assert stage.until(lambda report: report.phase is BusPhase.CHECKING, 1.0)
    stage.emulated.inject('cut_cable', 0.4)
    assert stage.until(lambda report: report.phase is BusPhase.CLOSED, 1.0, walking=True)
    over = stage.now
    assert stage.until(lambda report: report.phase is BusPhase.HALTED, 5.0, walking=True)
    stage.run(0.5, walking=True)
    assert stage.moved_at < over


@pytest.mark.parametrize('goals', [[0.0] * 17, [math.nan] * COUNT])
def test_a_wrong_command_is_refused(goals: list[float]) -> None:
    stage = BusStage().started()
    with pytest.raises(ValueError, match='needs 18 finite angles'):
        stage.driver.command(goals)


def test_a_dead_driver_leaves_the_servos_at_rest() -> None:
    stage = BusStage().started()
    stage.run(1.0, walking=True)
    assert stage.moves()
    stage.emulated.advance(0.2)
    assert not stage.moves()
    assert all(servo.holds for servo in stage.emulated.servos)


@pytest.mark.parametrize('model', MODELS)
@pytest.mark.parametrize('side', [-1.0, 1.0])
def test_goals_beyond_the_travel_stop_at_its_end(model: str, side: float) -> None:
    stage = BusStage(model, settings=BusDriverSettings(soft_start=0.0, max_speed=20.0)).started()
    command_for(stage, [6.0 * side] * COUNT, 2.0)
    assert stage.report().phase is BusPhase.MOVING
    end = MODELS[model].travel - 2.0 * MODELS[model]['goal'].unit
    assert all(side * servo.goal >= end for servo in stage.emulated.servos)
    assert all(side * servo.angle > end - 0.02 for servo in stage.emulated.servos)


@pytest.mark.parametrize('name', ['rate', 'soft_start', 'torque_limit', 'command_timeout'])
def test_settings_are_checked(name: str) -> None:
    with pytest.raises(ValueError, match=name):
        BusDriverSettings(**{name: math.nan})
