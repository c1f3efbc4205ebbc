"""Verified attempts as files: what trainers read, and what is said of it."""
