"""A trace as one HTML file: its contents, and that it makes no request."""

import base64
import hashlib
import json
import re
from dataclasses import replace
from functools import cache
from html.parser import HTMLParser
from pathlib import Path

import numpy as np
import pytest
from blob_reader import unpacked
from claims import for_all
from jsonschema import Draft202012Validator
from saved_pieces import saved_pieces
from shown_traces import (
    crossed,
    many_patches,
    picture,
    plain,
    wide_patches,
    words_in_a_row,
)
from shown_traces import sentence as of_words

from core import AttentionOptions, Trace, Weights, multi_head_attention
from core.errors import InputError
from core.nested import attention_alone, compose
from core.rules import Given
from core.sources import text
from core.sources.visible import visible
from views.export import file
from views.export.file import GAP, ExportOptions, Layers, html, html_of_layers
from views.navigation import PAGE_INFO
from views.scene import scene as module
from views.scene.arrays import num_bytes, required_stages
from views.text import EXPORT, LANGUAGES

ZH, EN = LANGUAGES["zh"], LANGUAGES["en"]
SCHEMA = json.loads((Path(module.__file__).parent / "schema.json").read_text("utf-8"))
HOSTILE = (
    "</script><script>alert(1)</script>", "<!--<script>", "<img src=x onerror=alert(1)>",
    "</title></template>", "]]>&quot;\"'",
)  # fmt: skip
SECOND_HEAD = ExportOptions(head=1, one_head=True)
APP = "https://app.example/sub/sentence?lang=zh"


class Found(HTMLParser):
    """The elements of a page, and the text of those that hold text alone."""

    def __init__(self, page):
        super().__init__(convert_charrefs=True)
        self.elements, self.inside = [("", {})], [""]  # what stands outside any has no name
        self.pieces = saved_pieces(page)
        self.feed(page)
        self.close()

    def handle_starttag(self, tag, attrs):
        self.elements.append((tag, dict(attrs)))
        self.inside.append("")

    def handle_endtag(self, tag):
        self.handle_starttag("", {})

    def handle_data(self, data):
        self.inside[-1] += data

    def handle_comment(self, data):
        raise AssertionError(f"a comment: {data}")

    def texts(self, tag):
        both = zip(self.elements, self.inside, strict=True)
        return [(attrs, inside) for (name, attrs), inside in both if name == tag]


@cache
def page(trace, options=None, language="zh"):
    return Found(html(trace(), LANGUAGES[language], options))


def payload(found):
    """What the file says of all of it, and of the part with which it opens."""
    (text,) = (text for attrs, text in found.texts("script") if attrs.get("id") == "contents")
    whole = json.loads(text)
    return {**whole, **whole["parts"][whole["part"]], "layers": whole["parts"]}


def scenes(found, language):
    blobs = (
        b"".join(found.pieces[name] for name in names)
        for names in payload(found)["scenes"][language]
    )
    return [unpacked(blob) for blob in blobs]


def first():
    source = text.embed(text.read("我爱北京", "word"), 8, 7, position=True)
    return multi_head_attention(source, Weights.seeded(8, 2, 7))


def of_hostile_words():
    return words_in_a_row(HOSTILE)


def test_a_file_of_a_thousand_words_has_all_heads_in_three_megabytes():
    source = text.embed([[f"word{i}" for i in range(1_000)]], 64, 1)
    file = html(multi_head_attention(source, Weights.seeded(64, 8, 1), AttentionOptions()), ZH)
    assert len(file.encode()) < 3_000_000
    assert EXPORT["zh"].one_head.format(head=1, heads=8) not in file


@for_all("language", LANGUAGES)
@for_all(
    ("trace", "options"),
    [(of_words, None), (many_patches, SECOND_HEAD), (of_hostile_words, None)],
)
def test_both_languages_are_in_the_file_and_match_the_schema(trace, options, language):
    for header, _ in scenes(page(trace, options), language):
        assert not list(Draft202012Validator(SCHEMA).iter_errors(header))
        assert header["words"]["does"] == LANGUAGES[language].viewer.does


