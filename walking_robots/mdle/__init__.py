"""MDLe: a motion description language of atoms, behaviors and plans (Wojtkowski, 1999)."""
