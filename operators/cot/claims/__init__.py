"""Claims about plans: what can be said of steps, conditions and effects so that code can prove it."""
