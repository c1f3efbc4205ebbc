"""What the rounds of an episode have in common: where cards and lamps stand, and how the right card is marked."""
