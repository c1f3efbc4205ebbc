"""Sentences of descriptions and reasonings: a Chinese semicolon ends one, too, or a guess would take facts with it."""

from __future__ import annotations

from functools import partial

from dataflow_ext.text import sentences as any_text

pieces = partial(any_text.pieces, also="；")
sentences = partial(any_text.sentences, also="；")
