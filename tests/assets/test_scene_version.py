"""A microscope reads the scenes of its own version, and refuses others in one sentence."""

import pytest
from in_node import evaluate
from shown_traces import picture, words_in_a_row

from views.scene.blob import pack
from views.scene.scene import VERSION, scene
from views.text import LANGUAGES

READ = """
  try {
    return blob.sceneOf(given).version;
  } catch (error) {
    return error.message;
  }
"""


def read(header):
    return evaluate(["microscope/engine/blob.js"], READ, pack(header, {}))


def test_a_scene_of_this_version_is_read():
    assert read({"version": VERSION}) == VERSION


@pytest.mark.parametrize(("header", "found"), [({}, 0), ({"version": VERSION + 1}, VERSION + 1)])
def test_another_version_is_refused_in_both_languages(header, found):
    message = read(header)
    assert f"第 {found} 版" in message and f"第 {VERSION} 版" in message
    assert f"of version {found}" in message and f"reads version {VERSION}" in message


KINDS = """
  globalThis.document = { fonts: { status: "loaded" } };
  const pen = { face: "serif", measureText: (text) => ({ width: 7 * text.length }) };
  return given.map((bytes) => {
    const loaded = new trace.Trace(blob.sceneOf(bytes));
    const { columns } = loaded.drawing("weights").planes.at(-1), last = columns.size;
    const box = { plane: { columns }, first: 0, last, cellWidth: 10 };
    const axis = loaded.stage("weights").roles.indexOf("key");
    const kinds = Array.from({ length: last }, (_, index) => loaded.kind("weights", axis, index));
    const high = labels.headHeight(pen, loaded, box, { scale: 1, textScale: 1 });
    return [kinds, high, loaded.kind("Q", 3, 0)];
  });
"""


def test_patches_are_counted_and_words_that_are_numbers_are_not():
    """Of four letters, 7 px each, none fits a cell of 10: leaning, it is 28 · 0.87 + 13 high.

    Patches stay upright, 13 + 8 high, and every so manieth is named.
    """
    traces = (picture(), words_in_a_row(("2021", "2022", "2023")))
    sent = [scene(trace, "weights", 0, 0, (), LANGUAGES["en"]) for trace in traces]
    modules = [f"microscope/{name}.js" for name in ("engine/blob", "engine/trace", "figure/labels")]
    patches, words = evaluate(modules, KINDS, sent)
    assert patches == [["cls", *["patch"] * 15], 21, ""]
    assert words == [["word"] * 3, pytest.approx(37.36), ""]
