"""Answers compared by what they mean: letters, numbers, quantities, expressions, words."""
