"""The manual's example programs, as coroutines of a robot's handle (ars_magna.md §6)."""