def test_numbers_equal_those_of_the_trace_and_are_stored_once():
    (header, arrays), (_, others) = (scenes(page(of_words), code)[0] for code in ("zh", "en"))
    np.testing.assert_array_equal(arrays["W_Q"], of_words()["W_Q"].tensor)
    assert arrays.keys() == others.keys() == header["arrays"].keys()
    zh, en = (payload(page(of_words))["scenes"][code][0] for code in ("zh", "en"))
    assert zh[-len(arrays) :] == en[-len(arrays) :]
    assert zh[0] != en[0]


def test_of_wide_heads_a_file_has_every_step():
    parts = scenes(page(wide_patches, SECOND_HEAD), "en")
    shown = set().union(*(header["drawings"] for header, _ in parts))
    assert len(parts) == 4
    assert shown == {*wide_patches()}


def test_a_large_trace_is_exported_with_one_head_and_a_note():
    found = page(many_patches, SECOND_HEAD)
    parts = scenes(found, "en")
    assert {header["head"] for header, _ in parts} == {None, 1}  # None: up to X there are no heads
    assert set().union(*(header["drawings"] for header, _ in parts)) >= {
        "image", "patches", "embedding", "Q", "scores", "weights", "concat", "output"
    }  # fmt: skip
    heads = many_patches()["weights"].size("head")
    texts = {code: around["note"] for code, around in payload(found)["languages"].items()}
    assert f"head 2 of {heads}" in texts["en"]
    assert "头 2" in texts["zh"]
    assert not any(around["note"] for around in payload(page(of_words))["languages"].values())


def test_text_from_the_user_is_never_markup():
    options = ExportOptions(
        title=lambda words: HOSTILE[0], origin=lambda words: HOSTILE[1], query=HOSTILE[2],
        address=f"javascript:{HOSTILE[3]}",
    )  # fmt: skip
    found, plainly = page(of_hostile_words, options), page(of_words)
    assert {tag for tag, _ in found.elements} == {tag for tag, _ in plainly.elements}
    kinds = [attrs.get("type") for attrs, _ in found.texts("script")]
    assert kinds == ["application/json", *["application/octet-stream"] * (len(kinds) - 2), "module"]
    about = payload(found)["languages"]["zh"]
    assert about["heading"] == HOSTILE[0]
    assert [texts for _, texts, _ in about["facts"]] == [
        " ".join(map(visible, HOSTILE)),
        HOSTILE[1],
        options.address,
    ]
    assert not any(way for _, _, way in about["facts"])
    ((_, title),) = found.texts("title")
    assert title.startswith(" ".join(map(visible, HOSTILE)))
    assert payload(found)["query"] == HOSTILE[2]


def test_the_file_makes_no_request():
    found = page(of_words)
    for tag, attrs in found.elements:
        assert not {"src", "href", "srcset", "action"} & attrs.keys(), tag
    for _, style in found.texts("style"):
        assert "url(" not in style
        assert "@import" not in style
    written = html(of_words(), ZH)
    assert set(re.findall(r"https?://[^\"'`\s<>)]+", written)) <= {
        "http://www.w3.org/2000/svg", "http://www.w3.org/1998/Math/MathML",
        "http://www.w3.org/1999/xlink",
    }  # fmt: skip
    (script,) = (text for attrs, text in found.texts("script") if attrs.get("type") == "module")
    assert not re.search(r"\bfetch\(|XMLHttpRequest|WebSocket|sendBeacon|^import\b", script, re.M)


def test_its_policy_forbids_every_request_and_every_other_script():
    found = page(of_words)
    (policy,) = (
        attrs["content"] for tag, attrs in found.elements
        if attrs.get("http-equiv") == "Content-Security-Policy"
    )  # fmt: skip
    (script,) = (text for attrs, text in found.texts("script") if attrs.get("type") == "module")
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    allowed = dict(part.strip().split(" ", 1) for part in policy.split(";"))
    assert allowed["default-src"] == "'none'"
    assert allowed["script-src"] == f"'sha256-{digest}'"
    assert set(allowed) == {
        "default-src", "script-src", "style-src", "img-src", "media-src", "worker-src",
        "base-uri", "form-action",
    }  # fmt: skip
    assert (allowed["img-src"], allowed["media-src"]) == ("data: blob:", "blob:")
    assert allowed["worker-src"] == "blob:"


