"""Conversations done again from their files: one turn by turn, and all of a data set."""
