"""What a run of the scene-editing pipeline shows and leaves: figures, a page to look at, and data for trainers."""
