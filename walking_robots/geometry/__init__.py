"""Rotation, pose, plane and polygon arithmetic."""
