"""Nodes of ARS MAGNA."""
