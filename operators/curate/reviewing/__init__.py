"""The one call of a model for a row: its text in numbered sentences, and the reply checked against them."""
