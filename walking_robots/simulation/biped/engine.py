"""The one place that imports MuJoCo, and only when a biped is to be simulated."""

from typing import Any


def mujoco_engine() -> Any:
    """Return the module of MuJoCo; raises ValueError, one sentence, where it is missing."""
    try:
        import mujoco  # type: ignore[import-untyped]
    except ImportError as error:
        raise ValueError(
            f'a biped is simulated by MuJoCo, but {error.name} cannot be imported: '
            "run 'make env' or 'pip install mujoco'"
        ) from None
    return mujoco
