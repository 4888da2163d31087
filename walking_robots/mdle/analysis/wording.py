"""Numbers and places in sentences."""

from walking_robots.mdle.language.ast import Place

__all__ = ['figure', 'located']


def figure(value: float, unit: str = '') -> str:
    """Give a number as a person would write it: 0.423 m."""
    text = f'{value:.4g}'
    return f'{text} {unit}' if unit and unit != 'num' else text


def located(place: Place) -> str:
    """Give a place: line 3, column 5."""
    return f'line {place.line}, column {place.column}'
