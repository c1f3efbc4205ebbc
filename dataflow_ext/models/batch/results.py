"""What the lines of a batch's result files mean."""

from __future__ import annotations

import json
import os
from collections.abc import Container, Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from dataflow_ext.errors import ModelError
from dataflow_ext.models.batch.jobs import Job
from dataflow_ext.models.chat import call_failure, read_reply
from dataflow_ext.models.errors import RefusedError, ServerFailedError
from dataflow_ext.models.openai_model import status_error
from dataflow_ext.models.request import Reply

if TYPE_CHECKING:
    from dataflow_ext.models.openai_model import OpenAIModel


def outcomes(job: Job, model: OpenAIModel, wanted: Container[str]) -> dict[str, Reply | ModelError]:
    """What each wanted request of a fetched job came to; those that are in no result file are missing."""
    found: dict[str, Reply | ModelError] = {}
    for path in (job.errors, job.output):
        for line in _lines(path):
            key = line.get("custom_id")
            if isinstance(key, str) and key in wanted:
                found[key] = _outcome(line, model)
    return found


def _outcome(line: Mapping[str, Any], model: OpenAIModel) -> Reply | ModelError:
    response, error = line.get("response"), line.get("error")
    if not isinstance(response, Mapping):
        said = error if isinstance(error, Mapping) else {}
        return ServerFailedError(f"{model.server} did not make this request of a batch: {said.get('message')}")
    body, status = response.get("body"), response.get("status_code") or 200
    if status != 200:
        return _failure(status, body, model)
    try:
        return replace(read_reply(json.dumps(body).encode(), model.name), batch=True)
    except ModelError as failure:
        return _by_batch(failure.with_traceback(None))


def _failure(status: int, body: Any, model: OpenAIModel) -> ModelError:
    """The same error that a direct call with this answer raises."""
    error = status_error(status, json.dumps(body).encode(), {}, model.server)
    return _by_batch(call_failure(error, model.server, os.environ.get(model.api_key_env, "")))


def _by_batch(failure: ModelError) -> ModelError:
    if isinstance(failure, RefusedError) and failure.reply is not None:
        failure.reply = replace(failure.reply, batch=True)
    return failure


def _lines(path: Path) -> Iterator[Mapping[str, Any]]:
    if path.exists():
        with path.open("rb") as file:
            for text in file:
                line = _parsed(text)
                if line is not None:
                    yield line


def _parsed(text: bytes) -> Mapping[str, Any] | None:
    try:
        line = json.loads(text)
    except ValueError:
        return None
    return line if isinstance(line, dict) else None
