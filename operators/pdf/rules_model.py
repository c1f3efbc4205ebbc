"""The offline model of the PDF pipeline: rules that answer a request from the blocks behind it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

from pydantic import BaseModel, ConfigDict

from dataflow_ext.errors import ModelError
from dataflow_ext.models import Reply, Request
from operators.pdf.reply import render


class PDFRules(BaseModel):
    """A model that needs no key and no network: it reads the blocks in ``request.context``, boxes included.

    Of several readings it takes the one that leaves least of the book odd. It replies in
    the same XML as any other model, with its doubts; its rows say ``extracted_by`` "rules".
    """

    model_config = ConfigDict(frozen=True, extra="forbid")
    local: ClassVar[bool] = True
    portable: ClassVar[bool] = True

    @property
    def name(self) -> str:
        """The name that records show."""
        return "rules"

    async def complete(self, request: Request) -> Reply:
        """The pairs that the rules find; :class:`ModelError` if the request has no blocks behind it."""
        from operators.pdf.doubts.judge import judge

        if not isinstance(request.context, list):
            raise ModelError("The rules read blocks, and this request has none behind it.")
        return Reply(text=render(judge(request.context).reply()), model=self.name, origin="local")

    def identity(self) -> Mapping[str, object]:
        """The rules have no settings; their code is part of the fingerprint of the step that uses them."""
        return {"model": "PDFRules"}
