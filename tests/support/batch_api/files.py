"""Files that were uploaded to the loopback server or made by its batches."""

from __future__ import annotations

import re
import time
from collections.abc import Sequence
from dataclasses import dataclass
from urllib.parse import parse_qs, urlsplit

from tests.loopback.replies import Body, error_reply, json_reply
from tests.loopback.wire import Incoming, Outgoing


@dataclass(frozen=True)
class StoredFile:
    """A file's content, and what the API tells of it."""

    id: str
    filename: str
    purpose: str
    content: bytes
    created_at: int

    def described(self) -> Body:
        """The file as the API describes it."""
        return {
            "id": self.id,
            "object": "file",
            "bytes": len(self.content),
            "created_at": self.created_at,
            "filename": self.filename,
            "purpose": self.purpose,
            "status": "processed",
            "expires_at": None,
            "status_details": None,
        }


class FileStore:
    """The files by their ids, oldest first."""

    def __init__(self) -> None:
        self.files: dict[str, StoredFile] = {}
        self._made = 0

    def add(self, filename: str, purpose: str, content: bytes) -> StoredFile:
        """Keep a new file."""
        self._made += 1
        file = StoredFile(f"file-{self._made:06}", filename, purpose, content, int(time.time()))
        self.files[file.id] = file
        return file

    def answer(self, route: str, name: str, incoming: Incoming) -> Outgoing:
        """The reply to a request about files."""
        if route == "POST /files":
            return self._upload(incoming)
        if route == "GET /files":
            return self._list(incoming)
        if (file := self.files.get(name)) is None:
            return error_reply(404, f"No such File object: {name}", param="id")
        if route == "GET /files/{id}/content":
            return Outgoing(file.content, content_type="application/octet-stream")
        if route == "DELETE /files/{id}":
            del self.files[name]
            return json_reply({"id": name, "object": "file", "deleted": True})
        return json_reply(file.described())

    def _upload(self, incoming: Incoming) -> Outgoing:
        parts = form_parts(incoming.headers.get("content-type", ""), incoming.body)
        missing = next((key for key in ("file", "purpose") if key not in parts), None)
        if missing is not None:
            return error_reply(400, f"'{missing}' is a required property", "missing_required_parameter", missing)
        filename, content = parts["file"]
        return json_reply(self.add(filename, parts["purpose"][1].decode(), content).described())

    def _list(self, incoming: Incoming) -> Outgoing:
        query = query_of(incoming)
        entries = [
            file.described() for file in self.files.values() if query.get("purpose", file.purpose) == file.purpose
        ]
        return page(entries if query.get("order") == "asc" else entries[::-1], query, 10_000)


def page(entries: Sequence[Body], query: dict[str, str], limit: int) -> Outgoing:
    """The part of a list that follows the entry named by ``after``, at most ``limit`` long."""
    after, limit = query.get("after"), int(query.get("limit", limit))
    start = next((n + 1 for n, entry in enumerate(entries) if entry["id"] == after), 0)
    shown = entries[start : start + limit]
    return json_reply(
        {
            "object": "list",
            "data": shown,
            "first_id": shown[0]["id"] if shown else None,
            "last_id": shown[-1]["id"] if shown else None,
            "has_more": start + limit < len(entries),
        }
    )


def query_of(incoming: Incoming) -> dict[str, str]:
    """The query's values by their names."""
    return {name: values[-1] for name, values in parse_qs(urlsplit(incoming.target).query).items()}


def form_parts(content_type: str, body: bytes) -> dict[str, tuple[str, bytes]]:
    r"""File name and content of each field in a ``multipart/form-data`` body; an empty dict if it is none.

    >>> body = b'--x\r\nContent-Disposition: form-data; name="purpose"\r\n\r\nbatch\r\n--x--\r\n'
    >>> form_parts("multipart/form-data; boundary=x", body)
    {'purpose': ('', b'batch')}
    """
    found = re.search(r'boundary="?([^";]+)"?', content_type)
    if found is None:
        return {}
    fields = {}
    for part in (b"\r\n" + body).split(b"\r\n--" + found[1].encode())[1:]:
        head, _, content = part.partition(b"\r\n\r\n")
        name, filename = re.search(rb'\bname="([^"]*)"', head), re.search(rb'\bfilename="([^"]*)"', head)
        if name is not None:
            fields[name[1].decode()] = (filename[1].decode() if filename else "", content)
    return fields
