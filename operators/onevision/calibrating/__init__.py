"""How well the gate separates: good rows, damaged in known ways, and how many of them it catches."""
