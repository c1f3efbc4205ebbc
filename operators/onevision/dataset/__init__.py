"""Finished rows as files: how they are laid out, written and read."""
