"""Operators for any table: its first rows, its best rows, two sides of it, and the columns of another."""
