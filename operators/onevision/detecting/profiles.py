"""The four forms of server that look for objects: what each is sent, and what its reply says."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from operators.onevision.detecting.found import Found, FoundObject, ShapeError, field, listed, number, size_of, words

ProfileName = Literal["hf", "roboflow", "deepdataspace", "simple"]

#: Of boxes that overlap by more than this share DeepDataSpace keeps one.
_OVERLAP = 0.8


@dataclass(frozen=True, slots=True)
class Ask:
    """What is to be looked for: the picture as a ``data:`` URL, labels, the least score, and who is asked."""

    picture: str
    labels: Sequence[str]
    threshold: float
    model: str
    key: str | None

    @property
    def base64(self) -> str:
        """The picture's bytes in base64."""
        return self.picture.partition(",")[2]


@dataclass(frozen=True, slots=True)
class Profile:
    """A form of server.

    ``path`` is what its address ends in. ``headers`` are those that carry the key, ``body`` is the JSON that is
    posted, and ``found`` reads the JSON that comes back, where ShapeError says what is wrong with it. ``tasks``
    tells that the reply to the post is no more than a task, whose state has to be asked for, and ``names_model`` that
    the body names a model.
    """

    path: str
    headers: Callable[[str], Mapping[str, str]]
    body: Callable[[Ask], dict[str, Any]]
    found: Callable[[Any], Found]
    tasks: bool = False
    names_model: bool = False


def _bearer(key: str) -> Mapping[str, str]:
    return {"Authorization": f"Bearer {key}"}


def _hf_body(ask: Ask) -> dict[str, Any]:
    # The task has no parameter for the least score; what is below it is left out here.
    return {"inputs": ask.base64, "parameters": {"candidate_labels": list(ask.labels)}}


def _hf_found(reply: Any) -> Found:
    objects = []
    for place, each in enumerate(listed(reply, "the reply")):
        where = f"[{place}]"
        box = field(each, "box", where)
        sides = (number(field(box, side, f"{where}.box"), f"{where}.box") for side in ("xmin", "ymin", "xmax", "ymax"))
        objects.append(_object(each, where, "label", "score", sides))
    return Found(tuple(objects))


def _roboflow_body(ask: Ask) -> dict[str, Any]:
    body: dict[str, Any] = {
        "image": {"type": "base64", "value": ask.base64},
        "text": list(ask.labels),
        "box_threshold": ask.threshold,
        "text_threshold": ask.threshold,
    }
    return body if ask.key is None else {"api_key": ask.key, **body}


def _roboflow_found(reply: Any) -> Found:
    objects = []
    for place, each in enumerate(listed(field(reply, "predictions", "the reply"), "predictions")):
        where = f"predictions[{place}]"
        x, y, width, height = (number(field(each, name, where), where) for name in ("x", "y", "width", "height"))
        sides = (x - width / 2, y - height / 2, x + width / 2, y + height / 2)
        objects.append(_object(each, where, "class", "confidence", sides))
    image = reply.get("image")
    if image is None:
        return Found(tuple(objects))
    return Found(tuple(objects), size_of(field(image, "width", "image"), field(image, "height", "image")))


def _deepdataspace_body(ask: Ask) -> dict[str, Any]:
    return {
        "model": ask.model,
        "image": ask.picture,
        "prompt": {"type": "text", "text": text_prompt(ask.labels)},
        "targets": ["bbox"],
        "bbox_threshold": ask.threshold,
        "iou_threshold": _OVERLAP,
    }


def _deepdataspace_found(reply: Any) -> Found:
    objects = []
    for place, each in enumerate(listed(field(reply, "objects", "the task's result"), "objects")):
        where = f"objects[{place}]"
        objects.append(_object(each, where, "category", "score", _corners(each, "bbox", where)))
    return Found(tuple(objects))


def _simple_body(ask: Ask) -> dict[str, Any]:
    return {"image": ask.base64, "labels": list(ask.labels), "threshold": ask.threshold}


def _simple_found(reply: Any) -> Found:
    objects = []
    for place, each in enumerate(listed(field(reply, "detections", "the reply"), "detections")):
        where = f"detections[{place}]"
        objects.append(_object(each, where, "label", "score", _corners(each, "box", where)))
    relative, size = reply.get("relative"), reply.get("size")
    if not isinstance(relative, bool | None):
        raise ShapeError(f"'relative' is {relative!r}, not true or false")
    if relative:
        return Found(tuple(objects), (1.0, 1.0))
    return Found(tuple(objects), None if size is None else size_of(*listed(size, "size", 2)))


def text_prompt(labels: Sequence[str]) -> str:
    """Labels as one text, in Grounding DINO's form.

    >>> text_prompt(["ball", "inclined plane"])
    'ball . inclined plane .'
    """
    return " . ".join(labels) + " ."


def _corners(each: Any, name: str, where: str) -> list[float]:
    return [number(side, f"{where}.{name}") for side in listed(field(each, name, where), f"{where}.{name}", 4)]


def _object(each: Any, where: str, label: str, score: str, sides: Any) -> FoundObject:
    x0, y0, x1, y1 = sides
    return FoundObject(
        words(field(each, label, where), f"{where}.{label}"),
        number(field(each, score, where), f"{where}.{score}"),
        (x0, y0, x1, y1),
    )


PROFILES: Mapping[ProfileName, Profile] = {
    "hf": Profile("", _bearer, _hf_body, _hf_found),
    "roboflow": Profile("/grounding_dino/infer", lambda key: {}, _roboflow_body, _roboflow_found),
    "deepdataspace": Profile(
        "/v2/task/grounding_dino/detection",
        lambda key: {"Token": key},
        _deepdataspace_body,
        _deepdataspace_found,
        tasks=True,
        names_model=True,
    ),
    "simple": Profile("/detect", _bearer, _simple_body, _simple_found),
}
