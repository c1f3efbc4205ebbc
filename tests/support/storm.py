"""Rows through a server, in a process of their own that tells at the end what became of them and of its memory."""

from __future__ import annotations

import json
import os
import sys
from collections import Counter
from pathlib import Path
from typing import Any

from dataflow_ext import RowOperator, run
from dataflow_ext.models import Model, OpenAIModel, Request, RequestCache, Session, complete
from dataflow_ext.models.gate import retry

#: Seconds for a call; those that a server drips or keeps silent take all of them.
TIMEOUT = 1.5


class Ask(RowOperator):
    """The reply to a text."""

    inputs, outputs = {"text": str}, {"reply": str}

    model: Model

    async def row(self, text: str) -> dict[str, str]:
        return {"reply": (await complete(self.model, Request(text))).text}


def peak() -> int:
    """Most bytes of memory that this process has had at a time."""
    status = Path("/proc/self/status").read_text(encoding="ascii")
    return int(status.partition("VmHWM:")[2].split()[0]) * 1024


def told(url: str, folder: str, rows: int) -> dict[str, Any]:
    """What came of so many rows."""
    retry.FIRST_WAIT = 0.01
    model = OpenAIModel(name="m", base_url=url, timeout=TIMEOUT, max_retries=6)
    session = Session(RequestCache(Path(folder, "requests.sqlite")), max_in_flight=32)
    before = peak()
    table = [{"text": f"question {n}"} for n in range(rows)]
    result = run([Ask(model=model)], table, cache_dir=folder, session=session)
    (usage,) = session.usage.values()
    rejects = result.rejects.to_pylist()
    Path(folder, "rejects.json").write_text(json.dumps(rejects), encoding="utf-8")
    return {
        "answered": result.table["text"].to_pylist(),
        "rejected": [json.loads(reject["inputs"])["text"] for reject in rejects],
        "errors": Counter(reject["error"] for reject in rejects),
        "figures": usage.as_dict(),
        "grown": peak() - before,
    }


if __name__ == "__main__":
    print(json.dumps(told(sys.argv[1], sys.argv[2], int(sys.argv[3]))), flush=True)
    os._exit(0)  # connections may still be under way
