"""The Image page with the vision transformer that the project trained."""

import base64
import math
from functools import cache

import numpy as np
import pytest
from claims import for_all
from page_reader import (
    Open,
    along,
    changing,
    choose_source,
    component_data,
    floats,
    is_nonsense,
    microscope,
    summary_sentences,
)
from PIL import Image
from streamlit.testing.v1 import AppTest

from core.experiments.rollout import rollout
from core.interventions import parse
from core.models.vision import load
from core.sources import picture
from views.export.bundle import ASSETS
from views.text import numbers
from views.widgets.image_input import SAMPLES

MODEL = load()
TRAINING = MODEL.stored.training
BEST = TRAINING["looks"]["best_head"]
LAYER, HEAD = BEST["layer"], BEST["head"]
NAME, PART = f"{LAYER}.{HEAD}", f"encoder/{LAYER}/self"
FIRST = SAMPLES[0]
OWN = {"largest": None}  # each row on a scale of its own
CHINESE = {"airplane": "飞机", "automobile": "汽车", "bird": "鸟", "cat": "猫", "deer": "鹿",
           "dog": "狗", "frog": "青蛙", "horse": "马", "ship": "船", "truck": "卡车"}  # fmt: skip


def answer(at: AppTest) -> dict:
    (found,) = component_data(at, "answer")
    return found


def looks(at: AppTest) -> dict:
    """The small pictures by name, and which one is chosen."""
    (found,) = component_data(at, "looks")
    small = {one["name"]: one for group in found["groups"] for one in group["looks"]}
    return {**found, "small": small}


def lit(at: AppTest) -> np.ndarray:
    """The weight of each patch in the large picture."""
    return floats(large(at)["weights"])


def lights(text: str) -> np.ndarray:
    """How bright every patch of a small picture is, 0 … 1, for every token: (token, patch)."""
    return np.frombuffer(base64.b64decode(text), np.uint8).reshape(65, 64) / 255


def large(at: AppTest) -> dict:
    """The large picture, lit."""
    (found,) = [one for one in component_data(at, "picture")[:2] if one["weights"]]
    return found


def sentence(at: AppTest, key: str, head: int, token: int) -> str:
    """The sentences of a card that follows the microscope, for a head and a token, from 0."""
    data = component_data(at, "summary")[{"gives": 0, "proves": 1}[key]]
    return "\n".join(summary_sentences(data, head, token)).replace("\u202f", " ")


@cache
def trace_of(sample: str):
    image = Image.open(ASSETS / "samples" / f"{sample}.webp").convert("RGB")
    return MODEL.trace(picture.values(picture.square(image, 32)[None]))


def prediction_of(sample: str) -> tuple[str, float]:
    """The likeliest class of a sample, and its probability."""
    probabilities = trace_of(sample)["prediction/probabilities"].tensor[0, 0]
    return MODEL.classes[int(probabilities.argmax())], float(probabilities.max())


def test_a_first_look_is_a_photo_that_the_trained_model_names_and_cls_looks_at(
    open_page: Open,
) -> None:
    at = open_page("image", lang="zh")
    assert not at.exception
    name, _ = prediction_of(FIRST)
    assert (answer(at)["title"], answer(at)["unknown"]) == (CHINESE[name], False)
    assert looks(at)["chosen"] == NAME
    shown = microscope(at)
    assert (shown.chosen["stage"], shown.label("weights", "query")) == ("weights", "[CLS]")
    assert shown.chosen["head"] == HEAD - 1
    weights = trace_of(FIRST)[f"{PART}/weights"].tensor[0, HEAD - 1, 0, 1:]
    np.testing.assert_array_equal(lit(at), weights)
    assert shown.chosen["positions"]["key"] == 1 + int(weights.argmax())


@for_all("sample", SAMPLES)
def test_every_sample_is_called_what_the_model_says_or_nothing_that_it_knows(
    open_page: Open, sample: str
) -> None:
    name, share = prediction_of(sample)
    at = open_page("image", lang="en", picture=sample)
    if share < MODEL.unknown_below:
        assert (answer(at)["title"], answer(at)["unknown"]) == ("Nothing I know", True)
        assert f"is below {100 * MODEL.unknown_below:.1f}" in answer(at)["note"]
    else:
        called = "Car" if name == "automobile" else name.capitalize()
        assert (answer(at)["title"], answer(at)["unknown"]) == (called, False)


def test_the_likeliest_classes_and_all_others_share_one_unit(open_page: Open) -> None:
    rows = answer(open_page("image", lang="en", picture="cat"))["rows"]
    assert len(rows) == 6
    assert rows[-1]["called"] == "5 others"
    assert sum(row["share"] for row in rows) == pytest.approx(1, abs=1e-5)
    assert [row["share"] for row in rows[:5]] == sorted(r["share"] for r in rows[:5])[::-1]


def test_the_sentence_is_there_for_every_head_and_token_that_the_reader_may_go_to(
    open_page: Open,
) -> None:
    at = open_page("image", lang="en")
    rows = trace_of(FIRST)[f"{PART}/weights"].tensor[0]
    for head, token in ((0, 0), (1, 0), (2, 20), (3, 64)):
        above = [weight for weight in rows[head, token, 1:].tolist() if weight > 1 / 65]
        text = sentence(at, "gives", head, token)
        who = f"patch {token}" if token else "[CLS]"
        assert (
            f"Head {head + 1} of layer {LAYER} gives {100 * math.fsum(above):.1f} % of {who}'s"
            in text
        )
        assert f"to {len(above)} of 64 patches" in text
    peaks = TRAINING["looks"]["heads"][LAYER - 1]
    for head, peak in enumerate(peaks):
        assert f"lay on the object in {100 * peak:.1f} %" in sentence(at, "proves", head, 0)
        assert "lay on the object" not in sentence(at, "proves", head, 20)  # measured of [CLS]


