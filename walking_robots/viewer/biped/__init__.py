"""The page of a blind biped: ground, virtual legs, forces, and the figures of its thesis."""
