"""Build the documents and the API reference as a website: ``make_docs.py FOLDER``.

The README becomes the first page; each room of the package gets a page with the docstrings of all
its modules. Warnings, such as a broken link, are errors.
"""

import argparse
import shutil
import subprocess
import sys
from pathlib import Path

import yaml

ROOT = Path(__file__).resolve().parent.parent
PACKAGE = 'walking_robots'
GUIDES = (
    ('ASV', 'asv.md'),
    ('Aquarobot', 'aquarobot.md'),
    ('Your own hexapod', 'your_hexapod.md'),
    ('Real servos', 'servos.md'),
    ('Sweeps', 'sweeps.md'),
    ('Bipeds', 'biped.md'),
    ('ARS MAGNA', 'ars_magna.md'),
    ('Super Scout', 'scout.md'),
    ('MDLe', 'mdle.md'),
    ('Planner and map', 'planner.md'),
    ('Robots on a network', 'network.md'),
    ('Architecture', 'architecture.md'),
    ('Glossary', 'glossary.md'),
)


def write_sources(folder: Path) -> list[object]:
    """Write the pages into a folder and return the navigation."""
    shutil.copytree(ROOT / 'docs', folder)
    readme = (ROOT / 'README.md').read_text(encoding='utf-8')
    for folder_name in ('reference', 'specs'):
        readme = readme.replace(f'](docs/{folder_name}/)', f']({folder_name}/asv.md)')
    readme = readme.replace('](docs/', '](')
    (folder / 'index.md').write_text(readme, encoding='utf-8')
    api = folder / 'api'
    api.mkdir()
    rooms = sorted(path.parent.name for path in (ROOT / PACKAGE).glob('*/__init__.py'))
    for room in rooms:
        text = f'# {room}\n\n::: {PACKAGE}.{room}\n'
        (api / f'{room}.md').write_text(text, encoding='utf-8')
    reference, specs = (
        sorted(f'{name}/{path.name}' for path in (folder / name).glob('*.md'))
        for name in ('reference', 'specs')
    )
    return [
        {'Start': 'index.md'},
        {'Guides': [{title: name} for title, name in GUIDES]},
        {'Reference': list(reference)},
        {'Specifications': list(specs)},
        {'API': [{room: f'api/{room}.md'} for room in rooms]},
    ]


def configuration(sources: Path, site: Path, navigation: list[object]) -> dict[str, object]:
    """Return the configuration of mkdocs."""
    options = {
        'docstring_style': 'google',
        'docstring_options': {'warnings': False},
        'filters': ['!^_'],
        'heading_level': 2,
        'show_root_heading': True,
        'show_source': False,
        'show_submodules': True,
        'show_if_no_docstring': False,
    }
    handlers = {'python': {'paths': [str(ROOT)], 'options': options}}
    return {
        'site_name': PACKAGE,
        'docs_dir': str(sources),
        'site_dir': str(site),
        'nav': navigation,
        'theme': {'name': 'mkdocs', 'highlightjs': False},
        'use_directory_urls': False,
        'strict': True,
        'validation': {'links': {'anchors': 'warn'}},
        'plugins': ['search', {'mkdocstrings': {'handlers': handlers}}],
    }


def main() -> int:
    """Build the website in the folder that the command line names."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument('folder', type=Path, help='folder of the website; it is replaced')
    folder = parser.parse_args().folder.resolve()
    sources = folder.with_name(f'{folder.name}_sources')
    shutil.rmtree(sources, ignore_errors=True)
    settings = configuration(sources, folder, write_sources(sources))
    file = sources.with_suffix('.yml')
    file.write_text(yaml.safe_dump(settings), encoding='utf-8')
    command = [sys.executable, '-m', 'mkdocs', 'build', '--quiet', '--config-file', str(file)]
    code = subprocess.run(command, check=False).returncode
    if not code:
        print(f'open {folder / "index.html"}')
    return code


if __name__ == '__main__':
    sys.exit(main())
