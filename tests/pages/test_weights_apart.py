"""The weights of a model travel in a message of their own, which another input leaves as it is."""

from typing import Any
from zlib import crc32

from claims import for_all
from in_node import evaluate
from page_reader import Open, headed
from streamlit.testing.v1 import AppTest

from views.scene.blob import checksum

JOIN = """
  const bytes = ({ rest, weights }) => [rest, weights].map((one) => new Uint8Array(one));
  return given.map((one) => [...blob.joined(...bytes(one), one.pieces)]);
"""
CHANGED = {  # two inputs of a page with a model
    "translation": ({"text": "我爱北京"}, {"text": "你爱谁"}),
    "image": (
        {"model": "vision", "picture": "moose"},
        {"model": "vision", "picture": "tabby"},
    ),
    "sentence": ({"seed": "1"}, {"seed": "1", "text": "你 爱 谁"}),
}


def message(at: AppTest, name: str) -> bytes:
    (found,) = (one.proto for one in at.get("bidi_component") if one.proto.component_name == name)
    data: bytes = found.bytes
    return data


@for_all("page", CHANGED)
def test_another_input_sends_other_numbers_and_the_same_weights(open_page: Open, page: str) -> None:
    first, second = (open_page(page, lang="en", **query) for query in CHANGED[page])
    weights = message(first, "weights")
    assert message(second, "weights") == weights
    assert int.from_bytes(weights[:8], "little") == crc32(weights[8:])
    scenes: list[Any] = []
    for at in (first, second):
        ((header, whole),) = headed(at, "run")
        assert header["weights"]["id"] == checksum(weights)
        assert checksum(whole) == crc32(whole[4:])
        sent = message(at, "run")
        rest = sent[8 + int.from_bytes(sent[:8], "little") :]
        assert len(rest) == len(whole) - len(weights[8:]) < len(whole)
        pieces = header["weights"]["pieces"]
        scenes.append(({"rest": rest, "weights": weights, "pieces": pieces}, whole))
    joined = evaluate(["microscope/engine/blob.js"], JOIN, [given for given, _ in scenes])
    assert joined == [[*whole] for _, whole in scenes]