def test_the_large_picture_has_the_rows_of_every_head_and_token(open_page: Open) -> None:
    found = large(open_page("image", lang="en"))
    rows = trace_of(FIRST)[f"{PART}/weights"].tensor[0]
    np.testing.assert_array_equal(floats(found["rows"]).reshape(4, 65, 65), rows)


def test_all_heads_of_all_layers_their_means_and_rollout_stand_side_by_side(
    open_page: Open,
) -> None:
    at = open_page("image", lang="en", row="30")
    small = looks(at)["small"]
    trace = trace_of(FIRST)
    layers, kinds = range(1, 7), ("1", "2", "3", "4", "mean")
    assert list(small) == [*(f"{layer}.{kind}" for layer in layers for kind in kinds), "rollout"]
    common = looks(open_page("image", lang="en", row="30", common_scale="1"))["small"]
    for layer in layers:
        rows = trace[f"encoder/{layer}/self/weights"].tensor[0, :, :, 1:]
        scale = large(open_page("image", lang="en", part=f"encoder/{layer}/self", common_scale="1"))
        for kind, weights in zip(kinds, [*rows, rows.mean(axis=0)], strict=True):
            found = lights(small[f"{layer}.{kind}"]["light"])
            np.testing.assert_allclose(found, along(weights, OWN), atol=0.51 / 255)
            found = lights(common[f"{layer}.{kind}"]["light"])
            np.testing.assert_allclose(found, along(weights, scale), atol=0.51 / 255)
    flowed = rollout(trace[f"encoder/{layer}/self/weights"].tensor for layer in layers)[0, :, 1:]
    np.testing.assert_allclose(
        lights(small["rollout"]["light"]), along(flowed, OWN), atol=0.51 / 255
    )


def test_the_light_runs_to_the_largest_of_the_row_and_on_one_press_to_that_of_all_heads(
    open_page: Open,
) -> None:
    at = open_page("image", lang="en")
    assert large(at)["largest"] is None
    at.toggle(key="common_scale").set_value(True).run()
    largest = trace_of(FIRST)[f"{PART}/weights"].tensor.max()
    assert large(at)["largest"] >= largest
    assert at.query_params["common_scale"] == "1"


@for_all(
    ("query", "chosen"),
    [
        ({"part": "encoder/1/self", "head": "1"}, "1.1"),
        ({"part": "encoder/2/self", "light": "mean"}, "2.mean"),
        ({"part": "encoder/1/feed_forward", "layer": "2", "head": "1"}, "2.1"),
        ({"part": "prediction"}, NAME),
        ({"light": "rollout"}, "rollout"),
    ],
)
def test_a_link_says_by_which_layer_and_head_the_picture_is_lit(
    open_page: Open, query: dict[str, str], chosen: str
) -> None:
    at = open_page("image", lang="zh", **query)
    assert looks(at)["chosen"] == chosen
    shown = lights(looks(at)["small"][chosen]["light"])[0]
    np.testing.assert_allclose(shown, along(lit(at), OWN), atol=0.51 / 255)
    assert not is_nonsense(at)


SEEDED = {"size": "64", "patch": "8", "d_model": "8", "heads": "2", "seed": "5", "mask": "causal",
          "cls": "0", "position": "0", "temperature": "2", "dropout": "0.5",
          "residual": "1"}  # fmt: skip


def test_controls_of_random_weights_are_hidden_and_stay_in_the_link(open_page: Open) -> None:
    at = open_page("image", lang="en", model="vision", **SEEDED)
    assert not is_nonsense(at)
    assert not at.number_input
    assert not at.slider
    assert not at.checkbox
    choose_source(at, "seeded")
    assert at.number_input(key="seed").value == 5
    assert at.query_params["size"] == "64"
    assert at.query_params["model"] == "seeded"
    assert component_data(at, "picture")[0]["grid"] == [8, 8]


def test_a_change_of_the_model_stands_beside_what_it_was_and_its_heads_are_muted_in_turn(
    open_page: Open,
) -> None:
    model = load()
    query = {"lang": "en", "model": "vision", "part": "encoder/2/self", "head": "3"}
    at = changing(open_page("image", **query))
    at.button(key="change_mute").click().run()
    assert not at.exception and at.query_params["change"] == "mute=2.3"
    assert "muted" in microscope(at).header["stages"]
    plain = open_page("image", **query)
    for page, is_measured in ((plain, True), (at, False)):
        claims = {
            "unseen photos": microscope(page).header["sheets"]["origin"],
            "Of the photos": answer(page)["note"], "drawings of": sentence(page, "proves", 2, 0),
        }  # fmt: skip
        assert [words in text for words, text in claims.items()] == [is_measured] * 3
    at.button(key="mute_all").click().run()
    (board,) = component_data(at, "bars")
    values = {at: value for at, _, value, *_ in board["bars"]}
    assert len(values) == model.layers * model.heads and values["2/3"] == "0.000"
    pixels = trace_of(FIRST)["input/image"].tensor
    muted = model.changed(parse("mute=2.3;mute=1.1")), model.changed(parse("mute=2.3"))
    after, before = (one.trace(pixels)["prediction/probabilities"].tensor[0, 0] for one in muted)
    target = int(before.argmax())
    change = float(np.log(after[target]) - np.log(before[target]))
    assert values["1/1"] == numbers.plain(change, 3)
