"""Simulate abstract robots among things in a world of cells, as ARS MAGNA does."""
