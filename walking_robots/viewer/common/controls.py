"""What every set of controls begins with."""


def ignore(*_: object) -> None:
    """Stand in for a control that nobody listens to."""
