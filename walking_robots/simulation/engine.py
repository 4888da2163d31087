"""The one place that imports MuJoCo, and only when a robot with forces is to be simulated."""

import warnings
from typing import Any

from walking_robots.documents.extras import extra_needed


def mujoco_engine() -> Any:
    """Return the module of MuJoCo; raises ValueError, one sentence, where it is missing."""
    with extra_needed('physics'):
        import mujoco  # type: ignore[import-untyped]
    # Without a handler it appends its warnings to a file MUJOCO_LOG.TXT in the working folder.
    mujoco.set_mju_user_warning(_warn)
    return mujoco


def engine_name() -> str:
    """Return the name and version of what computes the forces."""
    return f'MuJoCo {mujoco_engine().__version__}'


def _warn(message: str) -> None:
    warnings.warn(f'MuJoCo: {message}', RuntimeWarning, stacklevel=2)
