"""The part of a page that shows a program of the motion language while it runs."""
