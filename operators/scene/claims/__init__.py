"""Claims about rooms: what can be said of a turn so that code can prove it."""