def test_terms_link_to_the_app_if_its_address_is_known():
    known = scenes(page(of_words, ExportOptions(address=APP)), "en")[0][0]["sheets"]["terms"]
    unknown = scenes(page(of_words), "en")[0][0]["sheets"]["terms"]
    assert {key: [name for name, _ in ways] for key, ways in known.items()} == {
        key: [name for name, _ in ways] for key, ways in unknown.items()
    }
    assert all(way == "" for ways in unknown.values() for _, way in ways)
    ways = [way for ways in known.values() for _, way in ways]
    assert len(ways) > 5
    assert all(way.startswith("https://app.example/sub/glossary?lang=en&term=") for way in ways)


def test_the_file_has_title_input_origin_and_address():
    options = ExportOptions(
        title=lambda words: PAGE_INFO[words.code]["sentence"].title,
        origin=lambda words: words.viewer.random.format(seed=7), address=APP,
    )  # fmt: skip
    texts = payload(page(first, options))["languages"]
    for words in (ZH, EN):
        about = texts[words.code]
        assert about["heading"] == PAGE_INFO[words.code]["sentence"].title
        assert (
            about["title"]
            == f"我 爱 北京 · {PAGE_INFO[words.code]['sentence'].title} · {words.product}"
        )
        assert [fact[1:] for fact in about["facts"]] == [
            ["我 爱 北京", ""], [words.viewer.random.format(seed=7), ""], [APP, APP]
        ]  # fmt: skip


def test_chips_are_shown_for_self_attention_among_words_only():
    assert payload(page(of_words))["parts"] == ["stepper", "chips", "words", "sheets"]
    without_chips = ["stepper", "words", "sheets"]
    assert payload(page(picture))["parts"] == payload(page(crossed))["parts"] == without_chips


def test_of_a_trace_of_several_parts_the_first_attention_is_shown():
    parts = {"input": Trace([replace(plain()["X"], rule=Given("input"))]), "layer/1": plain()}
    found = payload(Found(html(compose(parts, {}), LANGUAGES["en"])))
    assert found["start"]["stage"] == "scores"
    trained = replace(plain()["W_Q"], key="trained/W_Q")  # a stage beside those of the attention
    assert payload(Found(html(Trace([trained, *plain().values()]), EN)))["start"] == found["start"]


def layers_of(trace, count):
    paths = tuple(f"encoder/{i}/self" for i in range(1, count + 1))
    origin = lambda path: lambda words: f"{words.code} {path}"  # noqa: E731
    return ExportOptions(
        key="weights", title=lambda words: f"Page{GAP}part",
        layers=Layers(paths, paths[1], lambda path: trace(), origin),
    )  # fmt: skip


def test_all_layers_are_in_one_file_that_opens_at_the_one_shown():
    options = layers_of(plain, 3)
    found = payload(Found(html_of_layers(plain(), EN, options)))
    assert found["part"] == 1
    abouts = [layer["languages"]["en"] for layer in found["layers"]]
    assert [about["heading"] for about in abouts] == [
        f"Page · encoder, layer {i} · self-attention" for i in (1, 2, 3)
    ]
    assert [about["facts"][1][1] for about in abouts] == [f"en encoder/{i}/self" for i in (1, 2, 3)]
    assert {len(layer["held"][0][1]) for layer in found["layers"]} == {len(plain())}


def test_many_layers_are_saved_from_q_k_and_v_on_and_too_many_are_refused(monkeypatch):
    needed = [num_bytes(t, required_stages(t, t)) for t in (plain(), attention_alone(plain()))]
    assert needed[1] < needed[0] / 3
    monkeypatch.setattr(file, "LAYERS_BYTES", 3 * needed[1])
    found = payload(Found(html_of_layers(plain(), EN, layers_of(plain, 3))))
    assert {*found["held"][0][1]} == {*attention_alone(plain())}
    with pytest.raises(InputError, match="layers_too_large"):
        html_of_layers(plain(), EN, layers_of(plain, 4))
