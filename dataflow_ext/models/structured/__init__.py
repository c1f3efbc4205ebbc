"""Replies read as values."""
