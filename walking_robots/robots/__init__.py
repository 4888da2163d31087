"""Robots as data: dimensions, joints and limits, each with unit and source."""
