"""Words that any text may use whatever it is about, and how words that belong together are found."""

from __future__ import annotations

import re
from functools import lru_cache

from dataflow_ext.text.general_english import COMPARED, WORDS
from dataflow_ext.text.tokens import stem

_AGENTIVE = re.compile(r"(?:er|or)s?$")
_AMERICAN = [
    (re.compile(r"(?<=\w{3})is(?=(?:e|ed|es|ing|ation|ations)$)"), "iz"),
    (re.compile(r"(?<=\w{2})our(?=\w*$)"), "or"),
    (re.compile(r"(?<=[^aeiou])tre(?=s?$)"), "ter"),
    (re.compile(r"(?<=\w{3})ll(?=(?:ed|ing)$)"), "l"),
    (re.compile(r"grey"), "gray"),
]

#: Chinese and Japanese words of the same kind, for plans in those languages.
EASTERN = """
的 了 是 在 和 与 或 及 并 且 而 但 则 因 为 因为 所以 因此 由于 从而 使 使得 让 以 以便 即 将 会 要 需 需要
必须 应 应该 可 可以 能 能够 不 未 没有 无法 否则 如果 若 一旦 那么 这 那 此 该 其 它 它们 之 之前 之后 以前
以后 然后 接着 随后 随着 当 时 已 已经 仍 还 也 都 就 才 只 只有 前 后 先 再 又 被 把 对 对于 从 到 由 按 按照
根据 通过 上述 同时 步骤 这一步 上一步 下一步 当前 计划 目标 条件 前提 前置 结果 效果 状态 关系 空间 功能 失败
恢复 策略 原因 理由 动作 操作 完成 执行 进行 继续 重试 满足 成立 支持 确保 保证 保持 导致 实现 建立 提供 要求
说明 表明 符合 一致 因而 于是 这样 这些 正确 合理 可能 必要 直接 顺利 成功 最终 整个 后续 接下来 物体 对象 工具
顺序 缺少 破坏 得到 发生 处于 具备 此时 それ これ は が を に で と の も へ する した して です ます ため から
まで
""".split()  # noqa: SIM905 - as a text it can be read


@lru_cache(maxsize=1)
def general_words() -> frozenset[str]:
    """The list's words as they stand in it, and what is more or most so: small letters."""
    listed = {word for line in WORDS.splitlines() if not line.startswith("#") for word in line.split()}
    return frozenset(listed.union(*map(_compared, COMPARED.split())))


def _compared(adjective: str) -> tuple[str, ...]:
    """An adjective of one or two syllables, its comparative and its superlative.

    >>> _compared("safe"), _compared("easy"), _compared("strong")
    (('safe', 'safer', 'safest'), ('easy', 'easier', 'easiest'), ('strong', 'stronger', 'strongest'))
    """
    root = re.sub("(?<=[^aeiou])y$", "i", adjective.removesuffix("e"))
    return adjective, f"{root}er", f"{root}est"


@lru_cache(maxsize=1)
def general_roots() -> frozenset[str]:
    """The roots of the list's words."""
    return frozenset(root_of(word) for word in general_words())


@lru_cache(maxsize=1 << 16)
def root_of(word: str) -> str:
    """What the forms of an English word have in common; one who does is not what he does.

    >>> root_of("labelled") == root_of("labels"), root_of("organise") == root_of("organizing")
    (True, True)
    >>> root_of("container") == root_of("contained"), root_of("containers") == root_of("container")
    (False, True)
    """
    if not word.isascii():
        return word
    for british, american in _AMERICAN:
        word = british.sub(american, word)
    root, bare = stem(word), word.removesuffix("s")
    return bare if _AGENTIVE.search(word) and len(root) < len(bare) else root
