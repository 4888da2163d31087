"""Nodes of hexapods."""
