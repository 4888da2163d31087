"""Read files of biped parameters; a wrong file is refused with its line and the remedy."""

from dataclasses import asdict, dataclass
from pathlib import Path
from typing import get_args

import yaml

from walking_robots.documents.reader import Reader
from walking_robots.documents.shared import shared_path
from walking_robots.gaits.biped.parameter_schema import REMEDIES, BipedDocument, Ground
from walking_robots.gaits.biped.parameters import LISTED_WAYS, WalkParameters
from walking_robots.gaits.biped.spatial.parameters import SpatialParameters

GROUNDS: tuple[str, ...] = get_args(Ground)
"""The classes of ground for which a file chooses sets."""
SHIPPED = 'config/gaits/biped.yaml'


class BipedFileError(ValueError):
    """Say in one sentence which file, line and field is wrong, why, and what to write."""


_READER = Reader(
    BipedDocument,
    BipedFileError,
    title='file of biped parameters',
    example='biped_sets: 1',
    folder='config/gaits',
    shorter='leave out what is no set of parameters',
    remedies=REMEDIES,
)


@dataclass(frozen=True)
class ParameterSets:
    """The sets of a file, by name, and which is taken on which ground."""

    document: BipedDocument

    def names(self, robot: str) -> tuple[str, ...]:
        """Return the names of a robot's sets, by its letter."""
        return tuple(name for name in self.document.sets if self.document.robot_of(name) == robot)

    def find(self, robot: str, kind: str, ground: str) -> tuple[str, WalkParameters]:
        """Return name and parameters for a robot by its letter.

        kind: one of the choices, such as literal or tuned, with a class of ground, or the name of
        a set. Raises ValueError, one sentence, for what is none of these.
        """
        name = self.document.choices.get(kind, {}).get(robot, {}).get(ground, kind)  # type: ignore[call-overload]
        if name not in self.names(robot):
            known = ', '.join((*self.document.choices, *self.names(robot)))
            raise ValueError(f"robot {robot} has no parameters '{kind}', choose one of {known}")
        return name, self.document.parameters(name)


def spatial_set(sets: ParameterSets, robot: str, kind: str, ground: str) -> SpatialParameters:
    """Return the parameters of a robot in space, found as by `ParameterSets.find`."""
    name, parameters = sets.find(robot, kind, ground)
    if not isinstance(parameters, SpatialParameters):
        raise ValueError(f"the set '{name}' is not for a robot in space")
    return parameters


def find_sets(words: str, robot: str, path: str | Path | None = None) -> tuple[str, ParameterSets]:
    """Return which set is meant, and the sets of a file, or those that are installed.

    words: as for `ParameterSets.find`, or a file, whose last set for a robot by its letter is
    meant. Raises ValueError, one sentence, where it cannot be read or has none.
    """
    if not Path(words).suffix:
        return words, shipped_sets() if path is None else load_sets(path)
    if path is not None:
        raise ValueError(f'{words} and {path} are two files of parameters; name one of them')
    sets = load_sets(words)
    names = sets.names(robot)
    if not names:
        raise ValueError(f'{words} has no set for robot {robot}; give it one')
    return names[-1], sets


def load_sets(path: str | Path) -> ParameterSets:
    """Read a file of parameters.

    Raises BipedFileError when it cannot be read or is not such a file.
    """
    return ParameterSets(_READER.load(path))


def parse_sets(text: str, name: str = 'parameters') -> ParameterSets:
    """Read parameters from YAML text; ``name`` stands for the file in errors.

    Raises BipedFileError when the text is not such a file.
    """
    return ParameterSets(_READER.parse(text, name))


def write_set(path: Path, robot: str, parameters: WalkParameters) -> None:
    """Write a file with one set, named after the file."""
    numbers = asdict(parameters)
    ways = numbers.pop('ways')
    listed = asdict(LISTED_WAYS[robot])
    own = {name: value for name, value in ways.items() if value != listed[name]}
    part = {'robot': robot, **numbers, **({'ways': own} if own else {})}
    content = {'biped_sets': 1, 'sets': {path.stem: part}}
    path.write_text(yaml.safe_dump(content, sort_keys=False))


def shipped_sets() -> ParameterSets:
    """Read the sets that are installed beside the code."""
    return load_sets(shared_path(SHIPPED))
