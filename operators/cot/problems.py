"""What can be wrong with a sample: one code a rule, the same for generating and for checking files."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

#: Every code and the rule that it stands for. Codes are public: scripts count by them.
CODES = {
    # the file and its lines
    "file.encoding": "the file is not UTF-8",
    "file.name": "a folder is not the name of a task, or a file is not data.jsonl",
    "json.syntax": "the line is not one JSON object (NaN and Infinity are no JSON)",
    "json.duplicate_key": "an object of the line has the same key twice",
    "json.blank": "the line is blank",
    # the shape of a sample
    "schema.missing": "a key is missing",
    "schema.unknown": "a key is not of the format",
    "schema.type": "a value has the wrong type",
    "schema.value": "a value is not one that the format allows",
    "id.form": "the id is not a UUID of version 4 in its usual spelling",
    "id.duplicate": "another sample has the same id",
    "set.duplicate": "another sample is the same but for its id",
    "set.letters": "right options stand under one letter far more often than under another",
    "set.labels": "nearly all samples of a task have the same label",
    "set.shortcut": "right options are found by the words that they share with the question",
    "set.boilerplate": "one sentence stands in very many samples of a task",
    "task.unknown": "there is no such task",
    "task.folder": "the sample lies in another task's folder",
    "generator.form": "assistant_generator has wrong keys or values",
    # the plan behind it
    "source.path": "source_path leaves the root, or is no causal_plan_with_keyframes.json below it",
    "source.plan": "the plan cannot be read",
    "step.unknown": "the plan has no step step_index, or the task cannot be asked about it",
    "fields.missing": "a field of the task is missing",
    "fields.unknown": "the task has no such field",
    "fields.type": "a field has the wrong type",
    "fields.plan": "a field is not what the plan says",
    "fields.options": "options are not distinct, not as many as they should be, or more than one is right",
    "fields.label": "the label is not what the plan and the other fields make it",
    "fields.k": "K is out of its bounds, or is not the number of steps given",
    "fields.order": "the presented steps are not the gold steps in another order",
    "fields.support": "the support is not in the plan, or is too weak",
    "fields.proof": "the plan does not bear the flaw out",
    # what it shows
    "evidence.empty": "no picture is shown",
    "evidence.path": "a path leaves the root, or is not as others are (relative or absolute)",
    "evidence.gone": "the file does not exist",
    "evidence.files": "evidence_files is not image and video together",
    "evidence.type": "evidence_type does not fit what is shown",
    "evidence.wrong": "a picture or video is not one that this task may show",
    "evidence.future": "a picture or video shows what comes after the prefix",
    "evidence.duplicate": "the same file is shown twice",
    # what is said
    "question.lines": "the human turn is not one line",
    "question.text": "the human turn is not exactly the task's question",
    "response.form": "the assistant's turn is not <think>…</think>, a line break, the answer, a line break",
    "think.empty": "there is no reasoning",
    "think.lines": "the reasoning is not one paragraph on one line",
    "think.list": "the reasoning is a list",
    "think.answer": "the reasoning announces the answer with a prefix such as Answer:",
    "think.conclusion": "nothing concludes after the last required sentence",
    "closing.rival": "the last sentence names another answer, or denies its own",
    "closing.gold": "the last sentence does not name the answer word for word",
    "anchor.missing": "a required sentence is not in the reasoning word for word",
    "anchor.order": "the required sentences are not in their order",
    "anchor.repeated": "a required sentence stands more often than once",
    "answer.text": "the answer is not exactly the gold answer",
    "leak.frame": "a frame, picture, clip or video is named by its number",
    "leak.time": "a time in the video is told",
    "leak.file": "a file's name or its ending is told",
    "leak.path": "a path or an address is told",
    "language.mixed": "the reasoning is not in the language of the plan and the required sentences",
    "text.control": "the text has control characters, invisible characters, or is no valid Unicode",
}


@dataclass(frozen=True, slots=True)
class Problem:
    """One rule that a sample breaks: its code, and where and what in one sentence.

    A ``warning`` counts as an error under ``--strict`` only.
    """

    code: str
    message: str
    level: Literal["error", "warning"] = "error"

    def __post_init__(self) -> None:
        if self.code not in CODES:
            raise ValueError(f"There is no code {self.code}.")

    def __str__(self) -> str:
        return f"{self.code}: {self.message}"
