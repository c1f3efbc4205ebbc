"""Chains of edits, planned backwards from a finished room."""
