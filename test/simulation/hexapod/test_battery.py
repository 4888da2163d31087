"""Test the battery of a simulated hexapod: what it gives, and what walks on it."""

import math
import re
from dataclasses import replace

import numpy as np
import pytest

from walking_robots.gaits.commands.charge import speed_share
from walking_robots.gaits.free.articulated_model import find_free_gait_model, free_gait_model
from walking_robots.robots.articulated import Battery, Servo
from walking_robots.robots.hexapod_files import find_hexapod
from walking_robots.simulation.hexapod.battery import SimulatedBattery
from walking_robots.simulation.hexapod.physical import physical_articulated
from walking_robots.simulation.hexapod.physical_parts import PhysicsSettings
from walking_robots.terrain.level import LevelGround
from walking_robots.trials.hexapod.free import FreeGaitTrial
from walking_robots.trials.hexapod.free import run as run_free
from walking_robots.trials.hexapod.periodic import HexapodTrial, run

ROBOT = find_hexapod('insect18')
LABEL = Battery(voltage=10.0, capacity=1.0, idle_power=4.0)


def test_it_gives_work_and_what_the_rest_needs() -> None:
    battery = SimulatedBattery(LABEL, 0.5, 0.1)
    for _ in range(300):
        battery.draw(2.0)
    assert battery.power == pytest.approx(24.0)
    assert battery.charge == pytest.approx(0.5 - 30.0 * 24.0 / 36000.0)
    battery.draw(1e6)
    assert battery.charge == 0.0


def test_it_is_reported_once_a_second_in_whole_per_cent() -> None:
    battery = SimulatedBattery(LABEL, 0.5, 0.1)
    assert battery.reports and math.isnan(battery.reported)
    seen = []
    for _ in range(21):
        battery.draw(36.0)
        seen.append((battery.reports, battery.reported))
    assert [count for count, (reports, _) in enumerate(seen, 1) if reports] == [10, 20]
    # A report is known one step after its state.
    assert [reported for _, reported in seen] == [0.5] * 10 + [0.49] * 10 + [0.48]


def test_a_motor_that_holds_still_draws_what_its_windings_lose() -> None:
    torque, idle = 1.5, 7.0
    power = {}
    for name, servo in (('ideal', Servo(torque)), ('motor', Servo(torque, idle))):
        robot = replace(ROBOT, servo=servo, battery=replace(LABEL, idle_power=0.0))
        hexapod = physical_articulated(robot, LevelGround(), 0.02, PhysicsSettings())
        for _ in range(100):
            hexapod.hold()
        assert hexapod.battery is not None
        power[name] = hexapod.battery.power
        efforts = hexapod.loads.efforts
    assert power['ideal'] == pytest.approx(0.0, abs=1e-3)
    assert power['motor'] == pytest.approx(
        float(np.square(efforts).sum()) * idle / torque, rel=0.01
    )


def test_a_low_battery_slows_a_periodic_gait_and_an_empty_one_stops_it() -> None:
    found = {
        charge: run(
            HexapodTrial(ROBOT, speed=1.0, time=6.0, physics=PhysicsSettings(battery=charge))
        )
        for charge in (1.0, 0.1, 0.05)
    }
    full, low, empty = found.values()
    assert full.reason == '' and full.completed
    assert low.completed and low.reason.startswith('the battery is at 10%: at most 56%')
    assert low.distance_m == pytest.approx(speed_share(0.1) * full.distance_m, rel=0.15)
    assert not empty.completed and empty.reason == 'the battery is at 5%: the robot rests'
    assert empty.distance_m < 0.01 and empty.stopped_s > 5.9
    for charge, result in found.items():
        assert result.forces is not None and result.forces.battery_left is not None
        assert charge - 0.001 < result.forces.battery_left < charge


def test_a_free_gait_comes_to_rest_where_its_battery_empties() -> None:
    robot = replace(ROBOT, battery=Battery(7.4, 0.2, 5.0))
    physics = PhysicsSettings(battery=0.06)
    trial = FreeGaitTrial(free_gait_model(robot), speed=1.0, time=60.0, physics=physics)
    result = run_free(trial)
    assert re.fullmatch(r'halted; the battery is at [345]%: the robot rests', result.reason)
    assert result.forces is not None and 0.005 < result.distance_m < 0.1
    assert result.forces.battery_left is not None and result.forces.battery_left < 0.055


def test_a_robot_without_a_battery_has_no_charge_to_begin_at() -> None:
    walk = HexapodTrial(replace(ROBOT, battery=None), time=1.0, physics=PhysicsSettings())
    result = run(walk)
    assert result.forces is not None and result.forces.battery_left is None
    low = PhysicsSettings(battery=0.5)
    with pytest.raises(ValueError, match=r'no battery that could begin at 50%; add one'):
        run(replace(walk, physics=low))
    with pytest.raises(ValueError, match='no battery'):
        run_free(FreeGaitTrial(find_free_gait_model('asv'), physics=low))
