"""Damages to files, lines and JSON."""

from __future__ import annotations

import json
import uuid
from collections.abc import Callable
from pathlib import Path

from tests.cot.mutations.damage import ANY, Damage, of, write, written
from tests.cot.mutations.good import GoodSet, Which


def _line(name: str, code: str | tuple[str, ...], do: Callable[[str], str | bytes], task: int = 29) -> Damage:
    return Damage(name, code, do, of(task, step=2), on="line")


def _twice(path: str) -> Callable[[str], str]:
    """The first occurrence of a key once more, with the same value after it."""
    return lambda line: line.replace(f'"{path}": ', f'"{path}": null, "{path}": ', 1)


def _set(
    name: str, code: str | tuple[str, ...], do: Callable[[Path, GoodSet], None], also: frozenset[str] = frozenset()
) -> Damage:
    return Damage(name, code, do, of(29), also=also, on="set")


def _one(good: GoodSet, task: int = 29, step: int = 2) -> str:
    return written(good.pick(Which(task, step=step))) + "\n"


def _same_file(cot: Path, good: GoodSet) -> None:
    write(cot, good.names[29], _one(good) + _one(good))


def _same_content(cot: Path, good: GoodSet) -> None:
    first = good.pick(Which(29, step=2))
    again = {**first, "id": str(uuid.UUID(int=7, version=4))}
    write(cot, good.names[29], written(first) + "\n" + written(again) + "\n")


def _same_file_far(cot: Path, good: GoodSet) -> None:
    first, *rest = good.samples[31]
    rest[-1] = {**rest[-1], "id": first["id"]}
    write(cot, good.names[31], "".join(written(each) + "\n" for each in (first, *rest)))


def _same_across(cot: Path, good: GoodSet) -> None:
    one, other = good.pick(Which(29)), good.pick(Which(42))
    other["id"] = one["id"]
    write(cot, good.names[29], written(one) + "\n")
    write(cot, good.names[42], written(other) + "\n")


def _file(name: str) -> Callable[[Path, GoodSet], None]:
    def do(cot: Path, good: GoodSet) -> None:
        write(cot, good.names[30], _one(good, 30))
        write(cot, good.names[29], _one(good), name)

    return do


def _folder(name: str) -> Callable[[Path, GoodSet], None]:
    def do(cot: Path, good: GoodSet) -> None:
        write(cot, good.names[30], _one(good, 30))
        write(cot, name, _one(good))

    return do


def _empty_folder(cot: Path, good: GoodSet) -> None:
    write(cot, good.names[30], _one(good, 30))
    (cot / good.names[29]).mkdir()


def _beside(cot: Path, good: GoodSet) -> None:
    write(cot, good.names[29], _one(good))
    write(cot, good.names[29], _one(good, step=3), "more.jsonl")


