"""Read documents into checked models; a mistake is one sentence with its line and the remedy."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Generic, TypeVar, get_args, get_origin

from pydantic import BaseModel, ValidationError

from walking_robots.documents.files import read_text
from walking_robots.documents.markup import Document, MarkupError, read_markup

LARGEST_FILE = 4_000_000
"""Bytes; a drawn terrain of 1000 x 1000 cells takes about a quarter of it."""

Model = TypeVar('Model', bound=BaseModel)


@dataclass(frozen=True)
class Reader(Generic[Model]):
    """Reads one kind of document; whatever is wrong with one is raised as ``error``.

    model: what a document says, checked; title: what its file is called, as in 'terrain file';
    example: a field or two, as they open such a file; folder: where examples lie; shorter: how to
    make a file that is too long shorter; remedies: what to write, by name of field. A validator of
    the whole model begins its message with the dotted place, as in 'ditches.0: must ...'.
    """

    model: type[Model]
    error: type[ValueError]
    title: str
    example: str
    folder: str
    shorter: str
    remedies: Mapping[str, str]

    def load(self, path: str | Path) -> Model:
        """Read a file.

        Raises the reader's error when it cannot be read or is not such a document.
        """
        return self.parse(self.text_of(path), str(path))

    def text_of(self, path: str | Path) -> str:
        """Return the text of a file; raises the reader's error when it cannot be read."""
        try:
            return read_text(
                path, f'a {self.title} in YAML', largest=LARGEST_FILE, shorter=self.shorter
            )
        except ValueError as error:
            raise self.error(f'{error}.') from None

    def parse(self, text: str, name: str) -> Model:
        """Read a text; ``name`` stands for the file in errors.

        Raises the reader's error when the text is not such a document.
        """
        if len(text) > LARGEST_FILE:
            raise self.error(
                f'{name}: is longer than {LARGEST_FILE // 1_000_000} MB; {self.shorter}.'
            )
        try:
            document = read_markup(text)
        except MarkupError as error:
            raise self.error(f'{name}, line {error.line}: {error.reason}.') from None
        if not isinstance(document.content, dict):
            raise self.error(
                f"{name}, line 1: must be a list of fields such as '{self.example}'; "
                f'see {self.folder} for examples.'
            )
        try:
            return self.model.model_validate(document.content)
        except ValidationError as error:
            raise self.error(f'{name}, {self._explain(error, document)}.') from None

    def mistake(
        self, text: str, name: str, place: tuple[str | int, ...], reason: str
    ) -> ValueError:
        """Return the error for what is wrong at a place of a text that could be read.

        reason: goes on after the field, with the remedy, as in 'must be ...; write ...'.
        """
        line = read_markup(text).line(place)
        end = '' if reason.endswith('?') else '.'
        return self.error(f"{name}, line {line}: field '{_dotted(place)}' {reason}{end}")

    def _explain(self, error: ValidationError, document: Document) -> str:
        """Return line, field, reason and remedy of the first mistake."""
        found = []
        for item in error.errors(include_url=False, include_input=False):
            place = tuple(
                part for part in item['loc'] if document.knows(part) or part in self.remedies
            )
            message = item['msg'].removeprefix('Value error, ')
            if not item['loc'] and ': ' in message:
                field, message = message.split(': ', 1)
                place = tuple(int(part) if part.isdigit() else part for part in field.split('.'))
            if item['type'] == 'extra_forbidden':
                message = f'is not a field of a {self.title}'
            elif item['type'] == 'missing':
                message = 'is missing'
            found.append((document.line(place), place, message, item['type']))
        # 'flat' or a list of points: whoever wrote a list wants to hear about its points.
        errors = [
            entry
            for entry in found
            if entry[3] != 'literal_error'
            or not any(
                len(other[1]) > len(entry[1]) and other[1][: len(entry[1])] == entry[1]
                for other in found
            )
        ]
        line, place, message, kind = min(errors, key=lambda entry: entry[0])
        names = [str(part) for part in place if isinstance(part, str)]
        if kind == 'extra_forbidden':
            remedy = 'use one of ' + ', '.join(_siblings(self.model, names))
        else:
            known = [name for name in names if name in self.remedies]
            remedy = self.remedies[known[-1]] if known else f'see {self.folder} for examples'
        reason = message[:1].lower() + message[1:]
        return f"line {line}: field '{_dotted(place)}' {_verb(reason)}; {remedy}"


def _siblings(model: type[BaseModel], names: list[str]) -> list[str]:
    """Return the fields that may stand where the last of `names` stands."""
    is_key = False
    for name in names[:-1]:
        if is_key:
            is_key = False
            continue
        field = next((f for k, f in model.model_fields.items() if name in (k, f.alias)), None)
        inner = field and _model_in(field.annotation)
        if not field or not inner:
            break
        model = inner
        is_key = _is_by_name(field.annotation)
    return [field.alias or name for name, field in model.model_fields.items()]


def _is_by_name(annotation: Any) -> bool:
    """Return whether a field holds parts by names that a person gives."""
    return get_origin(annotation) is dict or any(map(_is_by_name, get_args(annotation)))


def _model_in(annotation: Any) -> type[BaseModel] | None:
    """Return the part of a document that a field holds, however it is wrapped."""
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        return annotation
    return next(filter(None, map(_model_in, get_args(annotation))), None)


def _dotted(place: tuple[str | int, ...]) -> str:
    """Return a place as people write it: ditches[0].width."""
    text = ''
    for part in place:
        text += f'[{part}]' if isinstance(part, int) else f'.{part}' if text else part
    return text if len(text) <= 60 else text[:57] + '...'


def _verb(reason: str) -> str:
    """Return the reason so that it continues a sentence about the field."""
    reason = reason.replace('input should be', 'must be')
    opening = reason.split(' ', 1)[0]
    return reason if opening in ('must', 'is', 'says', 'cannot') else f'is wrong: {reason}'
