"""The Chinese words that the translator knows, sorted for someone who looks for one."""

from collections.abc import Iterable

_GROUPS = {
    "people": (
        "我 你 他 她 我们 你们 他们 小明 小红 安娜 汤姆 妈妈 爸爸 哥哥 老师 学生 朋友 医生 孩子 "
        "中国人 美国人"
    ),
    "doing": (
        "爱 喜欢 想 要 有 是 去 来 回 在 住 坐 吃 喝 买 看 听 说 学习 工作 睡觉 唱歌 跳舞 游泳 "
        "吃饭 做饭 认识 知道 帮助 等 叫 会 能 可以 应该"
    ),
    "things": (
        "书 手机 电影 电视 音乐 苹果 饺子 米饭 面条 鱼 茶 咖啡 水 牛奶 中文 英语 法语 猫 狗 小猫 "
        "小狗 火车 飞机 天气 名字"
    ),
    "places": "北京 上海 中国 美国 学校 公园 图书馆 商店 医院 家",
    "times": "今天 明天 昨天 明年 每天 现在 早上 晚上 常常",
    "asking": "谁 什么 哪里 哪儿 什么时候 为什么 怎么 怎么样 几 吗 呢",
    "qualities": "好 大 小 高 高兴 累 忙 饿 漂亮 热 冷 贵 难 远 好吃",
    "small": "不 没 没有 很 非常 真 也 都 的 了 和 从 这 那 一 两 三 个 只 本 杯",
    "greetings": "你好 谢谢 再见 对不起",
}
REST = "others"
GROUPS = (*_GROUPS, REST)


def grouped(known: Iterable[str]) -> dict[str, tuple[str, ...]]:
    """The words that the model knows in groups; those of none stand together at the end."""
    left = set(known)
    found: dict[str, tuple[str, ...]] = {}
    for name, group in _GROUPS.items():
        found[name] = tuple(word for word in group.split() if word in left)
        left -= set(found[name])
    return {name: group for name, group in (found | {REST: tuple(sorted(left))}).items() if group}
