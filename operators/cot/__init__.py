"""Operators that turn annotated causal plans into chain-of-thought samples."""
