"""Answers compared by what they mean: letters, numbers, quantities, expressions, words.

``equivalence`` tells whether two answers are the same. It asks in turn what they may be: ``options``,
``worded_answers`` with the closed ``vocabulary``, ``times``, ``relations`` with ``expressions``, ``quantities`` with
``units`` and ``written_numbers``, and ``lists`` of these; ``questions`` tells what is asked for, and ``normalising``
takes off dress. In running texts ``extraction`` finds the answer, ``arithmetic`` what is computed, and ``reaching``
whether steps come to an answer; their numbers are read by ``numbers_in_text``, ``number_words`` and ``units_in_text``.
"""
