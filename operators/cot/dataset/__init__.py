"""Data sets of chain-of-thought samples as files: how they are laid out, written, read and checked."""
