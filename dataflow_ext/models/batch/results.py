"""What the lines of a batch's result files mean."""

from __future__ import annotations

import json
import os
from collections.abc import Container, Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO

from dataflow_ext.errors import DataflowError
from dataflow_ext.models.batch.jobs import Job
from dataflow_ext.models.call_failures import status_failure, unknown_failure
from dataflow_ext.models.chat_reply import QUOTE, read_reply
from dataflow_ext.models.errors import RefusedError, ServerFailedError
from dataflow_ext.models.http.body import MOST_BODY
from dataflow_ext.models.masking import masked
from dataflow_ext.models.request import Reply
from dataflow_ext.models.server_json import read_json

if TYPE_CHECKING:
    from dataflow_ext.models.openai_model import OpenAIModel


def outcomes(job: Job, model: OpenAIModel, wanted: Container[str]) -> dict[str, Reply | DataflowError]:
    """What each wanted request of a fetched job came to; those that are in no result file are missing."""
    found: dict[str, Reply | DataflowError] = {}
    for path in (job.errors, job.output):
        for line in _lines(path):
            key = line.get("custom_id")
            if isinstance(key, str) and key in wanted:
                found[key] = _outcome(line, model)
    return found


def _outcome(line: Mapping[str, Any], model: OpenAIModel) -> Reply | DataflowError:
    response, error = line.get("response"), line.get("error")
    key = os.environ.get(model.api_key_env, "").strip()
    if not isinstance(response, Mapping):
        said = masked(str(error.get("message")), key)[:QUOTE] if isinstance(error, Mapping) else "no reason given"
        return ServerFailedError(f"{model.server} did not make this request of a batch: {said}")
    body, status = json.dumps(response.get("body")).encode(), response.get("status_code") or 200
    try:
        if isinstance(status, int) and status != 200:
            raise status_failure(status, body, {}, model.server, key)  # as for a direct call with this answer
        return replace(read_reply(body, model.name, key=key), batch=True)
    except Exception as failure:
        return _by_batch(unknown_failure(failure, model.server, key))


def _by_batch(failure: DataflowError) -> DataflowError:
    if isinstance(failure, RefusedError) and failure.reply is not None:
        failure.reply = replace(failure.reply, batch=True)
    return failure


def _lines(path: Path) -> Iterator[Mapping[str, Any]]:
    if path.exists():
        with path.open("rb") as file:
            for text in bounded_lines(file):
                line = _parsed(text)
                if line is not None:
                    yield line


def bounded_lines(file: BinaryIO) -> Iterator[bytes]:
    """The lines of a file; those beyond the bound of a reply come in pieces, none of which is JSON."""
    while text := file.readline(MOST_BODY):
        yield text


def _parsed(text: bytes) -> Mapping[str, Any] | None:
    try:
        line = read_json(text)
    except ValueError:
        return None
    return line if isinstance(line, dict) else None
