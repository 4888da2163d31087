"""Every path that a document names in code style exists."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
DOCUMENTS = [ROOT / 'README.md', *sorted((ROOT / 'docs').glob('*.md'))]
PLACES = (ROOT, ROOT / 'walking_robots')


@pytest.mark.parametrize('document', DOCUMENTS, ids=lambda path: path.name)
def test_every_path_of_code_exists(document: Path) -> None:
    paths = set(re.findall(r'`([a-z_]+(?:/[a-z_0-9]+)+\.py)`', document.read_text()))
    missing = [path for path in paths if not any((place / path).is_file() for place in PLACES)]
    assert missing == []
