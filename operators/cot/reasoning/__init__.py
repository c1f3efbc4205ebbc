"""How the reasoning of a sample is written: what holds, what is missing, what follows, and the closing sentence."""
