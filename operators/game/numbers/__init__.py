"""The numbers on a round's three cards: digits in OCR lines, rows of cards, and the closer look."""
