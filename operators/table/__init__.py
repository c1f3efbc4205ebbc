"""Operators for any table: first rows, best rows, two sides, the columns of another table, replies of a model."""
