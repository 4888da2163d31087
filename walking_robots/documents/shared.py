"""Find the files that are installed beside the code."""

from os.path import isfile
from pathlib import Path

_PACKAGE = 'walking_robots'


def shared_path(relative: str) -> Path:
    """Return the path of a file that is installed beside the code, such as 'urdf/asv.urdf.xacro'.

    Looks in the source checkout and in the share directory of every prefix around the code.
    Raises FileNotFoundError with one sentence when neither has it.
    """
    for folder in Path(__file__).resolve().parents:
        for root in (folder, folder / 'share' / _PACKAGE):
            if isfile(root / relative):
                return root / relative
    raise FileNotFoundError(f'{relative} is missing, install {_PACKAGE} with its data files')
