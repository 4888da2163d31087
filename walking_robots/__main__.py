"""Run the command as ``python -m walking_robots``."""

from walking_robots.cli import main

main()
