"""A sound in a real browser: recorded, uploaded, looked at and played."""

import io
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
import soundfile
from microscope import address_has, address_of, go_to, open_step, step, title_of_sum, visit
from playwright.sync_api import Browser, Page, expect
from serving import CHROMIUM, CHROMIUM_FLAGS

from core.sources.spectrum import HOP
from views.figures.palette import PALETTES, rgb

RATE = 16_000
SMALL = "&pool=80&d_model=16&heads=2"
LANES = ".st-key-timeline .lanes"
SOUND = "globalThis.attentionMicroscope.sound"
SAMPLES = """() => {
  const { audio } = globalThis.played;
  return fetch(audio.src).then((r) => r.arrayBuffer()).then((b) => [...new Int16Array(b, 44)]);
}"""
SPY = """() => {
  globalThis.RealAudio ??= globalThis.Audio;
  globalThis.Audio = function () {
    const audio = new globalThis.RealAudio();
    globalThis.played = { audio };
    return audio;
  };
}"""


def claps(seconds: float = 4.0) -> np.ndarray:
    """The same stroke every 0.8 s."""
    random = np.random.default_rng(5)
    stroke = random.standard_normal(1_200) * np.exp(-np.arange(1_200) / 200)
    sound = np.zeros(round(seconds * RATE))
    for start in range(4_000, len(sound) - 1_200, 12_800):
        sound[start : start + 1_200] = 0.3 * stroke
    return np.clip(sound, -1, 1)


def file_of(sound: np.ndarray, kind: str = "WAV") -> bytes:
    file = io.BytesIO()
    soundfile.write(file, sound, RATE, format=kind)
    return file.getvalue()


def upload(page: Page, name: str, data: bytes) -> None:
    page.locator("[data-testid=stFileUploader] input[type=file]").set_input_files(
        {"name": name, "mimeType": "application/octet-stream", "buffer": data}
    )


def open_sound(page: Page, server: str, query: str = SMALL) -> None:
    open_step(page, server, query, "audio")


def test_the_time_axis_plays_when_it_is_asked_to_and_chooses_the_frame_that_looks(
    server: str, page: Page
) -> None:
    visit(page, address_of(server, "understand"))
    page.evaluate(SPY)
    open_sound(page, server)
    assert masked_pixels(page) <= 100, "nothing is masked"
    head, whole = page.locator(f"{LANES} .head"), page.locator(".st-key-timeline button.whole")
    expect(head).to_be_hidden()
    assert page.evaluate("globalThis.played.audio.paused")
    whole.click()
    expect(head).to_be_visible()
    expect(whole).to_have_attribute("aria-pressed", "true")
    page.evaluate("globalThis.played.audio.playbackRate = 0.1")

    click_frame(page, 20)
    expect(title_of_sum(page)).to_contain_text("1.60 s")
    address_has(page, "row=21")
    page.get_by_role("radio", name="中文").click()
    expect(whole).to_have_text("■ 播放")  # a run of the server does not stop it
    whole.click()
    expect(head).to_be_hidden()
    lanes = page.locator(LANES)
    lanes.press("ArrowRight")
    expect(title_of_sum(page)).to_contain_text("1.68 s")
    expect(lanes).to_have_attribute("aria-valuenow", "21")
    lanes.press("Home")
    address_has(page, "row=1(&|$)")

    click_frame(page, 9)
    address_has(page, "row=10")
    go_to(page, "weights")
    what_a_frame_attends_to_is_played_as_loud_as_its_weights(page)
    step(page, "log_mel").click()
    expect(title_of_sum(page)).to_contain_text("log_mel[0.7")
    expect(lanes).to_have_attribute("aria-valuenow", "9")


def click_frame(page: Page, frame: int) -> None:
    """One of 48, counted from 0."""
    lanes = page.locator(LANES)
    box = lanes.bounding_box()
    assert box is not None
    lanes.click(position={"x": box["width"] * (frame + 0.5) / 48, "y": 20})


def what_a_frame_attends_to_is_played_as_loud_as_its_weights(page: Page) -> None:
    page.locator(".st-key-timeline button.part").click()
    page.wait_for_function("globalThis.played.audio.src.startsWith('blob:')")
    played = np.array(page.evaluate(SAMPLES), dtype=float)
    samples = np.array(page.evaluate(f"[...{SOUND}.samples]"), dtype=float)
    row = page.evaluate(
        "(() => { const t = globalThis.attentionMicroscope.trace;"
        " return Array.from({ length: 48 }, (_, key) => t.value('weights', [0, 0, 9, key])); })()"
    )
    middles = 8 * HOP * (np.arange(len(row)) + 0.5) - 0.5
    expected = samples * np.interp(np.arange(len(samples)), middles, np.array(row) / max(row))
    assert np.abs(played - expected).max() <= 1
    assert np.abs(played - samples).max() > 100


