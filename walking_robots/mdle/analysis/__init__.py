"""The static checker of the motion language: what is wrong in a program before it runs."""
