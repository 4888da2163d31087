"""The thesis's own files of terrain."""

import pytest

from walking_robots.terrain.profile import ROUGH_UNITS, rough
from walking_robots.terrain.profile_files import ProfileFileError, load_profile
from walking_robots.terrain.profile_listing import parse_listing

HEADER = """#xresolution 0.10
#yresolution 0.10
#zresolution 0.01
#downdimension 56
#acrossdimension 5
#xdown
#regionmode
#xoffset -3.0
#yoffset -2.0
#beginterrain
"""
ROWS = [f'{units:02} ' * 5 for units in ROUGH_UNITS]
TEXT = HEADER + '\n'.join(ROWS) + '\n###\nwhatever follows'


def test_the_listing_of_the_thesis_is_its_rough_ground():
    assert parse_listing(TEXT) == rough()
    assert parse_listing(TEXT.replace('zresolution 0.01', 'zresolution 0.02')) == rough(0.02)


def test_directives_may_do_without_their_mark():
    assert parse_listing(TEXT.replace('#', '').replace('\nwhatever follows', '')) == rough()


def test_rows_may_run_along_x():
    turned = HEADER.replace('xdown', 'ydown').replace('downdimension 56', 'downdimension 5')
    turned = turned.replace('acrossdimension 5', 'acrossdimension 56')
    rows = '\n'.join([' '.join(map(str, ROUGH_UNITS))] * 5)
    assert parse_listing(turned + rows) == rough()


def test_ground_may_begin_again():
    ground = parse_listing(TEXT.replace('regionmode', 'doghnutmode'))
    assert 0.0 < ground.height(0.72) == pytest.approx(ground.height(5.6 + 0.72))


def test_a_file_of_the_thesis_is_known_by_its_ending(tmp_path):
    path = tmp_path / 'rough.ter'
    path.write_text(TEXT)
    assert load_profile(path) == rough()
    path.write_text('')
    with pytest.raises(ProfileFileError, match='xresolution is missing'):
        load_profile(path)


@pytest.mark.parametrize(
    ('old', 'new', 'sentence'),
    [
        ('xresolution 0.10', 'xresolution 0', 'line 1: xresolution must be from 0.001'),
        ('#downdimension 56\n', '', 'downdimension is missing'),
        ('#downdimension 56', '#downdimension 5.5', 'line 4: downdimension must be a whole'),
        ('#xdown', '#sideways', "line 6: 'sideways' is no directive; use one of"),
        ('#xoffset -3.0', '#xoffset left', 'line 8: xoffset needs one number'),
        ('#beginterrain', '', 'line 11: .* is no directive'),
        ('#downdimension 56', '#downdimension 0', 'downdimension must be greater than zero'),
        ('zresolution 0.01', 'zresolution 1e300', 'zresolution must be from 0 to 1 m'),
        ('#xoffset -3.0', '#xoffset -1e300', 'xoffset must be within 10000 cells'),
        ('04 04 04 04 04', '99999 99999 99999 99999 99999', 'must have heights within 10000'),
        ('04 04 04 04 04', '04 04 04 04', 'must have 56 rows of 5 heights'),
        ('04 04 04 04 04', '04 04 04 04 05', 'the same along y'),
        ('04 04 04 04 04', '04 04 04 04 4.5', 'must be whole numbers or ###'),
    ],
)
def test_a_wrong_listing_is_one_sentence(old, new, sentence):
    assert old in TEXT
    with pytest.raises(ValueError, match=sentence) as caught:
        parse_listing(TEXT.replace(old, new))
    assert '\n' not in str(caught.value)
