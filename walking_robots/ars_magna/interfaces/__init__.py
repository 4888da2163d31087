"""Standard interfaces of planning and learning: Gymnasium, PettingZoo, PDDL."""
