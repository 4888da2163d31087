"""Commands that run programs of the motion language, on robots and on recordings."""

import sys
from pathlib import Path
from typing import Any

import click

from walking_robots.cli.mdle_files import (
    PLAN,
    WRONG,
    diagnosed,
    find,
    library_of,
    library_option,
)
from walking_robots.cli.mdle_options import program_options
from walking_robots.cli.mdle_report import EventPrinter, report
from walking_robots.cli.options import Quantity, folder_there
from walking_robots.geometry.units import parse_time

PERIOD = Quantity('time', parse_time, 0.001, 1.0)


@click.command('run')
@click.argument('file', shell_complete=PLAN)
@program_options
@click.option('--tick', 'tick_period', type=PERIOD, default='50ms', help='Period of the executor.')
@click.option(
    '--record',
    type=click.Path(path_type=Path),
    callback=folder_there,
    help='Record what the robot reports.',
)
@click.option('--events', is_flag=True, help='Print events while it runs.')
def run_program(
    *,
    file: str,
    record: Path | None,
    events: bool,
    as_json: bool,
    libraries: tuple[Path, ...],
    **fields: Any,
) -> None:
    """Run the program of a FILE, or a shipped plan, and print how it ended.

    Ends with 0 where it ended as it may, and with 1 where it failed or was stopped.
    """
    from walking_robots.mdle.program_store import format_of, read_source
    from walking_robots.trials.mdle.trial import MdleTrial, run
    from walking_robots.trials.program_robots import program_robot
    from walking_robots.virtual_robots.recorded import Recorder
    from walking_robots.virtual_robots.recording_file import save_recording

    path = find(file)
    trial = MdleTrial(read_source(path), format_of(path), str(path), **fields)
    library = library_of(libraries)
    robot = Recorder(program_robot(trial))
    printer = EventPrinter(as_json) if events else None
    with diagnosed(str(path)):
        result = run(trial, library=library, robot=robot, watch=printer)
    if record is not None:
        about = {**trial.about(), 'file': path.name, 'events_sha256': result.events_sha256}
        save_recording(record, about, robot.readings)
    report(result, as_json)
    sys.exit(0 if result.succeeded else WRONG)


@click.command('replay')
@click.argument('recording', type=click.Path(path_type=Path))
@click.argument('file', shell_complete=PLAN)
@click.option('--events', is_flag=True, help='Print events while it runs.')
@click.option('--json', 'as_json', is_flag=True, help='One line of JSON.')
@library_option
def replay_recording(
    recording: Path, file: str, events: bool, as_json: bool, libraries: tuple[Path, ...]
) -> None:
    """Run the program of a FILE on a RECORDING of 'mdle run --record'; nothing moves.

    Ends with 0 where the same happens, event by event, and with 1 where it does not.
    """
    from walking_robots.mdle.program_store import format_of, read_source
    from walking_robots.trials.mdle.trial import recorded_trial, replay
    from walking_robots.trials.program_robots import spec_of
    from walking_robots.virtual_robots.recorded import RecordingError
    from walking_robots.virtual_robots.recording_file import load_recording

    path, recorded = find(file), load_recording(recording)
    try:
        trial = recorded_trial(recorded.about, read_source(path), format_of(path), str(path))
        with diagnosed(str(path)):
            library = library_of(libraries)
            printer = EventPrinter(as_json) if events else None
            spec = spec_of(trial)
            result = replay(trial, recorded.readings, spec=spec, library=library, watch=printer)
    except RecordingError as error:
        click.echo(f'{path}: does something else than what was recorded: {error}', err=True)
        sys.exit(WRONG)
    same = result.events_sha256 == recorded.about.get('events_sha256')
    report(result, as_json, same=same)
    sys.exit(0 if same else WRONG)
