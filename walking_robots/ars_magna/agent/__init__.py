"""What a robot program holds: handles of a robot and its parts, and commands to await."""
