"""What a check of a data set found, sample by sample and in the whole."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass, field
from typing import Any, Literal

from dataflow_ext.report.figures import wilson
from dataflow_ext.report.parts import printable
from dataflow_ext.text.sentences import sentences
from operators.cot.problems import Problem
from operators.cot.sample import reasoning_of
from operators.cot.tasks.options import content_of, right_place

#: Problems of one code that are kept one by one.
KEPT = 20


@dataclass(frozen=True, slots=True)
class Found:
    """A problem and its place: the file relative to the data set, the line from 1, the sample's id ("" without one).

    ``line`` is None for a problem of a folder or a whole file.
    """

    file: str
    line: int | None
    id: str
    code: str
    level: Literal["error", "warning"]
    message: str


@dataclass(slots=True)
class Summary:
    """The counts of a check. ``samples`` are the lines that hold an object, ``by_task`` goes by folder.

    ``problems`` has the first of each code, in the order of files and lines.
    """

    strict: bool = False
    lines: int = 0
    samples: int = 0
    errors: int = 0
    warnings: int = 0
    by_code: Counter[str] = field(default_factory=Counter)
    by_task: dict[str, Counter[str]] = field(default_factory=dict)
    problems: list[Found] = field(default_factory=list)

    @property
    def failed(self) -> bool:
        """Whether the data set has an error, or, if the check is strict, a warning."""
        return bool(self.errors or (self.strict and self.warnings))

    @property
    def truncated(self) -> bool:
        """Whether there are more problems than ``problems`` has."""
        return len(self.problems) < self.errors + self.warnings

    def note(self, problem: Problem, task: str, file: str, line: int | None = None, sample_id: object = "") -> None:
        """Count a problem, and keep it if it is one of the first of its code."""
        if problem.level == "error":
            self.errors += 1
        else:
            self.warnings += 1
        self.by_code[problem.code] += 1
        self.by_task.setdefault(task, Counter())[problem.level] += 1
        if self.by_code[problem.code] <= KEPT:
            named = sample_id[:100] if isinstance(sample_id, str) else ""
            self.problems.append(Found(file, line, named, problem.code, problem.level, problem.message[:1000]))


def as_json(summary: Summary) -> dict[str, Any]:
    """The summary for machines::

        {"ok": bool, "strict": bool, "lines": int, "samples": int, "errors": int, "warnings": int,
         "by_code": {CODE: int},
         "by_task": {FOLDER: {"samples": int, "errors": int, "warnings": int}},
         "problems": [{"file": str, "line": int | null, "id": str, "code": str, "level": "error" | "warning",
                       "message": str}],
         "truncated": bool}

    ``ok`` is what the exit code says. Counts are of all problems; the list has the first 20 of each code, and
    ``truncated`` tells whether there are more.
    """
    return {
        "ok": not summary.failed,
        "strict": summary.strict,
        "lines": summary.lines,
        "samples": summary.samples,
        "errors": summary.errors,
        "warnings": summary.warnings,
        "by_code": dict(sorted(summary.by_code.items())),
        "by_task": {
            task: {"samples": counts["samples"], "errors": counts["error"], "warnings": counts["warning"]}
            for task, counts in sorted(summary.by_task.items())
        },
        "problems": list(map(asdict, summary.problems)),
        "truncated": summary.truncated,
    }


def told(summary: Summary) -> str:
    """The problems one a line, then how many there are of each code, then the totals.

    >>> from operators.cot.problems import Problem
    >>> summary = Summary(samples=2)
    >>> summary.note(Problem("think.empty", "there is no reasoning"), "Task_29", "Task_29/data.jsonl", 2)
    >>> print(told(summary))
    Task_29/data.jsonl:2: think.empty: there is no reasoning
    1 × think.empty
    2 samples, 1 error, 0 warnings
    """
    lines = [_line(found) for found in summary.problems]
    if summary.truncated:
        lines.append(f"… and {summary.errors + summary.warnings - len(summary.problems):,} more")
    lines += [f"{count:,} × {code}" for code, count in sorted(summary.by_code.items(), key=lambda c: (-c[1], c[0]))]
    strict = ", which count as errors" if summary.strict and summary.warnings else ""
    counts = {"sample": summary.samples, "error": summary.errors, "warning": summary.warnings}
    totals = ", ".join(f"{count:,} {name}{'' if count == 1 else 's'}" for name, count in counts.items())
    return "\n".join([*lines, totals + strict])


def _line(found: Found) -> str:
    place = printable(found.file) if found.line is None else f"{printable(found.file)}:{found.line}"
    weight = "" if found.level == "error" else f" ({found.level})"
    return f"{place}: {found.code}{weight}: {printable(found.message)}"


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
        place = right_place(options := fields.get("options", ()), fields.get("label"))
        if place is not None and len(options) == 4:
            task.letters[fields["label"]] += 1
            task.by_words += _by_words(asked, [str(each) for each in options], place)

    def problems(self) -> Iterator[tuple[str, Problem]]:
        """What the figures show, each with the folder of its task; all of it warnings."""
        for folder, task in sorted(self._tasks.items()):
            for code, told in (*_uneven(task), *_repeated(task)):
                yield folder, Problem(code, told, "warning")

    def _count_sentences(self, task: _Task, reasoning: str) -> None:
        if task.looked_at == _LOOKED_AT:
            return
        task.looked_at += 1
        said = set(sentences(reasoning))
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
