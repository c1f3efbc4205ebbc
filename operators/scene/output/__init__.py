"""What a run of the scene-editing pipeline shows: figures, and a page to look at."""
