"""Raw question rows become rows to train on: cleaned, split, typed, with a short answer, once, and fit to be asked."""
