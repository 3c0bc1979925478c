"""DINOv2 on the page Image and Whisper on the page Audio, where their packages are installed."""

from collections.abc import Iterator

import numpy as np
import pytest
from drawn_light import follows, light_by_patch
from microscope import address_of, go_to, open_step, quiet, title_of_sum, until, visit
from PIL import Image
from playwright.sync_api import Page, expect
from serving import serving

from core.models import pretrained, transcript
from core.models.pretrained import DINOV2, WHISPER, Pretrained
from views.export.bundle import ASSETS
from views.widgets.sound_input import SPEECH, sample

SIDE = 16  # patches along a side of the photo
NOSE = 12 * SIDE + 9  # from 0: another patch than the page begins with
LAYER = 11
SPY = """() => {
  const { play } = HTMLMediaElement.prototype;
  globalThis.played = [];
  HTMLMediaElement.prototype.play = function () {
    globalThis.played.push(this.currentTime);
    return play.call(this);
  };
}"""


@pytest.fixture(scope="module")
def with_packages() -> Iterator[str]:
    """The address of a server that finds the packages with models."""
    with serving(hidden=()) as served:
        yield served.address


def installed(model: Pretrained) -> pytest.MarkDecorator:
    is_there = bool(pretrained.packaged(model))
    return pytest.mark.skipif(not is_there, reason=f"not installed: {model.command}")


@installed(DINOV2)
def test_a_patch_of_a_photo_asks_dinov2_and_every_number_is_that_of_the_model(
    with_packages: str, page: Page
) -> None:
    model = pretrained.open_checkpoint(DINOV2)
    assert model.processor
    photo = Image.open(ASSETS / "samples" / "tabby.webp").convert("RGB")
    trace = model.run(model.processor.pixels(photo), LAYER)
    part = f"encoder/{LAYER}/self"
    weights = trace[f"{part}/weights"].tensor[0, 0, 1 + NOSE]  # (key,), the first of which is [CLS]
    visit(page, f"{address_of(with_packages, 'image')}&model=dinov2&layer={LAYER}&head=1")
    whole, lit = (page.locator(f".st-key-{key} canvas") for key in ("whole", "lit"))
    box = whole.bounding_box()
    assert box is not None
    row, column = divmod(NOSE, SIDE)
    each = box["width"] / SIDE
    whole.click(position={"x": (column + 0.5) * each, "y": (row + 0.5) * each})
    until(page, f"s.positions.query === {1 + NOSE}")
    expect(page.locator(".st-key-lit .spot b").first).to_have_text(str(1 + NOSE))
    key = page.evaluate("globalThis.attentionMicroscope.positions.key")
    assert float(page.locator(".st-key-lit .spot em").inner_text()) == pytest.approx(
        weights[key], abs=5e-5
    )
    for told in (".st-key-gives article", ".st-key-looks h2", ".first-view .takes"):
        expect(page.locator(told)).to_contain_text(f"patch {1 + NOSE}")
    assert follows(light_by_patch(lit, SIDE), weights[1:])
    page.locator(".first-view .card.score .link").first.click()
    opened = page.locator(".first-view .opened-number .sum")
    title, number = opened.locator("h3").inner_text(), opened.locator(".link").first
    first = number.inner_text().split()[-1]
    number.click()  # its step is not sent with the first view
    in_machine = page.locator(".st-key-microscope .sum:not(.opened-number .sum) h3")
    expect(in_machine).to_contain_text("Q[")
    expect(in_machine.locator(".total")).to_have_text(first)
    page.locator(".microscope .trail button").click()
    expect(in_machine).to_contain_text(title.split(" ")[0])
    for stage in ("Q", "weights", "output"):  # none of which is sent with another
        go_to(page, stage)
        quiet(page)  # an answer to the step before may still come
        total = float(in_machine.locator(".total").inner_text().replace("\u2212", "-"))
        index = page.evaluate("(() => globalThis.attentionMicroscope.spot.index)()")
        assert index[-2] == 1 + NOSE
        exact = trace[f"{part}/{stage}"].tensor[tuple(index)]
        assert total == pytest.approx(exact, abs=5.1e-3)


@installed(WHISPER)
def test_a_word_that_whisper_wrote_is_marked_and_heard_at_its_moment_and_opens(
    with_packages: str, page: Page
) -> None:
    model = pretrained.open_speech(WHISPER)
    samples = sample(SPEECH)
    memory = model.listen(samples)
    language = model.detect(memory).language
    written = [*model.write(memory, language, most=transcript.most_tokens(len(samples) / 16_000))]
    third = transcript.words(written, model.tokenizer)[2]
    frames = -(-len(samples) // 320)  # of 20 ms
    at = model.moment(third.cross, frames)
    open_step(page, with_packages, "&model=whisper", "audio")
    page.evaluate(SPY)
    word = page.locator(".st-key-speech button.word").nth(2)
    expect(word).to_have_text(third.text)
    word.click()
    assert page.evaluate("globalThis.played") == [pytest.approx(at)]
    expect(word).to_have_attribute("aria-pressed", "true")
    expect(page.locator(".st-key-speech .spot")).to_contain_text(f"at {at:.2f} s")
    lanes, mark = (
        page.locator(f".st-key-speech {name}").bounding_box()
        for name in (".lanes", ".lanes i.chosen")
    )
    assert lanes is not None
    assert mark is not None
    share = (mark["x"] - lanes["x"]) / lanes["width"]
    assert share == pytest.approx(at * 50 / frames, abs=0.01)
    query = len(model.prompt(language)) + third.first - 1
    until(page, f"s.isHere && s.positions.query === {query} && s.stage === 'weights'")
    row = third.cross[model.decoder.config.layers - 1, model.generation.alignment_heads[-1][1]]
    expect(title_of_sum(page)).to_contain_text(f"{0.02 * int(np.argmax(row[:frames])):.2f} s]")
