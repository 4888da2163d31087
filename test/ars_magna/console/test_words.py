"""Words of a line: numbers and specifications."""

import pytest

from walking_robots.ars_magna.console.words import (
    choice,
    count,
    designator_type,
    real,
    specification_of,
)
from walking_robots.ars_magna.sensing.attributes import STANDARD, Attribute
from walking_robots.ars_magna.sensing.specifications import specification

KNOWN = {**STANDARD, 'key_number': Attribute('key_number', (1.0, 2.0))}


@pytest.mark.parametrize(
    ('word', 'entry'),
    [
        ('size=5', ('size', 5)),
        ('SIZE=-1.5', ('size', -1.5)),
        ('size=1~2', ('size', 1, 2)),
        ('size=3..5', ('size', (3, 5))),
        ('size=-3..-1~.5', ('size', (-3, -1), 0.5)),
        (':color=red', ('color', 'red')),
        ('color=red|light-blue', ('color', ('red', 'light-blue'))),
        ('obsmove=TRUE', ('obsmove', True)),
        ('obsview=true|false', ('obsview', (True, False))),
        ('substance=wood', ('substance', 'wood')),
        ('substance=wood|metal', ('substance', ('wood', 'metal'))),
        ('substance=100..130', ('substance', (100, 130))),
        ('key-number=1|2', ('key_number', (1, 2))),
    ],
)
def test_a_word_says_what_a_thing_must_be(word, entry):
    assert specification_of([word], KNOWN) == (entry,)
    if 'light-blue' not in word:
        specification([entry], KNOWN)


@pytest.mark.parametrize(
    ('word', 'reason'),
    [
        ('size', 'is no specification; write for example size=5'),
        ('=5', 'is no specification'),
        ('size=', 'is no specification'),
        ('sise=5', "did you mean 'size'"),
        ('size=3|5', 'write a range such as size=3..5'),
        ('size=3..x', "a finite number is needed, not 'x'"),
        ('size=1~big', "a finite number is needed, not 'big'"),
        ('color=red~1', "'color' is no number"),
        ('color=1..2', "'color' is no number"),
    ],
)
def test_a_wrong_word_is_refused_in_a_sentence(word, reason):
    with pytest.raises(ValueError, match=reason):
        specification_of([word], KNOWN)


def test_numbers_and_choices_are_read_strictly():
    assert (real('-1e3'), count('12'), choice('LEFT', ('left', 'right'))) == (-1000, 12, 'left')
    assert [designator_type(word) for word in ('Local', 'nonlocal', 'non-local')] == [
        'local',
        'non-local',
        'non-local',
    ]
    for read, word in ((real, 'inf'), (real, 'nan'), (count, '-1'), (count, '1.5'), (count, '²')):
        with pytest.raises(ValueError, match='is needed'):
            read(word)
    for word in ('1000000000', 5000 * '9'):
        with pytest.raises(ValueError, match='a whole number up to 999999999 is needed'):
            count(word)
    with pytest.raises(ValueError, match="local or non-local is needed, not 'near'"):
        designator_type('near')


@pytest.mark.parametrize(
    ('text', 'entries'),
    [
        ('((:size 5))', (('size', 5.0),)),
        ('((:SIZE (3 5) 2) (:color (red blue)))', ((
            'size', (3.0, 5.0), 2.0), ('color', ('red', 'blue')))),
        ('( (:obsmove t) (:obsview nil) )', (('obsmove', True), ('obsview', False))),
    ],
)  # fmt: skip
def test_a_list_in_the_manual_s_form_is_read(text, entries):
    found = specification_of(text.split(), STANDARD)
    assert specification(found, STANDARD) == specification(entries, STANDARD)


@pytest.mark.parametrize('text', ['((:size 5)', '(:size 5)', '((:size 5)))', '(5)', '((size))'])
def test_a_list_that_is_none_is_refused_with_an_example(text):
    with pytest.raises(ValueError, match=r'is no list of entries; write for example \(\(:size 5'):
        specification_of(text.split(), STANDARD)
