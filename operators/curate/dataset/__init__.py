"""Question rows from files, with the pictures that belong to them, and the files that are left behind."""
