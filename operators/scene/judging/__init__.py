"""How a chain is judged: what is measured of it, and what a model is asked."""
