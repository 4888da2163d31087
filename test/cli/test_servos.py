"""The commands of servos against an emulated bus on a pseudo-terminal."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click
import pytest

from benchmarks.own_clock import wait_until
from walking_robots.cli import main
from walking_robots.documents.shared import shared_path
from walking_robots.robots.hexapod_files import load_hexapod
from walking_robots.simulation.servos.bus import EmulatedBus, emulated_robot
from walking_robots.simulation.terminal import PseudoTerminal


@pytest.fixture
def terminal(tmp_path: Path) -> Iterator[PseudoTerminal[EmulatedBus]]:
    terminal = PseudoTerminal(emulated_robot('insect18'), tmp_path / 'servos')
    terminal.start()
    yield terminal
    terminal.close()


def call(capsys: Any, *arguments: object) -> tuple[int, str, str]:
    with pytest.raises(SystemExit) as ended:
        main(['servo', *map(str, arguments)])
    captured = capsys.readouterr()
    return int(ended.value.code or 0), captured.out, captured.err


def test_scan_lists_what_answers(capsys: Any, terminal: PseudoTerminal[EmulatedBus]) -> None:
    terminal.emulator.inject('dead:5', 1e9)
    terminal.emulator.inject('twin:6', 1e9)
    # Both take effect as time goes on.
    wait_until(lambda: terminal.emulator.servo(5).dead, 'the fault')
    code, out, _ = call(capsys, 'scan', terminal.path)
    rows = [line for line in out.splitlines() if 'XL430-W250' in line]
    assert code == 0 and len(rows) == 17
    assert '30.0°' in rows[1] and 'unreadable' in out


def test_scan_of_an_empty_bus_says_so(capsys: Any, terminal: PseudoTerminal[EmulatedBus]) -> None:
    terminal.emulator.inject('power_off', 1e9)
    wait_until(lambda: not terminal.emulator.powered, 'the fault')
    code, _, err = call(capsys, 'scan', terminal.path)
    assert (code, 'is its power on?' in err) == (1, True), err


def test_move_turns_one_servo(capsys: Any, terminal: PseudoTerminal[EmulatedBus]) -> None:
    code, out, _ = call(capsys, 'move', terminal.path, 7, '20deg', '--speed', '90deg/s')
    assert (code, out) == (0, 'servo 7 (XL430-W250) is at 20.0°\n')
    code, _, err = call(capsys, 'move', terminal.path, 40, '20deg')
    assert code == 2 and 'servo 40 does not answer' in err
    code, _, err = call(capsys, 'move', terminal.path, 7, '190deg')
    assert code == 2 and 'turns 180 degrees to either side' in err


def test_a_port_that_is_not_there_is_one_sentence(capsys: Any, tmp_path: Path) -> None:
    code, _, err = call(capsys, 'scan', tmp_path / 'none')
    assert code == 2 and 'no such file or directory' in err


def test_calibrate_finds_how_the_servos_count(
    capsys: Any,
    terminal: PseudoTerminal[EmulatedBus],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    path = tmp_path / 'mine.yaml'
    path.write_text(shared_path('config/robots/insect18.yaml').read_text())
    robot = load_hexapod(path)
    ids = dict(zip(robot.joint_names(), range(1, 19), strict=True))
    asked = []

    def turn(text: str, **_: Any) -> str:
        """Turn the joint by hand: it counts backwards from 0.2 rad."""
        name = text.split()[0]
        joint = {'; ': 0.0, 'end ': 0.6, 'other ': -0.7}
        angle = next(joint[word] for word in ('other ', 'end ', '; ') if word in text)
        asked.append(text)
        with terminal.emulator_lock:
            terminal.emulator.servo(ids[name]).angle = 0.2 - angle
        return ''

    monkeypatch.setattr(click, 'prompt', turn)
    code, out, err = call(capsys, 'calibrate', path, terminal.path, '--joint', 'yaw')
    assert (code, err) == (0, ''), err
    assert '6 joints calibrated' in out and len(asked) == 18
    new = load_hexapod(path)
    for leg in new.legs:
        assert leg.directions[0] == -1.0
        assert leg.offsets[0] == pytest.approx(0.2, abs=2e-3)
    # Left legs turn from -0.7 to 0.6, right ones too: what both have, mirrored.
    assert new.legs[0].ranges[0].high == pytest.approx(0.6, abs=2e-3)
    assert new.legs[0].ranges[0].low == pytest.approx(-0.6, abs=2e-3)
    assert new.legs[0].directions[1:] == robot.legs[0].directions[1:]
