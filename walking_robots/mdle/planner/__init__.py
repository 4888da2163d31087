"""Finds ways through mapped and unknown ground, and writes them as programs (mdle.md §5)."""
