"""The page of a run, its figures, and what is told at the end."""
