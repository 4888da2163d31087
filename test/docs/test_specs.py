"""Every section of a specification that the code cites exists."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
SPECS = {path.name: path for path in (ROOT / 'docs' / 'specs').glob('*.md')}
CITATION = re.compile(
    r'(?:(\w+\.md) )?§§?(\d+(?:\.\d+)*)(?:\s*(?:-|–|to|and|,)\s*§?(\d+(?:\.\d+)+))?'
)
HEADING = re.compile(r'#+ (\d+(?:\.\d+)*)')
ITEM = re.compile(r'(?:\| *|\*\*|\()?(?:\d+\.)?(\d+)(?:\.|\)| *\|)')

# The specification that a module means where it names none.
DEFAULTS = (
    ('ars_magna', 'ars_magna.md'),
    ('worlds', 'ars_magna.md'),
    ('mdle', 'mdle.md'),
    ('virtual_robots', 'mdle.md'),
    ('scout', 'scout_protocol.md'),
    ('biped', 'biped.md'),
    ('kwalk', 'biped.md'),
    ('profile', 'biped.md'),
    ('aquarobot', 'aquarobot.md'),
    ('', 'asv.md'),
)


def sections(name: str) -> set[str]:
    """Return the numbers of all sections of a specification, and of the items of their lists."""
    found: set[str] = set()
    section = ''
    for line in SPECS[name].read_text().splitlines():
        heading, item = HEADING.match(line), ITEM.match(line)
        if heading:
            section = heading[1]
            found.add(section)
        elif item and section:
            found.add(f'{section}.{item[1]}')
    return found


def citations(path: Path) -> list[tuple[str, str]]:
    """Return (specification, section) of every citation in a file."""
    relative = str(path.relative_to(ROOT))
    meant = next(name for part, name in DEFAULTS if part in relative)
    found = []
    for name, first, last in CITATION.findall(path.read_text()):
        meant = name or meant
        found += [(meant, number) for number in (first, last) if number]
    return found


@pytest.mark.parametrize('folder', ['walking_robots', 'benchmarks', 'config', 'urdf'])
def test_every_cited_section_exists(folder: str) -> None:
    known = {name: sections(name) for name in SPECS}
    files = [
        path
        for path in (ROOT / folder).rglob('*')
        if path.suffix in ('.py', '.yaml', '.mdle', '.lark', '.xacro')
    ]
    missing = [
        f'{path.relative_to(ROOT)}: {name} §{number}'
        for path in files
        for name, number in citations(path)
        if number not in known.get(name, ())
    ]
    assert missing == []


def test_all_six_specifications_are_here() -> None:
    assert set(SPECS) == {
        'aquarobot.md', 'ars_magna.md', 'asv.md', 'biped.md', 'mdle.md', 'scout_protocol.md',
    }  # fmt: skip


@pytest.mark.parametrize('name', SPECS)
def test_a_specification_refers_to_nothing_outside_the_repository(name: str) -> None:
    assert not re.search(r'\.\./(seeds|specs|shared)|shared/', SPECS[name].read_text())
