"""The command that lets a biped walk."""

import json
import sys
from dataclasses import make_dataclass
from types import SimpleNamespace

import pytest

from walking_robots.cli import main

FIELDS = [
    'fell', 'fall_time_s', 'distance_m', 'mean_speed_m_s', 'min_speed_m_s', 'max_speed_m_s',
    'pitch_min_deg', 'pitch_max_deg', 'mean_height_m', 'step_length_m', 'friction_p99', 'steps',
    'max_slip_m', 'felt_slip_m', 'trace_sha256',
]  # fmt: skip


def reported(capsys, *arguments):
    """Run the command and give what it said and its exit code."""
    with pytest.raises(SystemExit) as ended:
        main(['trial', 'biped', *arguments])
    said = capsys.readouterr()
    return said.out, said.err, ended.value.code


def test_a_walk_as_json_has_the_fields_that_were_promised(capsys):
    out, err, code = reported(
        capsys, '--robot', 'a', '--terrain', 'rough', '--time', '4s', '--json'
    )
    assert (code, err) == (0, '')
    found = json.loads(out)
    assert [name for name in found if name in FIELDS] == FIELDS
    assert (found['robot'], found['terrain'], found['seed']) == ('a', 'rough', 0)
    assert found['fell'] is False
    assert found['distance_m'] == pytest.approx(1.0, abs=0.3)
    assert 5 <= found['steps'] <= 9
    assert found['max_slip_m'] < 0.03


def test_all_options_of_the_issue_together(capsys):
    out, _, code = reported(
        capsys, '--robot', 'b', '--terrain', 'bump:0.02m', '--params', 'literal', '--contact',
        'thesis', '--signals', 'thesis', '--seed', '3', '--time', '1s', '--json',
    )  # fmt: skip
    assert code == 0
    assert json.loads(out)['mean_speed_m_s'] is None


def test_the_same_words_give_the_same_walk(capsys):
    words = ('--terrain', 'very-rough', '--seed', '5', '--time', '1s', '--noise', '0.2', '--json')
    assert reported(capsys, *words)[0] == reported(capsys, *words)[0]


def test_a_walk_is_reported_to_people_too(capsys):
    out, _, code = reported(capsys, '--time', '4s')
    assert code == 0
    assert 'mean_speed_m_s' in out


def test_a_page_is_drawn(capsys, tmp_path):
    target = tmp_path / 'page.png'
    _, _, code = reported(capsys, '--time', '0.5s', '--plot', str(target))
    assert code == 0
    assert target.read_bytes()[:4] == b'\x89PNG'


def test_sets_of_ones_own_are_taken(capsys, tmp_path):
    path = tmp_path / 'mine.yaml'
    path.write_text('biped_sets: 1\nsets: {mine: {robot: c}}\n')
    _, err, code = reported(capsys, '--sets', str(path), '--params', 'mine')
    assert code == 2
    assert "line 2: field 'sets.mine.robot'" in err


@pytest.mark.parametrize(
    ('words', 'sentence'),
    [
        (('--terrain', 'swamp'), "there is no ground 'swamp'"),
        (('--params', 'best'), "has no parameters 'best', choose one of literal, tuned"),
        (('--plot', 'page.doc'), 'must end in .png'),
        (('--control-step', '0.5ms'), 'must tick every so many steps'),
        (('--time', 'long'), 'is not a time'),
        (('--contact', 'thesis', '--friction', '0.5'), 'leave out --friction'),
        (('--step', '5ms', '--control-step', '5ms'), 'must be from 1e-5 to 0.004 s'),
    ],
)
def test_what_cannot_be_is_one_sentence(capsys, words, sentence):
    out, err, code = reported(capsys, *words)
    assert (out, code) == ('', 2)
    assert sentence in err
    assert len(err.splitlines()) == 1


@pytest.fixture
def graph(monkeypatch):
    """Replace the graph: record what was requested, or raise a given error."""
    graph = SimpleNamespace(requested={}, error=None)

    def run_biped_in_graph(*_, **requested):
        graph.requested.update(requested)
        if graph.error:
            raise graph.error
        return make_dataclass('Walk', ['fell'])(False)

    module = SimpleNamespace(run_biped_in_graph=run_biped_in_graph)
    monkeypatch.setitem(sys.modules, 'walking_robots.nodes.biped.trial', module)
    return graph


