"""The command that plays motion files of Aquarobot."""

import json

import pytest

from walking_robots.cli import main
from walking_robots.simulation.aquarobot.views import VIEWS

PNG = b'\x89PNG\r\n\x1a\n'


def call(capsys, *arguments):
    with pytest.raises(SystemExit) as ended:
        main(['aquarobot', 'play', *map(str, arguments)])
    captured = capsys.readouterr()
    return int(ended.value.code or 0), captured.out, captured.err


def moves(capsys, *arguments):
    code, out, err = call(capsys, *arguments, '--json')
    assert (code, err) == (0, '')
    return [json.loads(line) for line in out.splitlines()]


def test_a5_the_session_of_the_thesis(capsys):
    [reported] = moves(capsys, 'session_1993')
    assert reported['move'] == 1 and reported['answer'] is True
    assert reported['motion_complete'] == [True, True, False, True, True, True]
    assert reported['limit_flags'][2] == [False, True, False]
    assert reported['residual_rad'][2] == pytest.approx([0, 0.0778270, 0], abs=1e-6)
    assert reported['points_cm'][2][3] == pytest.approx(
        [-62.698147, 93.569694, -10.877924], abs=1e-6
    )
    assert reported['support'] == [True, True, False, True, True, True]


def test_a_table_for_people(capsys):
    code, out, _ = call(capsys, 'session_1993')
    heading, row = out.splitlines()
    assert code == 0 and 'on ground' in heading
    wanted = '1 0.00 0.00 -54.18 0.00 0.00 0.00 3.2 1 2 4 5 6 yes'
    assert ' '.join(row.split()) == wanted


def test_every_move_is_reported_and_feet_that_slip_are_not_feasible(capsys):
    found = moves(capsys, 'tripod_step', '--height', 'analytic')
    assert [reported['move'] for reported in found] == list(range(1, 16))
    assert all(all(reported['feasible']) for reported in found)
    ground = [all(reported['support']) for reported in found]
    assert ground == [number in (1, 2, 3, 5, 7, 11, 15) for number in range(1, 16)]
    strict = moves(capsys, 'tripod_step', '--slippage', '0', '--sinkage', '0')
    assert not all(all(reported['feasible']) for reported in strict)


def test_options_change_how_moves_are_carried_out(capsys, tmp_path):
    file = tmp_path / 'turn.csv'
    file.write_text('azimuth_deg,x_cm,leg2_joint3_deg\n90,0,0\n0,10,0\n0,10,-1\n')
    body = moves(capsys, file)
    assert body[-1]['position_cm'][:2] == pytest.approx([0, 20], abs=1e-9)
    earth = moves(capsys, file, '--increments', 'earth')
    assert earth[-1]['position_cm'][:2] == pytest.approx([20, 0], abs=1e-9)
    refused = moves(capsys, file, '--limits', 'reject')[-1]
    assert refused['position_cm'][:2] == pytest.approx([0, 10], abs=1e-9)
    assert refused['limit_flags'][1] == [False, False, True]
    printed = moves(capsys, file, '--height', 'printed')
    assert printed[0]['position_cm'][2] == -54.1819


def test_allowed_sinkage_and_slippage_carry_units(capsys, tmp_path):
    file = tmp_path / 'push.csv'
    file.write_text('x_cm,z_cm\n0.5,0.5\n')

    def feasible(*options):
        [reported] = moves(capsys, file, *options)
        return all(reported['feasible'])

    assert feasible() and feasible('--sinkage', '6mm', '--slippage', '0.006')
    assert not feasible('--sinkage', '4mm')
    assert not feasible('--slippage', '0.004')


def test_views_draw_different_pictures(capsys, tmp_path):
    pictures = []
    for view in VIEWS:
        call(capsys, 'session_1993', '--view', view, '--picture', tmp_path / 'a.png')
        pictures.append((tmp_path / 'a.png').read_bytes())
    assert len(set(pictures)) == len(VIEWS)


def test_a_file_can_be_played_as_the_listing_does(capsys, tmp_path):
    file = tmp_path / 'turn.csv'
    file.write_text('leg1_joint1_deg,leg1_joint2_deg,leg1_joint3_deg\n10,5,3\n')
    picture = tmp_path / 'old.png'
    [reported] = moves(capsys, file, '--as-printed', '--height', 'printed', '--picture', picture)
    assert reported['points_cm'][0][3] == pytest.approx([92.575587, 0, -4.283269], abs=1e-6)
    assert reported['limit_flags'][0] == [True, False, False]
    assert picture.read_bytes().startswith(PNG)


@pytest.mark.parametrize('view', VIEWS)
def test_pictures_are_the_same_each_time(capsys, tmp_path, view):
    for name in ('a.png', 'b.png', 'a.svg', 'b.svg'):
        picture = tmp_path / name
        assert call(capsys, 'raise_body', '--view', view, '--picture', picture)[0] == 0
    for suffix in ('png', 'svg'):
        one, other = ((tmp_path / f'{name}.{suffix}').read_bytes() for name in 'ab')
        assert one == other
    assert (tmp_path / 'a.png').read_bytes().startswith(PNG)
    assert '<svg' in (tmp_path / 'a.svg').read_text()


@pytest.mark.parametrize(
    ('arguments', 'reason'),
    [
        (['nothing'], "there is no motion 'nothing'; give the path of a file, or one of raise_b"),
        (['no/where.txt'], 'cannot be read (no such file or directory); give the path of a motio'),
        (
            ['session_1993', '--picture', 'a.gif'],
            'a.gif: is not a picture; its suffix must be .png or',
        ),
        (['session_1993', '--picture', '/nowhere/a.png'], 'nowhere'),
        (['session_1993', '--as-printed', '--limits', 'reject'], 'leave out --limits, --incr'),
        (['session_1993', '--view', 'below'], "'below' is not one of"),
        (['session_1993', '--sinkage', '1yard'], 'unknown unit'),
    ],
)
def test_a_mistake_is_one_sentence(capsys, arguments, reason):
    code, out, err = call(capsys, *arguments)
    assert (code, out) == (2, '') and reason in err and err.count('\n') == 1


@pytest.mark.parametrize(
    ('name', 'data', 'reason'),
    [
        ('a.txt', b'0 0 0 0 0 0 0\n1 0 0', 'line 2: the line of leg 1 has 3 numbers'),
        ('a.txt', b'\xff\xfe', 'is not UTF-8 text; save the file as UTF-8'),
        ('a.csv', b'#' * 4_000_001, 'is longer than 4 MB; write fewer moves'),
        ('a.yaml', b'', 'is not a motion file'),
    ],
    ids=['short', 'bytes', 'long', 'name'],
)
def test_a_wrong_file_is_one_sentence(capsys, tmp_path, name, data, reason):
    path = tmp_path / name
    path.write_bytes(data)
    code, out, err = call(capsys, path)
    assert (code, out) == (2, '')
    assert str(path) in err and reason in err and err.count('\n') == 1
