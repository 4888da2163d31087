"""The library of modules that programs may import: the standard one, files, installed packages."""

from functools import cache
from importlib.resources import files
from pathlib import Path

from walking_robots.documents.files import read_text
from walking_robots.mdle.knowledge.elements import Module
from walking_robots.mdle.knowledge.extension import discover, module_from
from walking_robots.mdle.knowledge.names import Library
from walking_robots.mdle.knowledge.std import body2, communication, walls
from walking_robots.mdle.language.parser import parse_text

LARGEST_FILE = 1_000_000
"""Bytes."""


@cache
def standard_library() -> Library:
    """Return ``std.body2``, ``std.body3`` and ``std.scout``."""
    folder = files('walking_robots.mdle.knowledge.std')
    texts = {
        name: (folder / f'{name}.mdle').read_text('utf-8') for name in ('body2', 'body3', 'scout')
    }
    return {
        'std.body2': module_from('std.body2', body2, walls, communication, text=texts['body2']),
        'std.body3': module_from('std.body3', text=texts['body3']),
        'std.scout': module_from('std.scout', text=texts['scout']),
    }


def load_module(path: Path) -> Module:
    """Read a file of declarations as a module; programs import it by the name of the file.

    Raises ValueError where it cannot be read, ProgramError where it is wrong.
    """
    text = read_text(path, 'a file of elements', largest=LARGEST_FILE, shorter='split it up')
    return Module(path.stem, parse_text(text, str(path)))


def library_with(*paths: Path) -> tuple[Library, list[str]]:
    """Return the standard library, the installed packages and the given files together.

    The sentences name packages that could not be used. Raises as ``load_module`` does.
    """
    found, broken = discover()
    modules = {**standard_library(), **found}
    for path in paths:
        module = load_module(path)
        modules[module.name] = module
    return modules, broken
