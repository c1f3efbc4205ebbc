"""Questions with known answers, and models that answer them as a test wants."""

import json
import re
from collections.abc import Callable

import pyarrow as pa

from dataflow_ext.models import Reply, Request, ScriptedModel
from operators import QuestionReader

PLAIN = {"question": "What is 2 + 2?", "answer": "4"}
CHOICE = {"question": "How long is the rod? A. 3 m B. 4 m C. 5 m D. 6 m", "answer": "B"}
WORDED = {"question": "Why does it rain?", "answer": "because the clouds cool down"}


def read(*rows: dict, **options) -> pa.Table:
    """The rows as a sampler takes them."""
    columns = {name for row in rows for name in row} - {"question", "answer", "row_id"}
    return QuestionReader(has=sorted(columns), **options)(pa.Table.from_pylist(list(rows)))


def boxed(*answers: str) -> ScriptedModel:
    """A solver whose n-th attempt at any question gives the n-th answer, the last one from there on."""
    return ScriptedModel(lambda request: f"\\boxed{{{answers[min(request.seed, len(answers) - 1)]}}}", name="solver")


def judge(says: Callable[[str, str], bool | str]) -> ScriptedModel:
    """A judge that says of two answers whether they are the same, or something else."""

    def reply(request: Request) -> str | Reply:
        said = says(*re.findall(r"<answer_\d>\n(.*?)\n</answer_\d>", request.prompt, re.DOTALL))
        return said if not isinstance(said, bool) else json.dumps({"reason": "so it reads", "same": said})

    return ScriptedModel(reply, name="judge")
