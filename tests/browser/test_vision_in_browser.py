"""The page of the trained vision transformer: clicks, uploads, reload and Back."""

import io

import numpy as np
from microscope import (
    FIGURE,
    address_has,
    back,
    hover_cell,
    leave_figure,
    open_step,
    state,
    step,
    title_of_sum,
    until,
)
from PIL import Image
from playwright.sync_api import Locator, Page, expect

from core.models.vision import load
from core.sources import picture
from views.export.bundle import ASSETS
from views.widgets.image_input import SAMPLES

PIXELS = "(canvas) => canvas.toDataURL()"
MODEL = load()
BEST = MODEL.stored.training["looks"]["best_head"]
LAYER, HEAD = BEST["layer"], BEST["head"]
ANOTHER = HEAD % MODEL.heads + 1
NAME, OTHER_NAME = f"{LAYER}.{HEAD}", f"{LAYER}.{ANOTHER}"
LOOKS = f"looks · layer {LAYER}, head"


def prediction_of(data: bytes) -> str:
    """The label that the model predicts for a picture."""
    image = Image.open(io.BytesIO(data)).convert("RGB")
    return MODEL.classify(picture.square(image, MODEL.side)).label.capitalize()


def sample(name: str) -> bytes:
    return (ASSETS / "samples" / f"{name}.webp").read_bytes()


def open_vision(page: Page, server: str, query: str = "") -> None:
    open_step(page, server, f"&model=vision{query}", "image")
    expect(answer(page)).not_to_be_empty()


def answer(page: Page) -> Locator:
    return page.locator(".st-key-answer h3")


def small(page: Page, name: str) -> Locator:
    return page.locator(f".st-key-looks button[value='{name}']")


def whole(page: Page) -> Locator:
    return page.locator(".st-key-whole canvas")


def click_patch(page: Page, number: int) -> None:
    """Click a patch of the 8 × 8, counted from 1."""
    box = whole(page).bounding_box()
    assert box is not None
    row, column = divmod(number - 1, 8)
    whole(page).click(
        position={
            "x": (column + 0.5) * box["width"] / 8,
            "y": (row + 0.5) * box["height"] / 8,
        }
    )


def upload(page: Page, data: bytes) -> None:
    page.locator("input[type=file]").set_input_files(
        {"name": "mine.png", "mimeType": "image/png", "buffer": data}
    )
    address_has(page, "picture=upload")


def test_a_small_picture_opens_its_head_back_returns_and_everything_speaks_of_the_same_head(
    server: str, page: Page
) -> None:
    open_vision(page, server)
    a_small_picture_opens_its_head_and_back_returns(page)
    gives, proves = (page.locator(f".st-key-{key} article") for key in ("gives", "proves"))
    expect(gives).to_contain_text(f"Head {HEAD} of layer {LAYER} gives")
    peak = MODEL.stored.training["looks"]["heads"][LAYER - 1][HEAD - 1]
    expect(proves).to_contain_text(f"{100 * peak:.1f}")
    text_before = proves.inner_text()
    before = page.locator(".st-key-lit canvas").evaluate(PIXELS)
    page.keyboard.press(str(ANOTHER))
    expect(page.get_by_role("heading", name=f"Where [CLS] {LOOKS} {ANOTHER}")).to_be_visible()
    expect(page.locator(".st-key-relit h2")).to_have_text(
        f"Where this patch looks · head {ANOTHER}"
    )
    expect(small(page, OTHER_NAME)).to_have_attribute("aria-pressed", "true")
    expect(small(page, NAME)).to_have_attribute("aria-pressed", "false")
    expect(gives).to_contain_text(f"Head {ANOTHER} of layer {LAYER} gives")
    expect(proves).not_to_have_text(text_before)
    assert page.locator(".st-key-lit canvas").evaluate(PIXELS) != before
    small(page, NAME).click()
    until(page, f"s.head === {HEAD - 1}")
    expect(gives).to_contain_text(f"Head {HEAD} of layer {LAYER} gives")
    assert page.locator(".st-key-lit canvas").evaluate(PIXELS) == before


def a_small_picture_opens_its_head_and_back_returns(page: Page) -> None:
    expect(answer(page)).to_have_text(prediction_of(sample(SAMPLES[0])))
    small(page, "1.1").click()
    expect(small(page, "1.1")).to_have_attribute("aria-pressed", "true")
    address_has(page, r"part=encoder%2F1%2Fself")
    address_has(page, "head=1")
    expect(title_of_sum(page)).to_contain_text("weights[head 1, [CLS], ")
    expect(page.get_by_role("heading", name="layer 1, head 1")).to_be_visible()
    back(page)
    expect(small(page, NAME)).to_have_attribute("aria-pressed", "true")
    expect(title_of_sum(page)).to_contain_text(f"weights[head {HEAD}, [CLS], ")


