"""The executor: ticks, frames, interrupts and the stop (mdle.md §4.6 to §4.14)."""
