"""Nodes of the motion language."""
