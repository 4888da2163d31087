"""Commands of servos on a bus: find them, move one, calibrate a robot, or stand in for them."""

import math
import signal
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import click

from walking_robots.cli.options import ROBOT, Quantity
from walking_robots.geometry.units import parse_angle, parse_angular_speed

if TYPE_CHECKING:
    from walking_robots.servos.bus import ServoBus
    from walking_robots.servos.calibration import JointCalibration
    from walking_robots.servos.models import ServoModel

ANGLE = Quantity('angle', parse_angle, -math.tau, math.tau)
SPEED = Quantity('angular speed', parse_angular_speed, 0.01, 50.0)
BAUD = click.option(
    '--baud', default=1_000_000, type=click.IntRange(9600, 4_500_000), help='Speed of the bus.'
)
PATIENCE = 0.2
"""Time, s, to wait for a reply."""
PERIOD = 0.02
"""Time, s, between two goals of a servo that is moved."""
POSITIVE = {'yaw': 'to the left, seen from above', 'lift': 'up', 'knee': 'outwards'}
ZEROS = {
    'yaw': 'with the leg along its heading',
    'lift': 'with the femur level',
    'knee': 'with the shank in line with the femur',
}


@contextmanager
def _bus(port: str, baud: int, protocol: int, patience: float = PATIENCE) -> 'Iterator[ServoBus]':
    from walking_robots.servos.bus import ServoBus
    from walking_robots.servos.port import SerialBusPort

    line = SerialBusPort(port, baud, patience)
    try:
        yield ServoBus(line, protocol)
    finally:
        line.close()


@click.command()
@click.argument('port', type=click.Path())
@BAUD
def scan(port: str, baud: int) -> None:
    """Print the servos that answer on a serial PORT, by both protocols; nothing moves.

    The exit code is 1 when none does.
    """
    from rich.console import Console
    from rich.table import Table

    from walking_robots.servos.bus import model_of

    columns = ('id', 'model', 'protocol', 'position', 'voltage', 'temperature')
    table = Table(*columns, box=None)
    for protocol in (2, 1):
        # By protocol 1.0 each id is asked for.
        with _bus(port, baud, protocol, PATIENCE if protocol == 2 else 0.02) as bus:
            for servo, number in bus.scan().items():
                model = model_of(number)
                name = model.name if model else f'unknown, number {number}'
                known = _measured(bus, servo, model) if model else ()
                table.add_row(str(servo), name, str(protocol), *known)
    if table.row_count:
        Console().print(table)
        return
    click.echo(f'no servo answers on {port} at {baud} bit/s: is its power on?', err=True)
    click.get_current_context().exit(1)


def _measured(bus: 'ServoBus', servo: int, model: 'ServoModel') -> tuple[str, ...]:
    found = [bus.read_value(servo, model[name]) for name in ('position', 'voltage', 'temperature')]
    if None in found:
        return ('unreadable: is its id given twice?',)
    position, voltage, temperature = (value or 0.0 for value in found)
    return f'{math.degrees(position):.1f}°', f'{voltage:.1f} V', f'{temperature:.0f} °C'


@click.command()
@click.argument('port', type=click.Path())
@click.argument('servo', type=click.IntRange(0, 252))
@click.argument('angle', type=ANGLE)
@click.option('--speed', type=SPEED, default='30deg/s', help='How fast.')
@click.option('--model', default='', help='Model, or the file of one; none: as it answers.')
@click.option('--relax', is_flag=True, help='Let it go limp at the end.')
@BAUD
def move(
    port: str, servo: int, angle: float, speed: float, model: str, relax: bool, baud: int
) -> None:
    """Turn one SERVO on a serial PORT slowly to an ANGLE from its middle, such as 20deg.

    The exit code is 1 when it does not get there. An angle below 0 comes after --: -- -20deg.
    """
    from walking_robots.servos.model_files import find_model

    found = find_model(model) if model else _found_model(port, servo, baud)
    if abs(angle) > found.travel:
        raise ValueError(
            f'{found.name} turns {math.degrees(found.travel):.0f} degrees to either side of its '
            f'middle, not {math.degrees(angle):.1f}'
        )
    with _bus(port, baud, found.protocol) as bus:
        start = bus.read_value(servo, found['position'])
        if start is None:
            raise ValueError(
                f'servo {servo} does not answer; look with `walking_robots servo scan`'
            )
        bus.write(servo, found['goal'], start)
        bus.write(servo, found['torque_enable'], 1)
        begun, duration = time.monotonic(), abs(angle - start) / speed
        share = 0.0
        while share < 1.0:
            share = min((time.monotonic() - begun) / duration, 1.0) if duration else 1.0
            bus.write(servo, found['goal'], start + share * (angle - start))
            time.sleep(PERIOD)
        time.sleep(0.3)
        reached = bus.read_value(servo, found['position'])
        if relax:
            bus.write(servo, found['torque_enable'], 0)
    if reached is None:
        raise ValueError(f'servo {servo} does not answer any more')
    click.echo(f'servo {servo} ({found.name}) is at {math.degrees(reached):.1f}°')
    if abs(reached - angle) > math.radians(3.0):
        click.get_current_context().exit(1)


