"""docs/mdle.md: its programs do what it says, its commands run, its tables are true."""

import ast
import importlib.util
import math
import re
import shlex
import tomllib
from pathlib import Path
from typing import NamedTuple, get_args, get_type_hints

import pytest
import yaml

from walking_robots.cli import main
from walking_robots.geometry.se2 import wrap
from walking_robots.mdle.knowledge.catalogue import Description, catalogue
from walking_robots.mdle.knowledge.extension import GROUP, module_from
from walking_robots.mdle.knowledge.functions import FUNCTIONS
from walking_robots.mdle.knowledge.library import standard_library
from walking_robots.mdle.language.ast import Action, Cause
from walking_robots.mdle.language.diagnostics import ProgramError
from walking_robots.mdle.language.limits import LARGEST_SOURCE, MOST_DEPTH, MOST_TOKENS
from walking_robots.mdle.language.parser import FILTERS, parse_text
from walking_robots.mdle.language.quantities import UNITS
from walking_robots.mdle.runtime.events import Outcome
from walking_robots.mdle.runtime.settings import ExecutorSettings
from walking_robots.mdle.session import check_program
from walking_robots.trials.mdle.trial import MdleTrial, run
from walking_robots.virtual_robots.scout import scout_spec
from walking_robots.virtual_robots.twist import twist_spec

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / 'docs/mdle.md').read_text('utf-8')
FENCE = re.compile(r'^```(\w*)\n(.*?)^```$', re.MULTILINE | re.DOTALL)
NUMBER = r'(-?[0-9.]+)'
COMMAND = re.compile(r'`(walking_robots mdle [^`]*)`')
CLAIM = re.compile(
    rf'(\w+) after {NUMBER} s at {NUMBER} m, {NUMBER} m, {NUMBER} deg(?:, having said "(.*)")?'
)


MAYBE = 'if y.battery > 0.5 { before = measure(); } else { stop(); };'


class Lesson(NamedTuple):
    """A program of the tutorial, with all that the page says of it."""

    name: str
    program: str
    command: list[str]
    claim: str
    remarks: list[str]

    def option(self, name: str) -> str:
        return self.command[self.command.index(name) + 1] if name in self.command else ''

    def trial(self) -> MdleTrial:
        given = [v for k, v in zip(self.command, self.command[1:], strict=False) if k == '--arg']
        world = self.option('--world')
        return MdleTrial(
            self.program,
            file=self.name,
            arguments=dict(argument.split('=', 1) for argument in given),
            world=str(ROOT / world) if world else '',
        )


def section(title: str) -> str:
    """Return the part of the page under a heading of the second level."""
    [found] = re.findall(rf'^## {title}\n(.*?)(?=^## |\Z)', PAGE, re.MULTILINE | re.DOTALL)
    return found


def _lesson(text: str) -> Lesson:
    fences = FENCE.findall(text)
    [program] = [inside for kind, inside in fences if kind == 'mdle']
    [(command, claim)] = re.findall(rf'^> {COMMAND.pattern} – (.*)$', text, re.MULTILINE)
    words = shlex.split(command)
    shown = [line for kind, inside in fences if not kind for line in inside.splitlines()]
    remarks = [line for line in shown if line.startswith(f'{words[3]}:')]
    return Lesson(words[3], program, words[1:], claim, remarks)


LESSONS = {
    lesson.name.removesuffix('.mdle'): lesson
    for lesson in map(_lesson, section('Tutorial').split('\n### ')[1:])
}
REFUSED = [name for name, lesson in LESSONS.items() if lesson.claim == 'REFUSED']
RUNNING = [name for name in LESSONS if name not in REFUSED]


def check(source: str, name: str = 'program'):
    program = parse_text(source, name)
    return check_program(program, standard_library(), scout_spec(), '', ExecutorSettings())


def reported(name: str, text: str = '', new: str = '') -> list[str]:
    """Return the codes that the checker finds in a lesson, with a text in it exchanged."""
    source = LESSONS[name].program
    assert text in source
    return [
        found.code for found in check(source.replace(text, new) if text else source).diagnostics
    ]


def spans(name: str) -> list[tuple[str, float, str]]:
    """Run a lesson; give what ended in it, how long it took, and why."""
    entered, left = {}, []

    def watch(loop, events):
        for event in events:
            if event.kind == 'enter':
                entered[event.path] = event.stamp
            elif event.kind == 'exit':
                seconds = (event.stamp - entered[event.path]) * 1e-9
                left.append((event.path, seconds, event.cause))

    run(LESSONS[name].trial(), watch=watch)
    return left


