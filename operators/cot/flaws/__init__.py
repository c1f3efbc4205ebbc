"""Bad plans: gold plans that are changed so that exactly one condition more is broken, with the proof."""
