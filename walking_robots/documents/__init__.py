"""Files that a person writes: reading them safely, explaining what is wrong in them."""