def test_a_patch_is_shown_from_near_beside_the_steps_that_make_a_vector_of_it(
    server: str, page: Page
) -> None:
    open_vision(page, server, "&part=input&stage=flattened&row=20")
    near = page.locator(".st-key-closeup h2")
    expect(near).to_have_text("How patch 20 becomes a vector")
    first = page.locator(".st-key-closeup .sheet.pixels canvas").evaluate(PIXELS)
    page.locator(".st-key-photo canvas").click(position={"x": 5, "y": 5})
    expect(near).to_have_text("How patch 1 becomes a vector")
    assert page.locator(".st-key-closeup .sheet.pixels canvas").evaluate(PIXELS) != first
    step(page, "sequence").click()
    expect(page.locator(".st-key-near_card")).to_be_hidden()
    step(page, "embedding").click()
    expect(near).to_be_visible()
    expect(near).to_have_text("How patch 1 becomes a vector")


def test_a_pointed_row_lights_the_picture_a_clicked_patch_looks_and_both_models_see_the_same(
    server: str, page: Page
) -> None:
    open_vision(page, server, "&part=prediction&picture=harbour")
    click_patch(page, 11)
    expect(page.get_by_role("heading", name=f"Where patch 11 {LOOKS} {HEAD}")).to_be_visible()
    until(page, "s.stage === 'weights'")

    page.locator(FIGURE).scroll_into_view_if_needed()
    spot = page.locator(".st-key-lit .spot")
    expect(spot).to_contain_text("11")
    hover_cell(page, 41, 12)
    expect(spot).to_contain_text("41")
    leave_figure(page)

    click_patch(page, 20)
    expect(page.get_by_role("heading", name=f"Where patch 20 {LOOKS} {HEAD}")).to_be_visible()
    address_has(page, "row=21")
    expect(title_of_sum(page)).to_contain_text(f"weights[head {HEAD}, 20, ")
    from_cls = page.get_by_role("button", name="Look from [CLS]")
    from_cls.click()
    expect(from_cls).to_be_disabled()
    expect(page.get_by_role("heading", name=f"Where [CLS] {LOOKS} {HEAD}")).to_be_visible()

    page.get_by_test_id("stSidebar").get_by_test_id("stSelectbox").locator("input").click()
    page.get_by_role("option", name="Random weights").click()
    expect(step(page, "sequence")).to_be_visible()
    expect(page.locator(".st-key-vision_card")).to_have_count(0)
    address_has(page, "picture=harbour")
    back(page)
    expect(answer(page)).to_have_text(prediction_of(sample("harbour")))


def test_the_light_of_a_head_or_rollout_outlasts_parts_without_heads_an_upload_and_a_reload(
    server: str, page: Page
) -> None:
    open_vision(page, server, f"&head={ANOTHER}")
    page.locator(".st-key-model_map").get_by_text("feed-forward").nth(1).click()
    address_has(page, r"part=encoder%2F2%2Ffeed_forward")
    until(page, "s.stage === 'hidden'")
    expect(small(page, OTHER_NAME)).to_have_attribute("aria-pressed", "true")
    click_patch(page, 28)
    expect(page.get_by_role("heading", name=f"Where patch 28 {LOOKS} {ANOTHER}")).to_be_visible()
    assert state(page, "s.stage") == "hidden"
    step(page, "output").click()
    address_has(page, "stage=output")
    address_has(page, f"head={ANOTHER}")

    page.get_by_role("button", name="Look from [CLS]").click()
    small(page, "rollout").click()
    expect(page.get_by_role("heading", name="Where [CLS] comes from · all layers")).to_be_visible()
    address_has(page, "light=rollout")
    upload(page, sample("plane"))
    expect(answer(page)).to_have_text(prediction_of(sample("plane")))
    page.reload()
    expect(page.get_by_text("a link cannot carry it")).to_be_visible()
    expect(answer(page)).to_have_text(prediction_of(sample(SAMPLES[0])))
    expect(small(page, "rollout")).to_have_attribute("aria-pressed", "true")
    address_has(page, r"part=encoder%2F2%2Ffeed_forward")
    buffer = io.BytesIO()
    noise = np.random.default_rng(3).integers(0, 256, (90, 130, 3), dtype=np.uint8)
    Image.fromarray(noise).save(buffer, "PNG")
    upload(page, buffer.getvalue())
    expect(answer(page)).to_have_text("Nothing I know")
