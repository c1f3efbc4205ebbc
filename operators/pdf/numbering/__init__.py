"""Labels and headings as books print them: found, read and compared."""

from operators.pdf.numbering.labels import ItemLabel, item_label, sub_label
from operators.pdf.numbering.markers import find_solution_start, option_letter, option_place, solution_marker
from operators.pdf.numbering.normalise import find_labels, label_key, letters_of, normalise_label

__all__ = [
    "ItemLabel",
    "find_labels",
    "find_solution_start",
    "item_label",
    "label_key",
    "letters_of",
    "normalise_label",
    "option_letter",
    "option_place",
    "solution_marker",
    "sub_label",
]
