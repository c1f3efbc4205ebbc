"""The offline model of the PDF pipeline: rules that answer a request from the blocks behind it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from dataflow_ext.errors import ModelError
from dataflow_ext.models import Reply, Request
from operators.pdf.reply import render


@dataclass(frozen=True, slots=True)
class PDFRules:
    """A model that needs no key and no network: it reads the blocks in ``request.context``, boxes included.

    Of several readings it takes the one that leaves least of the book odd. It replies in
    the same XML as any other model, with its doubts; its rows say ``extracted_by`` "rules".
    It has no options. A request without blocks behind it is a :class:`ModelError`.

    >>> from asyncio import run
    >>> from operators.pdf.blocks import Block
    >>> blocks = [Block(n, "text", text) for n, text in enumerate(["1. What is 2 + 2?", "Answers", "1. 4"])]
    >>> run(PDFRules().complete(Request("", context=blocks))).text.count("<qa_pair>")
    2
    """

    local: ClassVar[bool] = True
    portable: ClassVar[bool] = True
    #: The name that records show.
    name: ClassVar[str] = "rules"

    async def complete(self, request: Request) -> Reply:
        """The pairs that the rules find."""
        from operators.pdf.doubts.judge import judge

        if not isinstance(request.context, list):
            raise ModelError("The rules read blocks, and this request has none behind it.")
        return Reply(text=render(judge(request.context).reply()), model=self.name, origin="local")

    def identity(self) -> Mapping[str, object]:
        """The rules have no settings; their code is part of the fingerprint of the step that uses them."""
        return {"model": "PDFRules"}
