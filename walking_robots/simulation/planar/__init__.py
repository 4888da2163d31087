"""Kinematic planar robots for programs of the motion language."""
