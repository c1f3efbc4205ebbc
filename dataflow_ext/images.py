"""Pictures in tables: ``struct<bytes, path>``, which Parquet readers of ``datasets`` open as images."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass

import pyarrow as pa

#: Bytes first, path second: the order that ``datasets`` expects of its Image feature.
IMAGE = pa.struct([("bytes", pa.binary()), ("path", pa.string())])

#: Another name, as within the class below ``bytes`` is the field.
_Bytes = bytes


@dataclass(slots=True)
class Image:
    """A picture as bytes, as the path of its file, or both; a column of them is declared as ``Image``.

    >>> from dataflow_ext.columns import arrow_type
    >>> arrow_type(Image) == IMAGE
    True
    """

    bytes: _Bytes | None = None
    path: str | None = None


def with_image_features(table: pa.Table, names: Sequence[str] | None = None) -> pa.Table:
    """The table with schema metadata that makes ``datasets`` open its picture columns as ``Image``.

    Without ``names`` every column of type ``struct<bytes, path>``, or a list of it, is meant.
    """
    features = {}
    for f in table.schema:
        if names is not None and f.name not in names:
            continue
        if f.type == IMAGE:
            features[f.name] = {"_type": "Image"}
        elif pa.types.is_list(f.type) and f.type.value_type == IMAGE:
            features[f.name] = [{"_type": "Image"}]  # type: ignore[assignment]
    if not features:
        return table
    info = json.dumps({"info": {"features": features}})
    return table.replace_schema_metadata({**(table.schema.metadata or {}), "huggingface": info})
