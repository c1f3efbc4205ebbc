"""The models that an operator or another object holds in its options."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from pydantic import BaseModel

from dataflow_ext.models.request import Model


def models_in(value: object) -> Iterator[Model]:
    """The models among the options of an object, those inside maps, lists and other objects too.

    >>> from dataflow_ext.models import ScriptedModel
    >>> [model.name for model in models_in({"judges": [ScriptedModel([], name="a"), 7]})]
    ['a']
    """
    if isinstance(value, Model):
        yield value
    elif isinstance(value, BaseModel):
        for name in type(value).model_fields:
            yield from models_in(getattr(value, name))
    elif isinstance(value, Mapping):
        for each in value.values():
            yield from models_in(each)
    elif isinstance(value, list | tuple | set | frozenset):
        for each in value:
            yield from models_in(each)
