"""Points, intervals and the odometers that report in intervals."""
