"""Headless experiments: one trial in, one result out."""
