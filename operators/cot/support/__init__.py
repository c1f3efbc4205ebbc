"""Whether what a step brings about is what another step needs."""
