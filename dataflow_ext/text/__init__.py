"""Words of any text: tokens, stems, and what is general English."""
