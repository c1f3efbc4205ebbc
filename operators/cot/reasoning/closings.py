"""The closing claim of a sample: gold, rivals, and the sentences of which code puts one at the end."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from pathlib import Path

from dataflow_ext.claims.closing import Closing
from dataflow_ext.claims.phrases import read_phrases
from operators.cot.tasks.conclusion import Answered, Conclusion

_FORMS = {
    topic: [phrase.text for phrase in phrases]
    for topic, phrases in read_phrases(Path(__file__).with_name("closings.tsv")).items()
}


class _Ending(Closing):
    """A closing whose rivals are worked out where a last sentence has to be read, which none of code's own has."""

    def __init__(self, words: Conclusion, forms: Sequence[str], named: str) -> None:
        self.sentence, self.gold, self.forms, self.about = forms[0], words.gold, forms, words.about
        self.late, self.announced = named == "last", named == "required"
        self._words_beside = words.others

    @cached_property
    def rivals(self) -> Sequence[str]:  # type: ignore[override] # a plain value to all that read it
        return self._words_beside()[0]

    @cached_property
    def context(self) -> Sequence[str]:  # type: ignore[override]
        return self._words_beside()[1]


def closing_of(answered: Answered) -> Closing:
    """How the reasoning of a sample has to end, and the sentences of which code puts one there."""
    task = answered.task
    words = task.conclusion(answered)
    forms = [form.format_map(words.said) for form in _FORMS[words.topic or str(task.number)]]
    return _Ending(words, forms, task.named)
