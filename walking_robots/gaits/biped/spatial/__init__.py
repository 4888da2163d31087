"""The walk of a biped in space: the planar controller, and what balances it sideways."""
