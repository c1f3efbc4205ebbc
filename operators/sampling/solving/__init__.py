"""How a question is shown, solved and judged."""