def test_only_the_path_of_a_file_is_made_absolute_for_the_graph(capsys, graph, tmp_path):
    (tmp_path / 'hill.yaml').write_text('points: [[0m, 0m], [1m, 4cm]]\n')
    (tmp_path / 'away').mkdir()
    away = tmp_path / 'away' / '..' / 'hill.yaml'
    for words in ('bump:0.08m', 'slope:2.5deg', 'very-rough'):
        assert reported(capsys, '--terrain', words, '--graph', 'composed')[2] == 0
        assert graph.requested['simulation']['terrain'] == words
    assert reported(capsys, '--terrain', str(away), '--graph', 'composed')[2] == 0
    assert graph.requested['simulation']['terrain'] == str(tmp_path / 'hill.yaml')


def test_the_graph_is_refused_what_a_plain_walk_is(capsys, graph):
    for how in ('composed', 'distributed'):
        plain, found = (
            reported(capsys, '--step', '3ms', *more) for more in ((), ('--graph', how))
        )
        assert found == plain
        assert found[2] == 2 and 'must tick every so many steps' in found[1]
    assert graph.requested == {}


@pytest.mark.parametrize(
    ('module', 'name'), [('node', 'ConfigurationError'), ('trial', 'TrialError')]
)
def test_what_the_graph_says_is_one_sentence(capsys, graph, module, name):
    nodes = pytest.importorskip(f'walking_robots.nodes.common.{module}')
    graph.error = getattr(nodes, name)('biped_sim: no.')
    assert reported(capsys, '--graph', 'composed') == ('', 'walking_robots: biped_sim: no.\n', 2)


SPATIAL_FIELDS = [
    'fell', 'fall_time_s', 'distance_m', 'heading_error_rad', 'max_slip_m', 'felt_slip_m', 'steps',
    'mean_speed_m_s', 'mean_height_m', 'roll_min_deg', 'roll_max_deg', 'pitch_min_deg',
    'pitch_max_deg', 'trace_sha256',
]  # fmt: skip


def test_a_walk_in_space_takes_pushes_turns_and_slopes(capsys):
    words = (
        '--robot', 'b3d', '--terrain', 'slope:5deg', '--slope-heading', '90deg', '--push', '10N',
        '--push-from', '90deg', '--turn', '5deg/s', '--noise', '0.5', '--seed', '3', '--time',
        '2s', '--json',
    )  # fmt: skip
    out, err, code = reported(capsys, *words)
    assert (code, err) == (0, '')
    found = json.loads(out)
    assert [name for name in found if name in SPATIAL_FIELDS] == SPATIAL_FIELDS
    assert reported(capsys, *words)[0] == out


def test_cells_are_ground_in_space(capsys):
    words = ('--terrain', 'cells:1cm', '--time', '1s', '--json')
    out, _, code = reported(capsys, '--robot', 'b3d', *words)
    assert code == 0
    assert json.loads(out)['steps'] > 2


def test_a_push_is_a_force_or_a_time_and_a_force(capsys):
    walks = []
    for words in (
        ('--push', '4', '20'), ('--push', '20N@4s'), ('--push', '-20', '--push-from', '0deg'),
        ('--push', '20'),
    ):  # fmt: skip
        out, _, _ = reported(capsys, *words, '--time', '5s', '--seed', '7', '--json')
        walks.append(json.loads(out)['trace_sha256'])
    assert walks[0] == walks[1]
    assert walks[0] != walks[2] == walks[3], 'at a time by the seed, and from ahead by less than 0'


@pytest.mark.parametrize(
    ('words', 'sentence'),
    [
        (('--turn', '5deg/s'), 'only robots in space have --turn'),
        (('--stop-at', '5s'), 'only robots in space have --stop-at'),
        (('--robot', 'b3d', '--delay', '5ms'), 'only robots in a plane have --delay'),
        (('--robot', 'b3d', '--contact', 'thesis'), 'only robots in a plane have --contact'),
        (('--push-from', '90deg'), '--push-from has no effect without --push'),
        (('--push', '9N', '--push-from', '90deg'), 'from behind or ahead'),
        (('--push', 'hard'), "'hard' is not a force"),
    ],
)
def test_what_a_robot_has_not_is_refused(capsys, words, sentence):
    _, err, code = reported(capsys, *words)
    assert code == 2
    assert sentence in err
