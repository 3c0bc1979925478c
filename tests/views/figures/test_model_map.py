import itertools
from pathlib import Path

import numpy as np
import pytest
from claims import for_all
from drawing import assert_no_overlap, is_inside, points

from core import Axis, Stage, Trace
from core.models import checkpoint, translator, vision
from core.nested import parts
from core.rules import Given
from views.figures.model_map import map_of, thumbnails
from views.scene.naming import part_title
from views.text import LANGUAGES

TOKENS = ("我", "爱", "北京")
LAYERS = translator.load().layers


def translating():
    model = translator.load()
    return model.teacher_forced(TOKENS, model.encode_target("I love Beijing")).trace


def reading():
    return translator.load().encoder(TOKENS)


def seeing():
    model = vision.load()
    return model.trace(np.zeros((1, model.side, model.side, 3)))


MODELS = {"translator": translating, "encoder alone": reading, "vision": seeing}
TRACES = {name: make() for name, make in MODELS.items()}
of_every_model = for_all("name", MODELS)


@of_every_model
def test_every_part_is_one_box_in_the_order_of_the_computation(name):
    assert [box.path for box in map_of(TRACES[name]).boxes] == list(parts(TRACES[name]))


def test_the_lines_of_the_translator_are_those_of_the_papers_figure():
    layers = range(1, LAYERS + 1)
    encoder = [f"encoder/{n}/{kind}" for n in layers for kind in ("self", "feed_forward")]
    decoder = [f"decoder/{n}/{k}" for n in layers for k in ("self", "cross", "feed_forward")]
    onward = [
        *itertools.pairwise(["source", *encoder]),
        *itertools.pairwise(["target", *decoder, "prediction"]),
    ]
    handed = [(encoder[-1], f"decoder/{n}/cross") for n in layers]
    lines = map_of(TRACES["translator"]).lines
    assert sorted((li.source, li.target) for li in lines if not li.memory) == sorted(onward)
    assert sorted((li.source, li.target) for li in lines if li.memory) == sorted(handed)


@pytest.mark.parametrize("name", ["encoder alone", "vision"])
def test_a_model_of_one_side_is_one_row_and_one_chain(name):
    found = map_of(TRACES[name])
    assert found.sides == ("encoder",)
    assert found.room is None
    assert len({box.middle for box in found.boxes}) == 1
    chain = list(itertools.pairwise(parts(TRACES[name])))
    assert [(line.source, line.target) for line in found.lines] == chain


def test_the_encoder_stands_above_the_decoder_with_room_beside_it():
    found = map_of(TRACES["translator"])
    assert found.sides == ("encoder", "decoder")
    above, below = ([b for b in found.boxes if b.side == side] for side in found.sides)
    assert {b.path.split("/")[0] for b in above} == {"source", "encoder"}
    assert max(b.y + b.height for b in above) < min(b.y for b in below)
    assert max(b.x + b.width for b in above) < found.room < found.width


@of_every_model
def test_no_box_lies_on_another_or_outside_the_map(name):
    found = map_of(TRACES[name])
    assert_no_overlap(found.boxes, found)


@of_every_model
def test_a_frame_holds_the_parts_of_its_layer_and_no_other(name):
    found = map_of(TRACES[name])
    layers = {(box.side, box.layer) for box in found.boxes if box.layer}
    framed = [frame for frame in found.frames if frame.layer]
    assert {(frame.side, frame.layer) for frame in framed} == layers
    for frame, box in itertools.product(framed, found.boxes):
        inside = (
            frame.x < box.x
            and box.x + box.width < frame.x + frame.width
            and frame.y < box.y
            and box.y + box.height < frame.y + frame.height
        )
        assert inside == ((frame.side, frame.layer) == (box.side, box.layer))
    for a, b in itertools.combinations(found.frames, 2):
        assert a.x + a.width < b.x or b.x + b.width < a.x or a.y + a.height < b.y


@of_every_model
def test_a_line_begins_at_its_source_ends_with_its_tip_at_its_target_and_crosses_no_box(name):
    found = map_of(TRACES[name])
    boxes = {box.path: box for box in found.boxes}
    for line in found.lines:
        shaft, tip = points(line.path)
        assert shaft[-1] in tip[1:-1]
        assert is_inside(shaft[0], boxes[line.source], 0.01)
        assert is_inside(shaft[-1], boxes[line.target], 1.01)  # it ends a pixel before
        assert not [b.path for b in found.boxes for point in shaft if is_inside(point, b)]


@of_every_model
def test_exactly_the_attentions_have_thumbnails_of_query_by_key(name):
    trace = TRACES[name]
    small, _ = thumbnails(trace)
    assert set(small) == {path for path in parts(trace) if path.endswith(("self", "cross"))}
    for path, picture in small.items():
        assert picture.shape == trace[f"{path}/weights"].tensor.shape[2:]
        assert picture.dtype == np.uint8


