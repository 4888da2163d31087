"""Test that any kind of document is read, and its mistakes explained, by one reader."""

from pathlib import Path
from typing import Annotated, Self

import pytest
from pydantic import Field, model_validator

from walking_robots.documents.fields import DocumentPart, within
from walking_robots.documents.reader import Reader


class CageError(ValueError):
    pass


class Bird(DocumentPart):
    name: str
    weight: Annotated[float, within(0.0, 20.0, 'from 0 to 20 kg')] = 1.0
    from_: str = Field('here', alias='from')


class Cage(DocumentPart):
    size: tuple[int, int]
    door: Bird | None = None
    birds: list[Bird] | None = None
    guests: dict[str, Bird] | None = None

    @model_validator(mode='after')
    def _fit(self) -> Self:
        if self.birds and len(self.birds) > self.size[0]:
            raise ValueError(f'birds.{self.size[0]}: must fit in')
        return self


READER = Reader(
    Cage,
    CageError,
    title='cage file',
    example='size: [1, 2]',
    folder='config/cages',
    shorter='keep fewer birds',
    remedies={'size': 'write two numbers', 'weight': 'write a weight', 'birds': 'let one go'},
)


def test_a_good_document(tmp_path: Path) -> None:
    text = 'size: [1, 2]\nbirds:\n- {name: wren, weight: 0.01, from: afar}\n'
    (tmp_path / 'cage.yaml').write_bytes(b'\xef\xbb\xbf' + text.encode())
    cage = READER.load(tmp_path / 'cage.yaml')
    assert cage == READER.parse(text, 'text')
    assert cage.birds == [Bird.model_validate({'name': 'wren', 'weight': 0.01, 'from': 'afar'})]


WRONG = {
    'size: [1, 2]\nsise: 3': "line 2: field 'sise' is not a field of a cage file; "
    'use one of size, door, birds, guests.',
    'size: [1, 2]\nbirds:\n- name: wren\n  colour: 1': "line 4: field 'birds[0].colour' is not a "
    'field of a cage file; use one of name, weight, from.',
    'size: [1, 2]\ndoor: {nome: wren, name: x}': "line 2: field 'door.nome' is not a field of a "
    'cage file; use one of name, weight, from.',
    'size: [1, 2]\nguests:\n  door:\n    nome: wren\n    name: x': 'line 4: field '
    "'guests.door.nome' is not a field of a cage file; use one of name, weight, from.",
    'door: {name: wren}': "line 1: field 'size' is missing; write two numbers.",
    'size: [1, 2]\nbirds:\n- {name: wren,\n   weight: 30}': "line 4: field 'birds[0].weight' must "
    'be from 0 to 20 kg; write a weight.',
    'size: [1, 2]\nbirds:\n- name: wren\n- name: owl': "line 4: field 'birds[1]' must fit in; "
    'let one go.',
    'size: [1, 2]\ndoor: {name: 3}': "line 2: field 'door.name' must be a valid string; "
    'see config/cages for examples.',
    '- 1': "line 1: must be a list of fields such as 'size: [1, 2]'; "
    'see config/cages for examples.',
    'size: [1,\n2}': 'line 2: is not valid YAML',
}


@pytest.mark.parametrize(('text', 'message'), WRONG.items())
def test_a_mistake_is_one_sentence(text: str, message: str) -> None:
    with pytest.raises(CageError) as caught:
        READER.parse(text, 'my.yaml')
    assert str(caught.value).startswith(f'my.yaml, {message}')


def test_the_first_mistake_is_reported() -> None:
    with pytest.raises(CageError, match=r"line 2: field 'a'"):
        READER.parse('size: [1, 2]\na: 1\nb: 2', 'my.yaml')


def test_files_that_cannot_be_read(tmp_path: Path) -> None:
    with pytest.raises(CageError, match=r'no such file.*; give the path of a cage file in YAML'):
        READER.load(tmp_path / 'no.yaml')
    with pytest.raises(CageError, match='not a path'):
        READER.load('a\0b')
    (tmp_path / 'latin.yaml').write_bytes(b'# a\n# \xe9\n')
    with pytest.raises(CageError, match=r'latin\.yaml, line 2: is not UTF-8'):
        READER.load(tmp_path / 'latin.yaml')
    (tmp_path / 'long.yaml').write_bytes(b'#' * 4_000_001)
    with pytest.raises(CageError, match=r'long\.yaml: is longer than 4 MB; keep fewer birds'):
        READER.load(tmp_path / 'long.yaml')


def test_what_a_later_check_finds_is_reported_in_the_same_way() -> None:
    text = 'size: [1, 2]\nbirds:\n- {name: wren,\n   weight: 3}'
    error = READER.mistake(text, 'my.yaml', ('birds', 0, 'weight'), 'must be less; write 2')
    assert isinstance(error, CageError)
    assert str(error) == "my.yaml, line 4: field 'birds[0].weight' must be less; write 2."
    requested = READER.mistake(text, 'my.yaml', ('birds', 0, 'name'), "is strange; is it 'owl'?")
    assert str(requested) == "my.yaml, line 3: field 'birds[0].name' is strange; is it 'owl'?"
