"""Lines of batch files: what is wrong with those that come in, and what those that go out look like."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

from tests.loopback.replies import Body, Fault, completion, error_body, fault_body

MOST_LINES = 50_000
_TOKEN_KEYS = {"prompt_tokens": "input_tokens", "completion_tokens": "output_tokens", "total_tokens": "total_tokens"}


@dataclass(frozen=True)
class Line:
    """One request of a batch; ``number`` counts the input file's lines from 1 on."""

    number: int
    custom_id: str
    body: Body


def read_lines(content: bytes, endpoint: str, most: int = MOST_LINES) -> tuple[list[Line], list[Body]]:
    """The requests of an input file, and the errors for which its batch has to fail.

    >>> read_lines(b"{", "/v1/chat/completions")[1][0]["code"]
    'invalid_json_line'
    """
    lines: list[Line] = []
    errors: list[Body] = []
    seen: dict[str, Any] = {}
    for number, text in enumerate(content.splitlines(), 1):
        if not text.strip():
            continue
        try:
            entry = json.loads(text)
        except ValueError:
            entry = None
        error = _error_of(entry, endpoint, seen)
        if error is None:
            seen.setdefault("model", entry["body"]["model"])
            seen[f"id:{entry['custom_id']}"] = number
            lines.append(Line(number, entry["custom_id"], entry["body"]))
        else:
            errors.append({**error, "line": number})
    if not lines and not errors:
        errors.append(batch_error("empty_file", "The input file holds no requests."))
    if len(lines) > most:
        errors.append(batch_error("too_many_tasks", f"The input file holds {len(lines)} requests, more than {most}."))
    return lines, errors


def batch_error(code: str, message: str, param: str | None = None) -> Body:
    """An entry of a failed batch's errors that is about no line."""
    return {"code": code, "message": message, "param": param, "line": None}


def _error_of(entry: Any, endpoint: str, seen: Mapping[str, Any]) -> Body | None:
    if not isinstance(entry, dict):
        return batch_error("invalid_json_line", "This line is not parseable as valid JSON.")
    for name, kind in (("custom_id", str), ("method", str), ("url", str), ("body", dict)):
        if not isinstance(entry.get(name), kind):
            return batch_error("missing_required_parameter", f"Missing required parameter: '{name}'.", name)
    body = entry["body"]
    for name in ("model", "messages"):
        if not body.get(name):
            return batch_error(
                "missing_required_parameter", f"Missing required parameter: 'body.{name}'.", f"body.{name}"
            )
    if entry["method"] != "POST":
        return batch_error("invalid_method", "The method of a request in a batch is POST.", "method")
    if entry["url"] != endpoint:
        return batch_error("url_mismatch", f"The url {entry['url']} is not the batch's endpoint {endpoint}.", "url")
    if f"id:{entry['custom_id']}" in seen:
        message = f"The custom_id '{entry['custom_id']}' for this request is a duplicate of another request."
        return batch_error("duplicate_custom_id", message, "custom_id")
    if body["model"] != seen.get("model", body["model"]):
        return batch_error("model_mismatch", "All requests of a batch ask the same model.", "body.model")
    return None


@dataclass(frozen=True)
class Result:
    """What becomes of a line: its place, its text there (``""`` for none at all), and what it used."""

    file: Literal["output", "error"]
    text: str
    usage: Body | None = None
    expired: bool = False


def result_of(line: Line, text: str, fault: Fault | None, name: str) -> Result:
    """The line of the output or error file for one request, under the id ``name``; ValueError for an unfit fault."""
    kind = fault.kind if fault else "ok"
    if kind == "drop":
        return Result("error", "")
    if fault is not None and kind == "status":
        return Result("error", _line(line, name, fault.status, fault_body(fault)))
    if kind == "expire":
        message = "This request could not be executed before the completion window expired."
        error = {"code": "batch_expired", "message": message}
        entry = {"id": name, "custom_id": line.custom_id, "response": None, "error": error}
        return Result("error", json.dumps(entry), expired=True)
    if kind == "garbage":
        return Result("output", "<html>")
    if fault is not None and kind not in ("length", "refusal", "empty", "cut", "slow"):
        raise ValueError(f"a fault of kind {kind} is not for a line of a batch")
    body = completion(line.body, text, kind)
    whole = _line(line, name, 200, body)
    text = whole[: int(len(whole) * fault.part)] if fault is not None and kind == "cut" else whole
    return Result("output", text, body["usage"])


def failed_result(line: Line, error: Exception, name: str) -> Result:
    """A line for which the brain raised an error."""
    body = error_body(f"{type(error).__name__}: {error}", "loopback_error")
    return Result("error", _line(line, name, 500, body))


def _line(line: Line, name: str, status: int, body: Body) -> str:
    response = {"status_code": status, "request_id": name.replace("batch_req", "req"), "body": body}
    return json.dumps({"id": name, "custom_id": line.custom_id, "response": response, "error": None})


def sum_usage(usages: list[Body]) -> Body:
    """The tokens of a batch, under the names that batches use."""
    summed: Body = {new: sum(usage[old] for usage in usages) for old, new in _TOKEN_KEYS.items()}
    cached = sum(usage["prompt_tokens_details"]["cached_tokens"] for usage in usages)
    return {
        **summed,
        "input_tokens_details": {"cached_tokens": cached},
        "output_tokens_details": {"reasoning_tokens": 0},
    }