def test_the_tutorial_has_its_lessons():
    assert len(LESSONS) == len(section('Tutorial').split('\n### ')) - 1 >= 9
    assert REFUSED == ['mistaken']
    assert all(lesson.program.startswith('mdle 1;\n') for lesson in LESSONS.values())


@pytest.mark.parametrize('name', LESSONS)
def test_the_checker_says_of_each_program_what_the_page_shows(name):
    lesson = LESSONS[name]
    found = check(lesson.program, lesson.name)
    assert [d.line(lesson.name) for d in found.diagnostics] == lesson.remarks
    assert found.ok == (name in RUNNING)


@pytest.mark.parametrize('name', RUNNING)
def test_each_program_ends_as_the_page_says(name):
    lesson = LESSONS[name]
    claim = CLAIM.fullmatch(lesson.claim)
    assert claim, lesson.claim
    outcome, *numbers, said = claim.groups()
    time, x, y, heading = map(float, numbers)
    result = run(lesson.trial())
    assert (result.outcome, result.log) == (outcome, (said,) if said else ())
    assert result.duration_s == pytest.approx(time, abs=0.001)
    assert result.end_pose[:2] == pytest.approx((x, y), abs=0.001)
    assert abs(wrap(result.end_pose.heading - math.radians(heading))) < math.radians(0.1)


@pytest.mark.parametrize('name', REFUSED)
def test_what_is_refused_does_not_run(name):
    with pytest.raises(ProgramError):
        run(LESSONS[name].trial())


def test_the_outer_interrupt_ends_what_runs_in_it():
    left = spans('errand')
    assert ('errand.sprint.slow', pytest.approx(5.0), 'interrupt') in left
    assert ('errand.sprint.fast', pytest.approx(1.25), 'interrupt') in left
    assert not any('spin' in path for path, *_ in left)


def test_the_plan_ends_in_the_middle_of_a_square():
    drives = [span for span in spans('squares') if span[0].endswith('drive')]
    assert len(drives) == 6
    assert drives[-1][1:] == (pytest.approx(0.75), 'timeout')


def test_the_robot_backs_off_more_than_once():
    causes = [cause for path, _, cause in spans('bold') if path == 'bold.roam']
    assert causes.count('fail') > 1 and causes[-1] == 'timeout'
    assert ('bold.finally', 0.0, 'done') in spans('bold')


@pytest.mark.parametrize(
    ('name', 'text', 'new', 'code'),
    [
        ('visit', ' / 1 s]', ']', 'E303'),
        ('up_to_the_wall', '0.1 m/s', '0.5 m/s', 'W407'),
        ('halfway', 'before = measure();', MAYBE, 'E204'),
        ('together', 'umpire();', 'spin(90 deg);', 'E405'),
    ],
)
def test_what_the_page_says_would_be_wrong_is(name, text, new, code):
    assert code not in reported(name)
    assert code in reported(name, text, new)


COMMANDS = COMMAND.findall(PAGE)


@pytest.fixture
def desk(tmp_path, monkeypatch):
    """Go where the programs of the tutorial lie, beside what is shipped."""
    for lesson in LESSONS.values():
        (tmp_path / lesson.name).write_text(lesson.program)
    (tmp_path / 'config').symlink_to(ROOT / 'config')
    monkeypatch.chdir(tmp_path)
    return tmp_path


def call(command: str, capsys: pytest.CaptureFixture[str]) -> tuple[object, str]:
    with pytest.raises(SystemExit) as end:
        main(shlex.split(command)[1:])
    return end.value.code, capsys.readouterr().out


@pytest.mark.parametrize('command', COMMANDS)
def test_the_commands_of_the_page_run(command, desk, capsys):
    if ' replay ' in command:
        [recording] = [other for other in COMMANDS if ' --record ' in other]
        call(recording, capsys)
    code, said = call(command, capsys)
    assert code == (1 if any(name in command for name in REFUSED) else 0), said


def test_the_first_command_shows_what_the_page_shows(desk, capsys):
    lesson = LESSONS['turn']
    [shown] = [inside for kind, inside in FENCE.findall(PAGE) if 'start    turn' in inside]
    _, said = call(f'walking_robots {" ".join(lesson.command)}', capsys)
    assert said.startswith(shown)


