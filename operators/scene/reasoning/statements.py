"""A claim as a plain sentence of its own, put by code where a judge rejects the words around it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from importlib.resources import files

from dataflow_ext.claims import ClaimError, check, fill, parse
from dataflow_ext.claims.expressions import Call
from operators.scene.claims.world import RoomWorld
from operators.scene.reasoning.words import sentence, the

#: Sorts whose arguments are no things, and so have no article.
_BARE = ("kind", "direction", "call")


def stated(source: str, world: RoomWorld) -> str | None:
    """The claim as a sentence with its mark; None if no text of the table says it, or if it is not proven so."""
    try:
        claim = parse(source)
    except ClaimError:
        return None
    term = world.vocabulary.by_word.get(claim.word) if isinstance(claim, Call) else None
    if not isinstance(claim, Call) or term is None:
        return None
    state = next((s for s in world.vocabulary.states if claim.arguments and str(claim.arguments[-1]) == s), "")
    arguments = [str(each) for each in claim.arguments[: -1 if state else None]]
    sorts = [parameter.rstrip("?").split("|")[0] for parameter in term.parameters]
    names = [name if sort in _BARE else the(name) for name, sort in zip(arguments, sorts, strict=False)]
    names = [name for name, sort in zip(names, sorts, strict=False) if sort != "call"]
    text = _texts().get((claim.word, len(names)))
    if text is None or len(names) != len(arguments) - sum(sort == "call" for sort in sorts[: len(arguments)]):
        return None
    said = text.replace("{}", f"{{{source}}}") if term.is_measure else f"{text} [{source}]"
    for place, name in enumerate(names):
        said = said.replace(f"{{{place}}}", name)
    made = fill(sentence(f"{said}{' after this turn' if state == 'after' else ''}"), world)
    return made if [each.verdict for each in check(made, world).sentences] == ["proven"] else None


def restated(sources: Sequence[str], world: RoomWorld) -> str:
    """The claims of a sentence as sentences with their marks; nothing for those that none says."""
    return " ".join(dict.fromkeys(said for source in sources if (said := stated(source, world))))


@cache
def _texts() -> Mapping[tuple[str, int], str]:
    """The texts by their term and how many arguments they name."""
    lines = (files("operators.scene.data") / "statements.tsv").read_text(encoding="utf-8").splitlines()[1:]
    rows = (line.split("\t") for line in lines)
    return {(term, sum(f"{{{n}}}" in text for n in range(3))): text for term, text in rows}
