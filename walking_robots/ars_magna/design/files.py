"""Read the files of a design; a wrong one is refused with its line and the remedy."""

import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

import yaml

from walking_robots.ars_magna.design.assembly import assemble
from walking_robots.ars_magna.design.behaviors import Behaviors
from walking_robots.ars_magna.design.bodies import Known
from walking_robots.ars_magna.design.definitions import BehaviorFinder, kicker
from walking_robots.ars_magna.design.model import Kicker, WorldDesign
from walking_robots.ars_magna.design.places_in_files import PlacedError
from walking_robots.ars_magna.design.schema import REMEDIES, DesignDocument, KickerPart
from walking_robots.ars_magna.inputs import normal_name
from walking_robots.documents.markup import read_markup
from walking_robots.documents.reader import Reader


class DesignFileError(ValueError):
    """Say in one sentence which file, line and field is wrong, why, and what to write."""


class _Source(NamedTuple):
    name: str
    text: str


_READER = Reader(
    DesignDocument,
    DesignFileError,
    title='world file',
    example='ars_schema: 1',
    folder='config/worlds',
    shorter='use fewer walls and things',
    remedies=REMEDIES,
)


def load_design(*paths: str | Path, behaviors: Behaviors | None = None) -> WorldDesign:
    """Read the design of a world from one or several files (ars_magna.md §4.8).

    One file holds the world; definitions, robots and parameters may lie in others, and of what is
    defined twice the last counts. behaviors: functions that files may name, None for those of
    installed packages. Raises DesignFileError when a file cannot be read or is wrong.
    """
    if not paths:
        raise DesignFileError('no file is given; give the path of a world file in YAML.')
    return _design([_Source(str(path), _READER.text_of(path)) for path in paths], behaviors)


def parse_design(
    text: str, name: str = 'world', behaviors: Behaviors | None = None
) -> WorldDesign:
    """Read the design of a world from YAML text; ``name`` stands for the file in errors.

    Raises DesignFileError when the text is not such a design.
    """
    return _design([_Source(name, text)], behaviors)


def _design(sources: Sequence[_Source], behaviors: Behaviors | None) -> WorldDesign:
    documents = [_READER.parse(source.text, source.name) for source in sources]
    try:
        return assemble(documents, behaviors)
    except PlacedError as error:
        number, *place = error.place
        source = sources[int(number)]
        written = _as_written(source.text, place)
        raise _READER.mistake(source.text, source.name, written, error.reason) from None


def kicker_of(
    name: str, content: Mapping[str, object], design: WorldDesign, prototypes: Sequence[str]
) -> Kicker:
    """Read a kicker from plain data, as a file has it; raise ValueError with one sentence.

    prototypes: names of those that it may make things of.
    """
    title, known, finder = f"kicker '{name}'", design.definitions, BehaviorFinder(None)
    reader = Reader(
        KickerPart,
        DesignFileError,
        title=title,
        example="{'prob': 0.1, 'body': [{'kick': {'dx': 1}}]}",
        folder='config/worlds',
        shorter='use fewer steps',
        remedies=REMEDIES,
    )
    try:
        text = yaml.safe_dump(dict(content))
        part = reader.parse(text, title)
        try:
            names = Known(known.attributes, design.substances, prototypes)
            made = kicker(names, finder, name, part)
        except PlacedError as error:
            written = _as_written(text, error.place)
            raise reader.mistake(text, title, written, error.reason) from None
    except yaml.YAMLError:
        raise ValueError(f'{title} must be of plain data; write {reader.example}') from None
    except ValueError as error:
        # Lines are those of a file that there is not.
        raise ValueError(re.sub(r", line \d+(: field '')?", '', str(error))) from None
    known.behaviors.update(finder.used)
    return made


def _as_written(text: str, place: Sequence[str | int]) -> tuple[str | int, ...]:
    """Return a place with names as the file writes them, in capitals or with hyphens."""
    content = read_markup(text).content
    written: list[str | int] = []
    for part in place:
        if isinstance(content, dict):
            keys = {normal_name(key): key for key in content if isinstance(key, str)}
            content = content.get(keys.get(str(part)))
            written.append(keys.get(str(part), part))
        else:
            inside = isinstance(content, list) and isinstance(part, int) and part < len(content)
            content = content[part] if inside else None
            written.append(part)
    return tuple(written)
