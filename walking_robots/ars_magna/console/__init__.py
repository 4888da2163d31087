"""The manual's command line, without a terminal: lines in, lines out (ars_magna.md §5.3)."""
