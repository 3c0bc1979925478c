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
    choose_source,
    component_data,
    label_of,
    microscope,
    paragraphs,
    summary_sentences,
    texts,
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
FIRST, OTHER = SAMPLES[:2]
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


def floats(text: str) -> np.ndarray:
    return np.frombuffer(base64.b64decode(text), "<f4")


@cache
def trace_of(sample: str):
    image = Image.open(ASSETS / "samples" / f"{sample}.webp").convert("RGB")
    return MODEL.trace(picture.values(picture.square(image, 32)[None]))


def prediction_of(sample: str) -> tuple[str, float]:
    """The likeliest class of a sample, and its probability."""
    probabilities = trace_of(sample)["prediction/probabilities"].tensor[0, 0]
    return MODEL.classes[int(probabilities.argmax())], float(probabilities.max())


def is_nonsense(at: AppTest) -> bool:
    return bool(paragraphs(at, "notice"))


@for_all("lang", ["en", "zh"])
def test_a_first_look_is_a_photo_that_the_trained_model_names_and_cls_looks_at(
    open_page: Open, lang: str
) -> None:
    at = open_page("image", lang=lang)
    assert not at.exception
    name, _ = prediction_of(FIRST)
    called = CHINESE[name] if lang == "zh" else name.capitalize()
    assert (answer(at)["title"], answer(at)["unknown"]) == (called, False)
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


def test_samples_of_both_kinds_are_offered() -> None:
    known = {sample: prediction_of(sample) for sample in SAMPLES}
    passing = {sample for sample, (_, share) in known.items() if share >= MODEL.unknown_below}
    assert FIRST in passing
    assert passing != {*SAMPLES}


def test_the_likeliest_classes_and_all_others_share_one_unit(open_page: Open) -> None:
    rows = answer(open_page("image", lang="en", picture="cat"))["rows"]
    assert len(rows) == 6
    assert rows[-1]["called"] == "5 others"
    assert sum(row["share"] for row in rows) == pytest.approx(1, abs=1e-5)
    assert [row["share"] for row in rows[:5]] == sorted(r["share"] for r in rows[:5])[::-1]


def test_the_sentence_counts_the_patches_above_an_even_share(open_page: Open) -> None:
    at = open_page("image", lang="en", picture=OTHER, part="encoder/2/self", head="1")
    row = trace_of(OTHER)["encoder/2/self/weights"].tensor[0, 0, 0].tolist()
    above = [weight for weight in row[1:] if weight > 1 / 65]
    text = sentence(at, "gives", 0, 0)
    assert f"Head 1 of layer 2 gives {100 * math.fsum(above):.1f} % of [CLS]'s" in text
    assert f"to {len(above)} of 64 patches" in text
    assert f"Spread evenly, it would be {100 * len(above) / 65:.1f} %" in text


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


@for_all("part", MODEL.parts)
def test_every_part_of_the_model_opens_by_a_link(open_page: Open, part: str) -> None:
    at = open_page("image", lang="en", part=part)
    assert not at.exception
    assert not is_nonsense(at)
    stages = set(microscope(at).header["stages"])
    prefix = f"{part}/"
    keys = {key.removeprefix(prefix) for key in trace_of(FIRST) if key.startswith(prefix)}
    assert stages == keys


def test_the_classes_have_names_in_the_readers_language(open_page: Open) -> None:
    header = microscope(open_page("image", lang="zh", part="prediction")).header
    assert any("青蛙" in names for names in header["names"])


def test_a_patch_can_be_the_one_that_looks(open_page: Open) -> None:
    at = open_page("image", lang="en", row="21")
    whole = component_data(at, "picture")[0]
    assert whole["chosen"] == 19
    assert label_of(large(at)) == f"Where patch 20 looks · layer {LAYER}, head {HEAD}"


def test_one_picture_proves_nothing_and_what_many_gave_stands_beside(open_page: Open) -> None:
    at = open_page("image", lang="en", part="encoder/1/self", head="2")
    text = sentence(at, "proves", 1, 0)
    assert "proves nothing" in text
    assert f"{100 * TRAINING['looks']['heads'][0][1]:.1f} %" in text


@for_all("lang", ["en", "zh"])
def test_rollout_is_explained_with_its_formula_its_source_and_what_it_leaves_out(
    open_page: Open, lang: str
) -> None:
    text = texts(open_page("image", lang=lang, light="rollout"))
    without = texts(open_page("image", lang=lang))
    left_out = {"en": "LayerNorm and the feed-forward layers", "zh": "LayerNorm 和前馈层"}[lang]
    for part in ("Ã₆ · Ã₅ · Ã₄ · Ã₃ · Ã₂ · Ã₁", left_out):
        assert part in text
        assert part not in without
    assert text.count("Abnar") == without.count("Abnar") + 1  # the model card has it too


def test_the_origin_of_trained_weights_is_shown_wherever_they_are_used(open_page: Open) -> None:
    text = " ".join(texts(open_page("image", lang="en")).split())
    right = round(5000 * TRAINING["measured"]["accuracy"])
    expected = f"names {right:,} of 5,000 unseen photos correctly".replace(",", " ")
    assert text.count(expected) == 1  # below the first view, and the step
    assert "the pattern means nothing" in texts(open_page("image", lang="en", model="seeded"))


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


def test_random_weights_keep_what_belongs_to_the_trained_ones(open_page: Open) -> None:
    at = open_page(
        "image", lang="en", model="seeded", part="encoder/1/self", layer="2", light="rollout",
        **SEEDED,
    )  # fmt: skip
    assert not at.exception
    assert not is_nonsense(at)
    choose_source(at, "vision")
    assert not at.exception
    assert at.query_params["part"] == "encoder/1/self"


def test_a_link_to_an_upload_shows_a_sample_and_says_so(open_page: Open) -> None:
    at = open_page("image", lang="en", picture="upload")
    assert "a link cannot carry it" in texts(at)
    assert answer(at)["title"] == prediction_of(FIRST)[0].capitalize()


@for_all(("lang", "sentence"), [("zh", "[CLS] 不是图上的一块"), ("en", "[CLS] is no patch")])
def test_what_cls_is_stands_where_it_is_first_named(
    open_page: Open, lang: str, sentence: str
) -> None:
    pictures = component_data(open_page("image", lang=lang), "picture")
    named = [one["caption"] for one in pictures if one["from_cls"]]
    assert len(named) == 1
    assert named[0].startswith(sentence)


def test_a_change_of_the_model_stands_beside_what_it_was_and_its_heads_are_muted_in_turn(
    open_page: Open,
) -> None:
    model = load()
    at = open_page("image", lang="en", model="vision", part="encoder/2/self", head="3")
    at.button(key="change_mute").click().run()
    assert not at.exception and at.query_params["change"] == "mute=2.3"
    assert "muted" in microscope(at).header["stages"]
    plain = open_page("image", lang="en", model="vision", part="encoder/2/self", head="3")
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
