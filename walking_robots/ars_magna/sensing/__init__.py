"""What things are like, how they are described, and what a robot reads of them."""