OWN = Path(__file__).parents[2] / "core" / "models" / "data" / "checkpoints" / "vit"
PIXELS = np.zeros((15, 15, 3), np.uint8)


@for_all(
    ("layer", "expected"),
    [(1, [(2, 3, True)]), (2, [(1, 1, False), (3, 3, True)]), (3, [(1, 2, False)])],
)
def test_layers_outside_the_trace_are_one_box_before_and_one_behind(layer, expected):
    found = map_of(checkpoint.open(OWN).run(PIXELS, layer), (3,))
    assert [(one.first, one.last, one.behind) for one in found.others] == expected
    assert found.room is None
    boxes = sorted([*found.boxes, *found.others], key=lambda one: one.x)
    assert [one.path for one in boxes] == [
        "input",
        *[""] * (layer > 1),
        f"encoder/{layer}/self",
        f"encoder/{layer}/feed_forward",
        *([""] if layer < 3 else ["final_norm"]),
    ]
    for left, right in itertools.pairwise(boxes):
        assert left.x + left.width < right.x
        assert left.middle == right.middle
    assert boxes[-1].x + boxes[-1].width < found.width


def attention(path, weights, masked=None):
    axes = tuple(Axis(role, "n") for role in ("batch", "head", "query", "key"))
    tensors = {"weights": weights} | ({} if masked is None else {"masked": masked})
    return [Stage(f"{path}/{k}", k, t, axes, Given("input")) for k, t in tensors.items()]


def test_thumbnails_are_means_over_heads_on_a_common_scale():
    one = np.array([[[[0.1, 0.9], [0.5, 0.5]], [[0.3, 0.7], [0.5, 0.5]], [[0.2, 0.8], [0.8, 0.2]]]])
    other = np.full((1, 1, 1, 5), 0.2)
    small, scale = thumbnails(Trace([*attention("a", one), *attention("b", other)]))
    assert (scale.low, scale.high, scale.root) == (0, 1, False)
    assert small["a"].tolist() == [[51, 204], [153, 102]]  # of 255: 0.2, 0.8; 0.6, 0.4
    assert small["b"].tolist() == [[51] * 5]


def test_a_thumbnail_distinguishes_small_weights_from_masked_ones():
    weights = np.array([[[[1.0, 0.0, 0.0]], [[1.0, 0.0, 0.0]]]])
    masked = np.array([[[[1.0, -np.inf, -np.inf]], [[1.0, -99.0, -np.inf]]]])
    small, _ = thumbnails(Trace(attention("a", weights, masked)))
    assert small["a"].tolist() == [[255, 1, 0]]


def test_many_tokens_are_averaged_in_blocks_along_the_axis_that_has_them():
    """Of 1537 keys 7 are one, the last 4 one more; a row of 3 stays a row."""
    weights = np.zeros((1, 1, 3, 1537))
    weights[0, 0, 1, 7:14] = 0.1
    weights[0, 0, 2, -4:] = 0.1
    masked = weights.copy()
    masked[0, 0, 0, :14] = -np.inf
    small, scale = thumbnails(Trace(attention("a", weights, masked)))
    assert small["a"].shape == (3, 220)
    assert scale.root
    assert small["a"][0].tolist() == [0, 0] + [1] * 218
    assert [int(small["a"][1, 1]), int(small["a"][2, -1])] == [255, 255]
    assert small["a"][1:].sum() == 2 * 255 + 2 * 219
    hidden, _ = thumbnails(Trace(attention("a", weights)), (0,))
    assert hidden["a"].shape == (3, 1537)


def test_hidden_tokens_do_not_count_for_the_scale_of_thumbnails():
    weights = np.array([[[[0.90, 0.06, 0.04], [0.80, 0.15, 0.05], [0.78, 0.12, 0.10]]]])
    small, scale = thumbnails(Trace(attention("a", weights)), (0,))
    assert (scale.high, scale.root) == (pytest.approx(0.2), False)
    assert small["a"][1:, 1:].tolist() == [[191, 64], [153, 128]]  # of 255: 0.15 / 0.2 and so on
    assert small["a"][:, 0].tolist() == [255] * 3
    _, nothing = thumbnails(Trace(attention("a", weights)), (0, 1, 2))
    assert nothing.high == 1


def test_every_part_of_a_map_has_a_title_of_its_own_in_words():
    assert part_title("encoder/5/self", "zh") == "编码器第 5 层 · 自注意力"
    assert part_title("decoder/1/cross", "en") == "decoder, layer 1 · cross-attention"
    for trace, language in itertools.product(TRACES.values(), LANGUAGES):
        titles = [part_title(box.path, language) for box in map_of(trace).boxes]
        assert len(set(titles)) == len(titles)
        assert not [title for title in titles if "/" in title]
