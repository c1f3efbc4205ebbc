"""Reasoning that carries its proof: claims as marks in a text, proven in a world."""

from dataflow_ext.claims.checking import Checked, Claim, Sentence, check, fill
from dataflow_ext.claims.expressions import ClaimError, parse
from dataflow_ext.claims.marks import stripped
from dataflow_ext.claims.proof import answers, holds
from dataflow_ext.claims.vocabulary import Sort, Term, Vocabulary, World

__all__ = ["Checked", "Claim", "ClaimError", "Sentence", "Sort", "Term", "Vocabulary", "World", "answers", "check",
           "fill", "holds", "parse", "stripped"]  # fmt: skip
