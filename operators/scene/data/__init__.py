"""Word tables of rooms: phrases with marks, what serves what."""
