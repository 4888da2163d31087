"""Footholds planned ahead over bad ground, and what can be crossed at all."""
