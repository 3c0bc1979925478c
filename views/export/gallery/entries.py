"""The entries of the gallery: pages of the app, each with the query of its link."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from core.models.worked import PRESETS
from views.navigation import CHAPTERS

PICTURES = ("boat", "harbour", "plane", "car", "moose", "tabby", "biplane", "coffee", "cat")
SOUNDS = ("drums", "notes", "vowels")
SENTENCES = {
    "wo-ai-beijing": {"text": "我爱北京", "model": "translator"},
    "qu-shanghai": {"text": "我明天和他一起去上海看海", "model": "translator"},
    "the-cat": {"text": "The cat sat on the mat because it was warm", "model": "decoder"},
    "causal": {"text": "我爱北京", "mask": "causal", "model": "seeded"},
    "padding": {"text": "我爱北京\nI love Beijing very much", "model": "seeded"},
}
TRANSLATIONS = {
    "wo-ai-beijing": {"text": "我爱北京"},
    "order": {"text": "他昨天没有来学校"},
    "question": {"text": "你想吃什么？"},
    "library": {"text": "汤姆和玛丽每天在图书馆学习英语"},
    "encoder": {"text": "小猫在沙发上睡觉", "part": "encoder/1/self"},
    "decoder": {"text": "我的朋友不喜欢喝咖啡", "part": "decoder/1/self"},
}
RECORDED = ("cat", "mary", "gift")
OWN = {
    "decoder": {"text": "我爱北京", "model": "decoder"},
    "feed-forward": {"text": "我爱北京", "model": "decoder", "part": "encoder/1/feed_forward"},
    "vit": {"picture": "tabby", "model": "vit"},
}
# Parameters that say what is shown, and the keys of their controls.
LABELS = {name: name for name in ("text", "mask", "picture", "sound", "recorded")}
LABELS |= {"preset": "example"}
LEFT_OUT = ("class", "predict", "glossary")  # nothing of them is left without a reader or a class


@dataclass(frozen=True)
class Entry:
    """A page with its query. name: of its file."""

    page: str
    name: str
    query: Mapping[str, str] = field(default_factory=dict)

    @property
    def file(self) -> str:
        """The name of its file."""
        return f"{self.name}.html"


def _entries(page: str, queries: Mapping[str, Mapping[str, str]]) -> list[Entry]:
    return [Entry(page, f"{page}-{name}", query) for name, query in queries.items()]


# Pages with a choice of decoders, of which the project's own is small.
WITH_A_DECODER = ("grouped_query", "rotary", "kv_cache", "tiles", "soft_cap")
ENTRIES = (
    Entry("home", "index"),
    Entry("story", "story", {"scene": "9", "text": "我爱北京"}),
    *_entries("sentence", SENTENCES),
    Entry("writing", "writing", {"text": "The cat sat on", "model": "decoder"}),
    *_entries("translation", TRANSLATIONS),
    *_entries("image", {name: {"picture": name, "model": "vision"} for name in PICTURES}),
    *_entries("image", {"seeded": {"picture": "ring", "model": "seeded", "size": "112"}}),
    *_entries("audio", {name: {"sound": name} for name in SOUNDS}),
    *_entries("recorded", {name: {"recorded": name} for name in RECORDED}),
    *_entries("checkpoint", OWN),
    *_entries("by_hand", {name: {"preset": name} for name in PRESETS}),
    *(
        Entry(page, page, {"model": "decoder"} if page in WITH_A_DECODER else {})
        for pages in CHAPTERS.values()
        for page in pages
        if page not in ("by_hand", *LEFT_OUT)
    ),
)
