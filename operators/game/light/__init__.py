"""The colour of a game's light: what glows in one picture, the place that all rounds share, and words that name it."""
