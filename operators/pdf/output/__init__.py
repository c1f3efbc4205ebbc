"""What a run of the PDF pipeline leaves behind: data files, pictures, a page to look at."""
