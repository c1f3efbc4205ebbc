"""Data sets that EasyR1 trains on: how they are laid out, written and checked."""
