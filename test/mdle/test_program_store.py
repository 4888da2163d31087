"""Programs found by name: whatever the name and the file, one sentence says what is wrong."""

import pytest

from walking_robots.mdle.program_store import ProgramStore


@pytest.fixture
def store(tmp_path):
    (tmp_path / 'plans').mkdir()
    (tmp_path / 'plans' / 'follow.mdle').write_text('mdle 1;')
    (tmp_path / 'secret.mdle').write_text('mdle 1;')
    return ProgramStore([tmp_path / 'plans'])


@pytest.mark.parametrize('name', ['follow', 'follow.mdle', './follow'])
def test_a_program_is_found_by_name(store, name):
    text, form, path = store.read(name)
    assert (text, form) == ('mdle 1;', 'mdle')
    assert path.endswith('plans/follow.mdle')


@pytest.mark.parametrize(
    'name',
    ['', 'lead', '../secret', 'a' * 300, 'a/' * 500_000, 'a\0b', 'follow.mdle/x'],
    ids=['none', 'other', 'outside', 'long', 'deep', 'zero', 'below a file'],
)
def test_a_name_of_no_program_is_reported_shortly(store, name):
    with pytest.raises(ValueError, match=r'^there is no program') as caught:
        store.read(name)
    assert str(caught.value).endswith('these are there: follow')
    assert len(str(caught.value)) < 140


def test_links_in_a_circle_are_no_program(store):
    folder = store.folders[0]
    (folder / 'round.mdle').symlink_to(folder / 'round.mdle')
    with pytest.raises(ValueError, match=r"^there is no program 'round'"):
        store.find('round')


def test_a_file_is_read_only_where_it_is_of_a_size_that_can_be_a_program(store):
    path = store.folders[0] / 'long.mdle'
    path.write_bytes(b'#' * 1_000_000)
    assert len(store.read('long')[0]) == 1_000_000
    # A file with a hole: as long as it is, it takes no space, and is not to take memory either.
    with path.open('r+b') as file:
        file.truncate(1 << 40)
    with pytest.raises(ValueError, match=r'long\.mdle: is longer than 1 MB; split it up$'):
        store.read('long')


def test_a_file_that_is_no_text_cannot_be_read(store):
    (store.folders[0] / 'binary.mdle').write_bytes(b'\xff\xfe')
    with pytest.raises(ValueError, match=r'binary\.mdle, line 1: is not UTF-8'):
        store.read('binary')
