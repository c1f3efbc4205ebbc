"""What is wrong with a data set as a whole, though each of its samples may be sound."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from dataflow_ext.claims.sentences import sentences
from dataflow_ext.wilson import wilson
from operators.cot.output.turn import reasoning_of
from operators.cot.problems import Problem
from operators.cot.recovery.own_things import content_of
from operators.cot.tasks.options import LETTERS

#: Of fewer samples of a task nothing is said: chance alone moves shares too far.
FEWEST = 20
#: One label of several may have this share of a task's samples; above it, always saying it is nearly right.
MOST_OF_A_LABEL = 0.9
#: Letters are uneven from this chi-square with three degrees of freedom on, which chance passes once in a thousand.
UNEVEN = 16.27
#: The share of choices that counting words may answer; told where the whole of Wilson's interval lies above it.
MOST_BY_WORDS = 0.35
#: The share of a task's samples that one sentence may stand in.
MOST_OF_A_SENTENCE = 0.4
#: Of a task, the sentences of so many samples are counted, so that memory is bounded.
_LOOKED_AT = 500

#: Fields that are the label of a task with few of them, by the number of the task.
_LABELS = {"35": "flaw_type", "41": "label"}
_REQUIRED = re.compile(r"(?:Spatially|Functionally|After the action|If that happens), |A likely failure is that ")


@dataclass(slots=True)
class _Task:
    """What is counted of the samples of a task."""

    letters: Counter[str] = field(default_factory=Counter)
    labels: Counter[str] = field(default_factory=Counter)
    sentences: Counter[int] = field(default_factory=Counter)
    example: dict[int, str] = field(default_factory=dict)
    looked_at: int = 0
    by_words: float = 0.0


class Whole:
    """Figures of a data set, sample by sample, and what they show in the end; a damaged sample counts for nothing."""

    def __init__(self) -> None:
        self._tasks: dict[str, _Task] = defaultdict(_Task)

    def add(self, folder: str, entry: Mapping[str, Any]) -> None:
        """Count a sample of a task's folder."""
        try:
            asked, said = (turn["value"] for turn in entry["conversations"])
            fields = entry["meta"]["fields"]
            reasoning, _ = reasoning_of(said)
        except (KeyError, TypeError, ValueError, AttributeError):
            return
        if not isinstance(fields, dict) or not isinstance(asked, str):
            return
        task = self._tasks[folder]
        self._count_sentences(task, reasoning)
        if isinstance(label := fields.get(_LABELS.get(folder[5:7], "")), str):
            task.labels[label] += 1
        options, letter = fields.get("options"), fields.get("label")
        if isinstance(options, list) and len(options) == 4 and letter in (*LETTERS[:4],):
            task.letters[str(letter)] += 1
            task.by_words += _by_words(asked, [str(each) for each in options], LETTERS.index(str(letter)))

    def problems(self) -> Iterator[tuple[str, Problem]]:
        """What the figures show, each with the folder of its task; all of it warnings."""
        for folder, task in sorted(self._tasks.items()):
            for code, told in (*_uneven(task), *_repeated(task)):
                yield folder, Problem(code, told, "warning")

    def _count_sentences(self, task: _Task, reasoning: str) -> None:
        if task.looked_at == _LOOKED_AT:
            return
        task.looked_at += 1
        said = {reasoning[start:end] for start, end in sentences(reasoning)}
        for sentence in said:
            if not _REQUIRED.match(sentence):
                key = hash(sentence)
                task.sentences[key] += 1
                if task.sentences[key] == FEWEST:
                    task.example[key] = sentence[:100]


def _by_words(asked: str, options: list[str], right: int) -> float:
    """How likely the option that shares the most words with the question is the right one."""
    question = content_of(asked)
    shared = [len(question & content_of(option)) for option in options]
    return (shared[right] == max(shared)) / shared.count(max(shared))


def _uneven(task: _Task) -> Iterator[tuple[str, str]]:
    total = sum(task.letters.values())
    if total >= FEWEST:
        mean = total / 4
        if sum((task.letters[letter] - mean) ** 2 / mean for letter in "ABCD") > UNEVEN:
            told = ", ".join(f"{letter} {task.letters[letter]}" for letter in "ABCD")
            yield "set.letters", f"the right options stand under {told}: always the same letter is a good guess"
        if wilson(round(task.by_words), total)[0] > MOST_BY_WORDS:
            share = task.by_words / total
            yield (
                "set.shortcut",
                (f"the option that shares the most words with the question is right in {share:.0%} of {total} samples"),
            )
    labelled = task.labels.total()
    for label, count in task.labels.most_common(1):
        if labelled >= FEWEST and count > MOST_OF_A_LABEL * labelled:
            yield "set.labels", f"the label is {label} in {count} of {labelled} samples"


def _repeated(task: _Task) -> Iterator[tuple[str, str]]:
    for key, count in task.sentences.most_common(3):
        if count >= FEWEST and count > MOST_OF_A_SENTENCE * task.looked_at:
            yield "set.boilerplate", f'{count} of {task.looked_at} samples say "{task.example[key]}"'