def test_the_check_shows_what_the_page_shows(desk, capsys):
    for name in REFUSED:
        _, said = call(f'walking_robots mdle check {name}.mdle', capsys)
        assert said.splitlines()[:-1] == LESSONS[name].remarks


# Tables


def table(title: str, first: str) -> list[list[str]]:
    """Return the cells of the table of a section whose head begins with a cell."""
    lines = iter(section(title).splitlines())
    head = next(line for line in lines if line.startswith(f'| {first} |'))
    next(lines)
    rows = []
    for line in lines:
        if not line.startswith('|'):
            break
        rows.append([cell.strip() for cell in line[1:-1].split(' |')])
    assert head and rows and len({len(row) for row in rows}) == 1
    return rows


def quoted(text: str) -> list[str]:
    return re.findall(r'`([^`]+)`', text)


def test_the_functions_are_those_of_the_language():
    shown = [name for row in table('The language', 'function') for name in quoted(row[0])]
    assert sorted(shown) == sorted(function.signature for function in FUNCTIONS.values())


def _signature(found: Description) -> str:
    names = ', '.join(parameter.split(':')[0] for parameter in found.parameters)
    return found.name if found.kind == 'interrupt' and not names else f'{found.name}({names})'


def test_the_elements_are_those_of_the_library():
    rows = table('The language', 'library')
    shown = [name for row in rows for name in quoted(row[0])]
    assert sorted(shown) == sorted(map(_signature, catalogue(standard_library())))
    [own] = [quoted(row[0]) for row in rows if 'std.scout' in row[1]]
    assert own == [_signature(d) for d in catalogue(standard_library()) if d.module == 'std.scout']


def test_the_channels_and_units_are_those_of_the_code():
    rows = {row[0]: row[1] for row in table('The language', 'construct')}
    channels = quoted(rows['`y.pose`'].split('Scout:')[1].split('. `twist`')[0])
    assert channels == list(scout_spec().outputs)
    assert [*channels[:7], *channels[-2:]] == list(twist_spec().outputs)
    assert set(UNITS) <= set(quoted(rows['types']))
    spaces = [name for name in quoted(rows['spaces']) if name in scout_spec().spaces]
    assert set(spaces) == set(scout_spec().spaces)
    assert {n for n, o in scout_spec().outputs.items() if not o.safety} == {
        n for n in channels if n.startswith('object.')
    }


def test_filters_actions_causes_and_outcomes_are_complete():
    filters = [quoted(row[0]) for row in table('The language', 'filter')]
    assert {name.split()[0] for names in filters for name in names} == FILTERS
    kinds = get_args(get_type_hints(Action)['kind'])
    assert [quoted(row[0])[0].split()[0] for row in table('The language', 'action')] == list(kinds)
    [causes] = re.findall(
        r'^Causes are (.*?), of an element', section('The language'), re.MULTILINE
    )
    assert {name.split('(')[0] for name in quoted(causes)} == set(
        get_args(get_type_hints(Cause)['kind'])
    )
    reported = [name for row in table('The language', 'outcome') for name in row[0].split(', ')]
    assert sorted(reported) == sorted(get_args(Outcome))


def test_figures_of_the_page_are_those_of_the_code():
    default = ExecutorSettings()
    assert f'more than {default.zeno_limit} such changes' in PAGE
    assert f'for {default.mask_limit:g} s at most' in PAGE
    assert f'`tick_period`, `tick_budget` | {default.tick_period:g} s' in PAGE
    assert (LARGEST_SOURCE, MOST_TOKENS) == (1_000_000, 100_000)
    assert f'1 MB, 100 000 words,\n{MOST_DEPTH} levels' in PAGE


# On ROS 2, as far as that can be seen without