def test_find_goes_to_a_frame_of_a_thousand_and_to_one_that_looks_at_it(
    server: str, new_tab: Page
) -> None:
    open_sound(new_tab, server, "&pool=10&d_model=64&heads=8&head=3")
    upload(new_tab, "long.wav", file_of(claps(10.0)))
    expect(new_tab.locator(".st-key-facts")).to_contain_text("1000 in 10.00 s")
    new_tab.locator(".tools button", has_text="Find").click()
    expect(new_tab.locator(".find ol").first.locator("li")).to_have_count(5)
    new_tab.locator(".find input").fill("0.24")  # s
    new_tab.locator(".find input").press("Enter")
    address_has(new_tab, "column=25(&|$)")
    expect(new_tab.locator(".find canvas.map")).to_be_visible()
    new_tab.locator(".find ol").nth(1).get_by_role("button").nth(1).click()
    address_has(new_tab, r"row=\d+")
    assert len(new_tab.workers) == 1


BAD = {
    "text.wav": (b"To be or not to be, that is the question.", "not a recording"),
    "cut.wav": (file_of(claps())[:-40_000], "breaks off"),
}


def test_an_uploaded_rhythm_repeats_a_bad_file_leaves_it_there_and_silence_says_so(
    server: str, new_tab: Page
) -> None:
    open_sound(new_tab, server, "&pool=40&d_model=16&heads=2")
    upload(new_tab, "claps.mp3", file_of(claps(), "MP3"))
    address_has(new_tab, "sound=upload")
    expect(new_tab.locator(".st-key-findings")).to_contain_text("repeat after 0.80 s")
    expect(new_tab.locator(LANES)).to_have_attribute("aria-valuemax", "99")
    for name, (data, sentence) in BAD.items():
        upload(new_tab, name, data)
        expect(new_tab.locator(".st-key-error")).to_contain_text(sentence)
        expect(new_tab.locator(LANES)).to_have_attribute("aria-valuemax", "99")
    upload(new_tab, "silence.wav", file_of(np.zeros(RATE)))
    expect(new_tab.locator(".st-key-findings")).to_contain_text("nothing to hear")
    expect(new_tab.get_by_test_id("stException")).to_have_count(0)


@pytest.fixture
def clapping(browser: Browser, tmp_path: Path) -> Iterator[Page]:
    """A reader whose microphone hears claps."""
    path = tmp_path / "claps.wav"
    path.write_bytes(file_of(claps(12.0)))
    flags = [
        *CHROMIUM_FLAGS,
        "--use-fake-device-for-media-stream",
        "--use-fake-ui-for-media-stream",
        f"--use-file-for-fake-audio-capture={path}",
    ]
    opened = browser.browser_type.launch(executable_path=CHROMIUM, args=flags)
    context = opened.new_context(permissions=["microphone"], locale="en-US")
    yield context.new_page()
    opened.close()


def test_claps_that_are_recorded_find_each_other(server: str, clapping: Page) -> None:
    clapping.goto(f"{server}/audio?lang=en&model=seeded")
    record = clapping.locator("[data-testid=stAudioInput] button")
    record.and_(clapping.get_by_label("Record", exact=True)).click()
    expect(clapping.get_by_test_id("stAudioInputWaveformTimeCode")).to_have_text("00:04")
    record.and_(clapping.get_by_label("Stop recording")).click()
    address_has(clapping, "sound=recording")
    expect(clapping.locator(".st-key-findings")).to_contain_text("repeat after 0.80 s")
    expect(clapping.get_by_test_id("stException")).to_have_count(0)


def test_moments_that_are_masked_are_grey_below_the_sound(
    server: str, page: Page, errors: list[str]
) -> None:
    """The first frame may look at none of those in the second half."""
    open_step(page, server, f"{SMALL}&mask=causal&stage=weights&row=1&column=1", "audio")
    assert masked_pixels(page) > 100
    assert not errors


def masked_pixels(page: Page) -> int:
    """How many pixels of the second half have the colour of what is masked."""
    expect(page.locator(LANES)).to_be_visible()
    grey = rgb(PALETTES["light"].masked).astype(int).tolist()
    found: int = page.locator(LANES).evaluate(
        """(lanes, grey) => {
          const { width, height } = lanes.querySelector("canvas"), right = Math.floor(width / 2);
          const pen = lanes.querySelector("canvas").getContext("2d");
          const { data } = pen.getImageData(right, 0, width - right, height);
          const is = (i) => grey.every((part, channel) => data[4 * i + channel] === part);
          return Array.from({ length: data.length / 4 }, (_, i) => i).filter(is).length;
        }""",
        grey,
    )
    return found
