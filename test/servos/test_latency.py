"""How long a command waits for the bus, in bus time: no processor is waited for."""

from random import Random
from statistics import median

import pytest
from servo_stage import JOINTS, BusStage

from walking_robots.servos.models import MODELS
from walking_robots.servos.report import BusPhase
from walking_robots.servos.settings import BusDriverSettings


@pytest.mark.parametrize('seed', [5, 6])
@pytest.mark.parametrize('model', [name for name in MODELS if MODELS[name].protocol == 2])
def test_a_command_is_on_the_bus_within_4_ms_in_the_median(model: str, seed: int) -> None:
    stage = BusStage(model, settings=BusDriverSettings(soft_start=0.0)).started()
    bus, goal, rng = stage.emulated, MODELS[model]['goal'], Random(seed)
    advance, write = bus.advance, bus._write
    sent: dict[bytes, float] = {}
    waited: dict[bytes, float] = {}
    due, turn = bus.now, 0

    def advance_and_command(dt: float) -> None:
        """Command at any phase, also while the driver waits for replies."""
        nonlocal due, turn
        while due <= bus.now + dt:
            step = max(due - bus.now, 0.0)
            advance(step)
            dt = max(dt - step, 0.0)
            turn += 1
            angle = 0.2 + 2.0 * goal.unit * turn
            sent[goal.encode(angle)] = bus.now
            stage.driver.command([angle] * len(JOINTS))
            due += rng.uniform(0.015, 0.025)
        advance(dt)

    def note(number: int, address: bytes, data: bytes) -> None:
        if number == 1 and data in sent:
            waited.setdefault(data, bus.now - sent[data])
        write(number, address, data)

    bus.advance, bus._write = advance_and_command, note  # type: ignore[method-assign]
    stage.run(3.0)
    assert stage.report().phase is BusPhase.MOVING
    assert len(waited) > 100
    print(model, f'{1e3 * median(waited.values()):.2f} ms', f'{1e3 * max(waited.values()):.2f} ms')
    assert median(waited.values()) <= 0.004
    assert max(waited.values()) < 0.012
