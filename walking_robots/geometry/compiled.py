"""Loops over arrays as machine code, where numba is installed; without it they run as they are."""

from collections.abc import Callable
from functools import cache, wraps
from typing import ParamSpec, TypeVar

Given = ParamSpec('Given')
Found = TypeVar('Found')

_functions: list[Callable[[], object]] = []
"""What loads each function."""


def load() -> None:
    """Load all functions that are compiled, which takes 0.3 s of CPU time once."""
    for function in _functions:
        function()


def compiled(*types: str) -> Callable[[Callable[Given, Found]], Callable[Given, Found]]:
    """Compile a function of arguments of some types, in numba's words, at its first call.

    The machine code is kept beside the file until that changes. What never calls the function
    starts without numba.
    """

    def decorate(function: Callable[Given, Found]) -> Callable[Given, Found]:
        @cache
        def machine_code() -> Callable[Given, Found]:
            try:
                from numba import njit
            except ImportError:
                return function
            found: Callable[Given, Found]
            found = njit(f'({", ".join(types)},)', cache=True, nogil=True)(function)
            return found

        _functions.append(machine_code)

        @wraps(function)
        def call(*args: Given.args, **kwargs: Given.kwargs) -> Found:
            return machine_code()(*args, **kwargs)

        return call

    return decorate
