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


def as_images(table: pa.Table) -> pa.Table:
    """The table with its pictures as :data:`IMAGE`, also those that other programs gave other types of bytes or text.

    >>> other = pa.struct([("bytes", pa.large_binary()), ("path", pa.large_string())])
    >>> table = pa.table({"seen": pa.array([{"bytes": b"x", "path": "a.png"}], other)})
    >>> as_images(table).schema.field("seen").type == IMAGE
    True
    """
    for at, field in enumerate(table.schema):
        listed = pa.types.is_list(field.type) or pa.types.is_large_list(field.type)
        kind = field.type.value_type if listed else field.type
        if pa.types.is_struct(kind) and {each.name for each in kind} == {"bytes", "path"}:
            wanted = pa.list_(IMAGE) if listed else IMAGE
            if field.type != wanted:
                table = table.set_column(at, field.name, pa.array(table[field.name].to_pylist(), wanted))
    return table


def with_image_features(table: pa.Table, names: Sequence[str] | None = None) -> pa.Table:
    """The table with schema metadata that makes ``datasets`` open its picture columns as ``Image``.

    Without ``names`` every column of type ``struct<bytes, path>``, or a list of it, is meant, whichever types of
    bytes and text it has.
    """
    table = as_images(table)
    return table.replace_schema_metadata(image_schema(table.schema, names).metadata)


def image_schema(schema: pa.Schema, names: Sequence[str] | None = None) -> pa.Schema:
    """The schema of pictures and other columns with the metadata of :func:`with_image_features`."""
    features: dict[str, object] = {}
    for f in schema:
        if names is not None and f.name not in names:
            continue
        if f.type == IMAGE:
            features[f.name] = {"_type": "Image"}
        elif pa.types.is_list(f.type) and f.type.value_type == IMAGE:
            features[f.name] = [{"_type": "Image"}]
    if not features:
        return schema
    info = json.dumps({"info": {"features": features}})
    return schema.with_metadata({**(schema.metadata or {}), "huggingface": info})
