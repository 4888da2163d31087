"""What every set of controls begins with."""

__all__ = ['ignore']


def ignore(*_: object) -> None:
    """Stand in for a control that nobody listens to."""
