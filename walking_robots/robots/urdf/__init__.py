"""URDF descriptions of the robots."""
