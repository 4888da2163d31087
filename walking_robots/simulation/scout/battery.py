"""The battery of an emulated Scout and its reports (scout_protocol.md §4.7, §4.8)."""

from typing import NamedTuple

from walking_robots.robots.wheeled import BatteryModel
from walking_robots.simulation.scout.settings import EmulatorSettings


class Supply(NamedTuple):
    """Voltage, V, whether external power is there, and whether it charges the battery."""

    volts: float
    plugged: bool
    charging: bool


def supply_at(time: float, settings: EmulatorSettings, model: BatteryModel) -> Supply:
    """Return the supply after a time, s: straight lines down or up, a choice."""
    if settings.plugged:
        volts = settings.battery_start + settings.battery_charge * time
        return Supply(
            min(volts, max(model.full, settings.battery_start)), True, volts < model.full
        )
    return Supply(max(settings.battery_start - settings.battery_drain * time, 0.0), False, False)


def level(volts: float, model: BatteryModel) -> int:
    """Return 0, 1 or 2 for a low, medium or high battery: thirds between the limits, a choice."""
    third = (model.full - model.empty) / 3.0
    return (volts >= model.empty + third) + (volts >= model.empty + 2.0 * third)


def raw_voltage(volts: float, full_range: float) -> int:
    """Return the byte of a converter, which is 0 or 255 where its range ends."""
    return max(0, min(255, round((5.0 * volts / full_range - 2.0) * 255.0 / 3.0)))
