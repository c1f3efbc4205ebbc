"""Replies that were paid for, kept."""
