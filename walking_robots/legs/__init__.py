"""One leg: kinematics, working volume, foothold search, state machines and servo."""
