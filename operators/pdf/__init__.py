"""Operators and parts for textbooks: from files to blocks, from replies to question–answer rows."""
