"""What stands between a call and its server: limits, waits, repeats, and a circuit."""
