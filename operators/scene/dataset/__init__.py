"""Data sets of scene-editing conversations as files: how they are laid out, written and read."""