def _found_model(port: str, servo: int, baud: int) -> 'ServoModel':
    """Return the model of a servo as it answers, by either protocol."""
    from walking_robots.servos.bus import model_of

    for protocol in (2, 1):
        with _bus(port, baud, protocol) as bus:
            number = bus.ping(servo)
        if number is not None:
            model = model_of(number)
            if model is None:
                raise ValueError(
                    f'servo {servo} is of an unknown model, number {number}; name it by --model'
                )
            return model
    raise ValueError(f'servo {servo} does not answer; look with `walking_robots servo scan`')


@click.command()
@click.argument('robot', type=click.Path(path_type=Path))
@click.argument('port', type=click.Path())
@click.option('--leg', 'legs', multiple=True, type=click.IntRange(1, 6), help='This leg only.')
@click.option(
    '--joint', 'joints', multiple=True, type=click.Choice(list(ZEROS)), help='This joint only.'
)
@click.option('--yaw-at', type=ANGLE, default='0deg', help='Angle of yaw where it is asked for.')
@click.option('--lift-at', type=ANGLE, default='0deg', help='Angle of lift where it is asked for.')
@click.option('--knee-at', type=ANGLE, default='0deg', help='Angle of knee where it is asked for.')
def calibrate(
    *,
    robot: Path,
    port: str,
    legs: tuple[int, ...],
    joints: tuple[str, ...],
    yaw_at: float,
    lift_at: float,
    knee_at: float,
) -> None:
    """Measure zero, direction and limits of the joints of a ROBOT's file, and write them into it.

    The servos go limp: support the robot. Each joint is turned by hand, as the command asks.
    """
    from walking_robots.robots.hexapod_files import load_hexapod
    from walking_robots.servos.calibration import calibrated_text, write_file
    from walking_robots.servos.model_files import find_model

    found = load_hexapod(robot)
    wiring = found.servo_bus
    if wiring is None:
        raise ValueError(
            f'{robot}: add servo_bus: {{model: XL430-W250}}, with the ids of its servos'
        )
    model = find_model(wiring.model)
    at = {'yaw': yaw_at, 'lift': lift_at, 'knee': knee_at}
    chosen = [
        (f'leg{leg}_{joint}', joint)
        for leg in legs or range(1, 7)
        for joint in ZEROS
        if not joints or joint in joints
    ]
    ids = dict(zip(found.joint_names(), wiring.ids, strict=True))
    measured = {}
    with _bus(port, wiring.baud, model.protocol) as bus:
        bus.write_each(model['torque_enable'], dict.fromkeys(wiring.ids, 0))
        for name, joint in chosen:
            measured[name] = _measure(bus, model, ids[name], name, joint, at[joint])
    text = robot.read_text('utf-8')
    write_file(robot, calibrated_text(text, found, measured, str(robot)))
    click.echo(f'{robot}: {len(measured)} joints calibrated')


def _measure(
    bus: 'ServoBus', model: 'ServoModel', servo: int, name: str, joint: str, at: float
) -> 'JointCalibration':
    """Ask for three positions of a joint until they make sense."""
    from walking_robots.servos.calibration import calibrated

    zero = ZEROS[joint] if at == 0.0 else f'at {math.degrees(at):g}°'
    asked = (zero, f'at its end {POSITIVE[joint]}', 'at its other end')
    while True:
        found = []
        for posture in asked:
            click.prompt(
                f'{name} (servo {servo}) {posture}; Enter', default='', show_default=False
            )
            position = bus.read_value(servo, model['position'])
            if position is None:
                raise ValueError(f'servo {servo} ({name}) does not answer; nothing was written')
            found.append(position)
        try:
            return calibrated(found[0], found[1], found[2], at)
        except ValueError as error:
            click.echo(f'{name}: {error}')


@click.command()
@click.argument('robot', shell_complete=ROBOT)
@click.option('--model', default='', help="Model of the servos; none: as the robot's file says.")
@click.option('--link', type=click.Path(path_type=Path), help='Symbolic link to keep at the port.')
@click.option('--seed', type=click.IntRange(0, 2**31 - 1), default=0, help='Seed of its faults.')
def emulate(robot: str, model: str, link: Path | None, seed: int) -> None:
    """Stand in for the servos of a ROBOT, a file or a name; prints the port to connect to."""
    from walking_robots.simulation.servos.bus import emulated_robot
    from walking_robots.simulation.terminal import PseudoTerminal

    bus = emulated_robot(robot, model, seed)
    ended = threading.Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda *_: ended.set())
    terminal = PseudoTerminal(bus, link)
    terminal.start()
    try:
        click.echo(terminal.path)
        click.echo('Ctrl-C ends.', err=True)
        ended.wait()
    finally:
        terminal.close()
