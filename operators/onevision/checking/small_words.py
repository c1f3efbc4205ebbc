"""Small words of English and usual words of Chinese, and where they cannot stand.

They stand in a module and not in a file of their own, so that a change of them changes the code.
"""

from __future__ import annotations

from operators.onevision.checking.words import listed

#: Words after which something has to follow that is named.
ARTICLES = listed("the a an its their our his my your")
#: Words that stand before a noun's own words, so they do not follow an article.
BEFORE_NOUNS = listed(
    "the a an its their our his my your this these those of from with into onto for at by during between among under "
    "through against toward towards upon per"
)
LINKS = listed("and or but because so if since while whereas although than then that which who where when")
VERBS = listed(
    "is are was were be been am has have had does do did can could will would should must may might cannot isn't "
    "doesn't it they we he she i you there"
)

_STRICT = sorted(listed("of from with into onto for at between among during against"))
_MODALS = sorted(listed("can could will would must should may might cannot"))
_SUBJECTS = sorted(listed("we they he she i"))
_BE = sorted(listed("is are was were"))

#: What cannot follow each of these words (beside articles, which have a rule of their own).
FOLLOWS_NEVER: dict[str, frozenset[str]] = {
    **{word: frozenset() for word in ARTICLES},
    **{word: listed("of and or but is are was were has can will because") for word in _STRICT},
    **{word: listed("the a an of from and or but in on at is are was were can will") for word in _MODALS},
    **{word: listed("the a an of in at on from with for by and") for word in _SUBJECTS},
    **{word: listed("is are was were has have can will must of do does did and or") for word in _BE},
    "to": listed("of and or is are was were has can will in at by"),
    "and": listed("and or of"),
    "or": listed("and of"),
    "but": listed("and of or"),
    "because": listed("and or is are was were has can will be"),
    "than": listed("and or of is are was has"),
    "be": listed("is are was were has have can will of and must we they"),
    "in": listed("is are was were of has can will must"),
    "by": listed("is are was were of has can will must and"),
    "since": listed("is are was were of and or has have"),
    "if": listed("is are was were of and or has have"),
    "whether": listed("is are was were of and has have can will"),
    "has": listed("is are was were of has can will and"),
    "it": listed("the a an of"),
    "which": listed("and or of"),
    "very": listed("the a an of is are and in to"),
}

#: Words that end no sentence.
ENDINGS_NEVER = ARTICLES | frozenset(
    (*_STRICT, "and", "or", "but", "because", "than", "we", "they", "very", "be", "must")
)

#: Words that are written large only where a sentence begins.
OPENING = listed(
    "the a an as because since so therefore thus hence this these those there it its in on at from by with if when "
    "while and but or to for first then next finally also both each every all some after before now here looking "
    "adding according we they he she their our among between starting using given let however what which of is are "
    "was were"
)

#: Signs between two things, what cannot stand behind one, and the words that stand on neither side of one.
SIGNS = listed("= + × ÷ ≈ ·")
SIGNS_AFTER_NEVER = SIGNS - {"+"} | listed(". , ; ? ! / 。 ， ； ？ ！ 、")
AROUND_SIGNS_NEVER = listed(
    "the a an of is are was and or so to in on at by with from for because hence therefore thus gives which that be "
    "has this these would should must could they we since while whether what"
)

#: Usual Chinese words of reasonings: what stands between a question's own words.
CHINESE_WORDS = tuple(
    """
    因此 所以 因为 由于 可以 可知 看到 看出 图中 图片 图像 根据 得到 得出 从而 已知 题目 问题 答案 选项 正确 选择
    应选 应该 观察 首先 其次 然后 接着 最后 最终 一共 总共 共有 共计 分别 表示 说明 显示 位于 其中 这个 这些 那么
    我们 需要 如果 不是 没有 就是 也就 就有 即为 等于 大于 小于 大约 相等 相加 相减 相乘 相除 乘以 除以 加上 减去
    之和 之差 之积 两边 同时 代入 计算 结果 成立 等式 方程 公式 面积 周长 体积 长度 高度 宽度 半径 直径 角度 度数
    三角 直角 直线 平行 垂直 对应 符合 最高 最低 最大 最小 最多 最少 最接 接近 比较 比例 数量 数值 数字 数据 单位
    平均 总数 总和 百分 分之 之一 之间 左边 右边 左侧 右侧 上方 下方 上面 下面 中间 旁边 附近 前面 后面 中央 物体
    质量 重力 重量 拉力 张力 压力 摩擦 速度 时间 距离 路程 电流 电压 电阻 电路 电源 串联 并联 平衡 静止 运动 方向
    向上 向下 向左 向右 第一 第二 第三 第四 一个 两个 三个 四个 五个 六个 一条 两条 一张 一只 只有 都是 还有 以及
    而且 并且 但是 不过 而不 另外 其他 其余 剩下 所有 每个 每一 一种 这种 这里 这样 这一 这说 的是 是一 在图 的数
    的面 的长 的高 的答 的值 为了 要求 求出 求得 解得 可得 得知 知道 属于 关系 条件 满足 步骤 方法 过程 推理 判断
    排除 确定 确认 验证 检验 描述 标注 标记 标有 写着 表格 图表 柱状 折线 扇形 统计 人数 学生 颜色 红色 蓝色 绿色
    黄色 白色 黑色 形状 圆形 方形 左上 右上 左下 右下 顶部 底部 里面 外面 于是 故选 因而 进而 随后 正是 恰好 刚好
    正好 显然 明显 清楚 具体 整个 部分 例如 比如 关于 对于 通过 利用 使用 按照 增加 减少 增长 下降 上升 变化 保持
    不变 相同 不同 一样 相似 相差 相比 多少 几个 哪个 什么 为什 怎么 如何 是否 能够 不能 不会 不在 存在 出现 具有
    包含 包括 组成 连接 经过 到达 开始 结束 起点 终点 出发 指向 进入 下一 上一 一步 流程
    """.split()  # noqa: SIM905 - as a text it can be read
)
