"""Find a Scout on a port and read its state, without moving anything."""

import math
import os
import termios
import time

import serial

from walking_robots.scout.framing import Packet
from walking_robots.scout.link import Link, RequestOutcome
from walking_robots.scout.port import BAUD
from walking_robots.scout.protocol import Op, State, plain
from walking_robots.scout.readings import read
from walking_robots.scout.settings import DriverSettings

TRIES = 3
TIMEOUT = 1.0


def probe_port(port: str, baud: int = BAUD) -> dict[str, str]:
    """Ask for the state, at most three times, and give it in words.

    Sends no other request. Raises ValueError, one sentence, when the port cannot be opened or
    nobody answers.
    """
    try:
        with serial.Serial(port, baud, timeout=0.02, write_timeout=0.5, exclusive=True) as line:
            line.reset_input_buffer()
            return _table(_ask(line, plain(Op.GET_STATE)))
    except (OSError, termios.error) as error:
        number = getattr(error, 'errno', None)
        reason = os.strerror(number).lower() if number else str(error)
        raise ValueError(
            f'port {port} cannot be used ({reason}): give the port of the robot, such as '
            '/dev/ttyUSB0'
        ) from None


def _ask(line: serial.Serial, request: Packet) -> tuple[State, float]:
    link = Link()
    for _ in range(TRIES):
        line.write(link.send(request, time.monotonic(), TIMEOUT))
        answer = None
        while answer is None:
            answer = link.receive(line.read(256), time.monotonic())
        if answer.outcome is RequestOutcome.ANSWERED and answer.state is not None:
            return answer.state, answer.delay
        if answer.outcome is RequestOutcome.REFUSED:
            raise ValueError(f'what is on {line.port} refuses to send its state: is it a Scout?')
    noise = f' ({link.counters.noise} bytes of noise came)' if link.counters.noise else ''
    raise ValueError(
        f'no reply on {line.port}{noise}: is the robot switched on, and the baud rate right?'
    )


def _table(found: tuple[State, float]) -> dict[str, str]:
    state, delay = found
    settings = DriverSettings()
    values = read(state, settings)
    pose, turn = values.pose, math.degrees(values.pose.heading)
    sonars = ', '.join('none' if inches == 255 else f'{inches}' for inches in state.sonar)
    volts = {'cpu': values.cpu_voltage, 'motor': values.motor_voltage}
    return {
        'reply': f'after {1e3 * delay:.0f} ms',
        'clock': f'{values.clock:.3f} s since it was switched on',
        'pose': f'x {pose.x:.3f} m, y {pose.y:.3f} m, heading {turn:.1f} deg',
        'wheels': f'left {values.wheels.left:.3f} m/s, right {values.wheels.right:.3f} m/s',
        'sonars 0 to 15, inches': sonars,
        'bumper': f'0x{state.bumper:06X}, {"pressed" if values.bumper.pressed else "free"}',
        'status': f'0x{state.status:02X}',
        'battery': values.level.name.lower()
        + (', plugged in' if values.plugged else '')
        + (', charging' if values.charging else ''),
        'emergency stop': 'pressed' if values.emergency_stop else 'released',
        'voltages': ', '.join(
            f'{name} unknown' if math.isnan(value) else f'{name} {value:.2f} V'
            for name, value in volts.items()
        ),
    }