DAMAGES = [
    _line("a field is NaN", "json.syntax", lambda line: line.replace('"fields": {', '"fields": {"K": NaN, ', 1)),
    _line("step_index is Infinity", "json.syntax", lambda line: line.replace('"step_index": 2', '"step_index": Infinity')),
    _line("the line is cut off in the middle", "json.syntax", lambda line: line[: len(line) // 2]),
    _line("there is a brace too many", "json.syntax", lambda line: line + "}\n"),
    _line("two objects stand on one line", "json.syntax", lambda line: line + line + "\n"),
    _line("a comma follows the last key", "json.syntax", lambda line: line[:-1] + ",}\n"),
    _line("the object stands in an array", "json.syntax", lambda line: f"[{line}]\n"),
    _line("the line is a string that holds the object", "json.syntax", lambda line: json.dumps(line) + "\n"),
    _line("the line is null", "json.syntax", lambda _: "null\n"),
    _line("the line is plain text", "json.syntax", lambda _: "to be done\n"),
    _line("strings have single quotes", "json.syntax", lambda line: line.replace('"id"', "'id'")),
    _line("a comment follows", "json.syntax", lambda line: line + " // checked\n"),
    _line("step_index has a leading zero", "json.syntax", lambda line: line.replace('"step_index": 2', '"step_index": 02')),
    _line("a raw tab stands in a string", "json.syntax", lambda line: line.replace("Spatially, ", "Spatially,\t")),
    _line("a raw line break stands in a string", "json.syntax", lambda line: line.replace("Spatially, ", "Spatially,\n")),
    _line("an escape is unknown", "json.syntax", lambda line: line.replace("Spatially, ", "Spatially, \\x")),
    _line("a no-break space stands at the front", "json.syntax", lambda line: f"\u00a0{line}\n"),
    _line("a form feed stands at the front", "json.syntax", lambda line: f"\f{line}\n"),
    Damage("a raw line separator stands in the reasoning", "think.lines", lambda line: line.replace(". Functionally", ".\u2028Functionally") + "\n", of(29, step=2), on="line"),
    _line("the object is spread over several lines", "json.syntax", lambda line: json.dumps(json.loads(line), indent=1) + "\n"),
    # A mark at the front is valid UTF-8 and no JSON; which of the two is told is a matter of taste.
    _line("a byte order mark stands at the front", ("json.syntax", "file.encoding"), lambda line: "\ufeff" + line + "\n"),
    _line("the file is Latin-1", "file.encoding", lambda line: line.replace("Spatially", "Spatiälly").encode("latin-1")),
    Damage("the file is UTF-16", "file.encoding", lambda line: (line + "\n").encode("utf-16"), of(29, step=2), frozenset({"json.syntax"}), "line"),
    _line("a surrogate is written as bytes", "file.encoding", lambda line: line.replace("Spatially", "Spatially\ud83d").encode("utf-8", "surrogatepass")),
    _line("the line is blank and another follows", "json.blank", lambda line: f"\n{line}\n"),
    _line("a blank line stands at the end", "json.blank", lambda line: f"{line}\n\n"),
    _line("a line has only spaces and tabs", "json.blank", lambda line: f"{line}\n \t \n"),
    _line("the key id comes twice", "json.duplicate_key", _twice("id")),
    _line("the key video comes twice", "json.duplicate_key", _twice("video"), 30),
    _line("a key of fields comes twice", "json.duplicate_key", _twice("next_step_goal")),
    _line("a key of a turn comes twice", "json.duplicate_key", _twice("value")),
    _line("a key comes twice, once with an escape", "json.duplicate_key", lambda line: line.replace('"image": ', '"im\\u0061ge": [], "image": ', 1)),
    _line("a key of the support comes twice, deep down", "json.duplicate_key", _twice("strength"), 28),
    # Valid JSON, but out of what the reader of a number can hold: any of these tells it.
    Damage("step_index has five thousand digits", ("json.syntax", "schema.type", "schema.value", "step.unknown"), lambda line: line.replace('"step_index": 2', '"step_index": ' + "9" * 5000), of(29, step=2), ANY, "line"),
    Damage("step_index is 1e999", ("json.syntax", "schema.type"), lambda line: line.replace('"step_index": 2', '"step_index": 1e999'), of(29, step=2), ANY, "line"),
    Damage("arrays are nested a hundred thousand deep", ("json.syntax", "fields.type", "fields.unknown"), lambda line: line.replace('"fields": {', '"fields": {"K": ' + "[" * 100_000 + "]" * 100_000 + ", ", 1), of(29, step=2), ANY, "line"),
    _set("the same sample comes twice in a file", "id.duplicate", _same_file, frozenset(["set.duplicate"])),
    _set("the same sample comes twice under two ids", "set.duplicate", _same_content),
    _set("two samples of a file, far from each other, have one id", "id.duplicate", _same_file_far),
    _set("samples of two tasks have one id", "id.duplicate", _same_across),
    _set("the file is named data.json", "file.name", _file("data.json")),
    _set("the file is named Data.jsonl", "file.name", _file("Data.jsonl")),
    _set("the file lies in a folder of the task's folder", "file.name", _file("part/data.jsonl")),
    _set("a second file lies beside data.jsonl", "file.name", _beside),
    _set("a task's folder has no file", "file.name", _empty_folder),
]  # fmt: skip


def _unknown(name: str) -> Damage:
    # The sample says that it is of Task_29, so that it lies in a wrong folder too.
    return Damage(
        f"the folder is named {name}",
        "file.name",
        _folder(name),
        of(29),
        frozenset({"task.folder", "task.unknown"}),
        "set",
    )


DAMAGES += [
    _unknown("Task_43_Next_Action_Prediction"),
    _unknown("Task_29"),
    _unknown("task_29_next_action_prediction"),
    _unknown("Task_29_Next_Action_Prediction_v2"),
    _unknown("Task_29_Next_Action_Prediction "),
]
