"""Data sets as folders: lines, Parquet with pictures, whose files are whose, and what stands beside the data."""
