"""Benchmarks and soak tests, outside the package: `make bench`."""
