"""The kinematic simulator of Aquarobot as its thesis has it: z down, clockwise, centimetres."""
