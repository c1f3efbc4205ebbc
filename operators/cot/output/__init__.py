"""What a run of the chain-of-thought pipeline shows: figures, and a page to look at."""
