"""Nodes of the Super Scout."""
