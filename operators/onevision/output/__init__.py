"""What a run shows of its rows: figures, a page, a sheet to review by eye."""