def test_what_the_node_offers_is_in_the_table():
    sources = ''.join(
        path.read_text()
        for path in (ROOT / 'walking_robots/nodes/mdle').glob('*.py')
        # Their services have tables of their own.
        if path.stem not in ('cartographer', 'planner')
    )
    offered = set(re.findall(r"'~/(\w+)'", sources))
    offered |= set(re.findall(r"^ +\(\w+, '(\w+)', self\._\w+\)", sources, re.M))
    rows = table('On ROS 2', 'action, service, topic')
    shown = {name[2:] for row in rows for name in quoted(row[0]) if name.startswith('~/')}
    assert shown == offered
    goal = next((ROOT / 'interfaces').rglob('RunPlan.action')).read_text().split('---')[0]
    fields = set(re.findall(r'^\S+ (\w+)$', re.sub(' *#.*', '', goal), re.MULTILINE))
    [run_plan] = [row[2] for row in rows if row[0] == '`~/run_plan`']
    assert set(quoted(run_plan)) == fields - {'format'}
    interfaces = {path.stem for path in (ROOT / 'interfaces').rglob('Plan*.msg')}
    interfaces |= {path.stem for path in (ROOT / 'interfaces').rglob('*.srv')} | {'RunPlan'}
    types = {name for row in rows for name in row[1].split(', ') if name}
    assert types - {'Trigger'} <= interfaces


def test_parameters_and_arguments_are_there():
    document = yaml.safe_load((ROOT / 'config/mdle.yaml').read_text())
    known = document['/**/mdle_executor']['ros__parameters']
    rows = table('On ROS 2', 'parameter')
    assert {name for row in rows for name in quoted(row[0])} <= set(known)
    tree = ast.parse((ROOT / 'launch/mdle.launch.py').read_text())
    [arguments] = [
        [ast.literal_eval(row.elts[0]) for row in node.value.elts]
        for node in tree.body
        if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == 'ARGUMENTS'
    ]
    used = re.findall(r' (\w+):=', section('On ROS 2'))
    assert used and set(used) <= {*arguments, 'viewer', 'viewer_port', 'namespace', 'rviz'}
    plans = re.findall(r'(?:plan:=|uri: )(\w+)', section('On ROS 2'))
    assert plans and all((ROOT / f'config/plans/{plan}.mdle').is_file() for plan in plans)


def test_a_hexapod_is_launched_with_its_own_arguments():
    tree = ast.parse((ROOT / 'launch/hexapod.launch.py').read_text())
    [arguments] = [
        [ast.literal_eval(row.elts[0]) for row in node.value.elts]
        for node in tree.body
        if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == 'ARGUMENTS'
    ]
    [command] = [line for line in section('On legs').splitlines() if 'hexapod.launch.py' in line]
    used = re.findall(r' (\w+):=', command)
    assert 'map' in used and set(used) <= set(arguments)


def test_goals_and_requests_can_be_read():
    lines = [line for line in section('On ROS 2').splitlines() if line.startswith('ros2 ')]
    sent = [shlex.split(line)[-2:] for line in lines if 'walking_robots_interfaces' in line]
    assert len(sent) == 3
    for kind, text in sent:
        _, folder, name = kind.split('/')
        declared = ROOT / f'interfaces/walking_robots_interfaces/{folder}/{name}.{folder}'
        request = declared.read_text().split('---')[0]
        values = yaml.safe_load(text)
        assert all(re.search(rf'^string {field}\b', request, re.MULTILINE) for field in values)
        if 'source' in values:
            assert check(values['source']).diagnostics == ()


# Elements in Python


def test_the_module_of_the_page_works(tmp_path):
    [source] = [inside for kind, inside in FENCE.findall(PAGE) if kind == 'python']
    path = tmp_path / 'dance.py'
    path.write_text(source)
    found = importlib.util.spec_from_file_location('mylab_dance', path)
    module = importlib.util.module_from_spec(found)
    found.loader.exec_module(module)
    library = {**standard_library(), 'mylab.dance': module_from('mylab.dance', module)}
    [program] = re.findall(r'`(import mylab.dance; .*?)` then', PAGE)
    result = run(MdleTrial(f'mdle 1; {program}'), library=library)
    assert result.outcome == 'DONE'
    assert result.way_m == pytest.approx(1.0, abs=0.02)
    [entry] = [inside for kind, inside in FENCE.findall(PAGE) if kind == 'toml']
    assert tomllib.loads(entry) == {
        'project': {'entry-points': {GROUP: {'mylab.dance': 'mylab.dance'}}}
    }


# Against the report


def test_the_tests_that_the_page_names_exist():
    names = {quoted(row[2])[0] for row in table('Against the report', 'in the report')}
    files = [path for path in (ROOT / 'test').rglob('test_*.py') if path != Path(__file__)]
    defined = set(re.findall(r'^def (test_\w+)', ''.join(p.read_text() for p in files), re.M))
    assert len(names) >= 15 and names <= defined, names - defined
