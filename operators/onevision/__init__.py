"""Operators that turn LLaVA-CoT rows into R1-Onevision rows, and judge them."""
