"""What a run of the game pipeline shows: figures, accuracy, a page to look at, and one to check by eye."""
