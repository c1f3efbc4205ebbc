"""The booklets' texts and drawings: one module a booklet, and the page flow, pen and gold they share."""
