"""A trace as a file, opened from disk without any network: it does all that the viewer does."""

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from claims import for_all
from microscope import INIT_SCRIPT, PATIENCE, server_rests, state, until, visit
from playwright.sync_api import Browser, Page, expect
from shown_traces import classified, many_patches, sentence, translated

from core import Trace
from views.export.file import ExportOptions, Layers, html, html_of_layers
from views.navigation import PAGE_INFO
from views.text import LANGUAGES, numbers

FIGURE = ".figure > canvas"
SUM = ".sum h3"
SAVED = {
    "translation": lambda: translated("decoder/1/cross"),
    "image": lambda: classified("encoder/1/self"),
}
DESK = {"viewport": {"width": 1440, "height": 900}}
PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}


class SavedFile:
    """A file on disk and a browser without a network that opens it."""

    def __init__(self, browser: Browser, folder: Path, screen: dict[str, Any]) -> None:
        self.context = browser.new_context(**screen, locale="zh-CN")
        self.context.set_default_timeout(PATIENCE)
        self.context.add_init_script(INIT_SCRIPT)
        self.context.set_offline(True)
        self.file = folder / "saved.html"
        self.asked: list[str] = []
        self.wrong: list[str] = []

    def open(self, trace: Trace, fragment: str = "", options: ExportOptions | None = None) -> Page:
        self.file.write_text(html(trace, LANGUAGES["zh"], options), "utf-8")
        return self.visit(fragment)

    def visit(self, fragment: str = "") -> Page:
        for shown in self.context.pages:
            shown.close()
        page = self.context.new_page()
        page.on("request", lambda request: self.asked.append(request.url.split("#")[0]))
        page.on("console", lambda message: self.wrong.append(message.text))
        page.on("pageerror", lambda error: self.wrong.append(str(error)))
        page.goto(f"{self.file.as_uri()}{fragment}")
        expect(page.locator(SUM)).not_to_be_empty()
        return page

    def close(self) -> None:
        self.context.close()
        assert {*self.asked} == {self.file.as_uri()}
        assert not self.wrong


@pytest.fixture
def at_desk(browser: Browser, tmp_path: Path) -> Iterator[SavedFile]:
    made = SavedFile(browser, tmp_path, DESK)
    yield made
    made.close()


@pytest.fixture
def on_phone(browser: Browser, tmp_path: Path) -> Iterator[SavedFile]:
    made = SavedFile(browser, tmp_path, PHONE)
    yield made
    made.close()


def in_fragment(page: Page, text: str) -> None:
    until(page, f"location.hash.slice(1).split('&').includes('{text}')")


def point(page: Page, row: int, column: int) -> None:
    spot = middle_of(page, row, column)
    page.locator(FIGURE).hover(position=spot)


def middle_of(page: Page, row: int, column: int) -> dict[str, float]:
    found: dict[str, float] = page.evaluate(
        """([row, column]) => {
          const box = globalThis.attentionMicroscope.layout.boxes.at(-1);
          return {
            x: box.x + (column - box.first + 0.5) * box.cellWidth,
            y: box.y + (row - box.top + 0.5) * box.cellHeight,
          };
        }""",
        [row, column],
    )
    return found


@for_all("kind", SAVED)
def test_a_file_does_what_the_viewer_does_on_a_phone_too(on_phone: SavedFile, kind: str) -> None:
    does_what_the_viewer_does(on_phone.open(SAVED[kind]()))


def does_what_the_viewer_does(page: Page) -> None:
    page.locator(FIGURE).scroll_into_view_if_needed()
    point(page, 0, 0)
    first = page.locator(SUM).text_content()
    point(page, 0, 1)
    expect(page.locator(SUM)).not_to_have_text(first or "")

    before = state(page, "s.stage")
    page.keyboard.press("ArrowLeft")
    until(page, f"s.stage !== '{before}'")
    in_fragment(page, f"stage={state(page, 's.stage')}")
    if state(page, "s.trace.heads > 1 && s.trace.head === null"):
        page.keyboard.press("2")
        until(page, "s.head === 1")
        expect(page.locator(".signature .head")).to_contain_text(re.compile(r"(头|head)\s2\s/"))
    page.keyboard.press("p")
    expect(page.locator(".microscope")).to_have_class("microscope presenting")
    page.keyboard.press("Escape")
    expect(page.locator(".microscope")).to_have_class("microscope")
    page.locator("body").press(" ")
    until(page, "s.playing")
    page.keyboard.press(" ")
    until(page, "s.playing === false")


def test_a_link_opens_a_step_and_the_other_language_has_the_same_selection(
    at_desk: SavedFile,
) -> None:
    page = at_desk.open(sentence(), "#lang=en&stage=weights&head=2&row=3&column=1&lock=1")
    expect(page.locator(SUM)).to_contain_text("weights[head 2")
    assert state(page, "s.rest") == {"row": 2, "column": 0}
    assert state(page, "s.locked") is True
    page.evaluate("location.hash = '#lang=zh&stage=concat&row=2'")
    expect(page.locator(SUM)).to_contain_text("concat[")
    expect(page.locator("h1")).to_have_text("注意力显微镜")
    assert page.evaluate("document.documentElement.lang") == "zh"
    expect(page.locator(".words h2")).to_have_text(LANGUAGES["zh"].viewer.does)
    page.get_by_role("button", name="English").click()
    expect(page.locator(".words h2")).to_have_text(LANGUAGES["en"].viewer.does)
    assert state(page, "[s.stage, s.rest.row]") == ["concat", 1]
    in_fragment(page, "lang=en")


def test_of_a_large_trace_every_step_is_sent_with_one_head(at_desk: SavedFile) -> None:
    page = at_desk.open(many_patches(), options=ExportOptions(head=1, one_head=True))
    expect(page.locator("#head-note")).to_contain_text("头 2")
    page.evaluate("attentionMicroscope.move({ stage: 'embedding' })")
    expect(page.locator(SUM)).to_contain_text("embedding[")
    page.evaluate("attentionMicroscope.move({ stage: 'weights' })")
    expect(page.locator(SUM)).to_contain_text("weights[")
    expect(page.locator(".heads")).to_be_hidden()
    page.keyboard.press("1")
    expect(page.locator("#head-note")).to_have_class("asked")
    assert state(page, "s.head") == 1
    assert state(page, "s.isHere") is True


def test_a_file_that_has_all_heads_shows_the_one_that_is_chosen(at_desk: SavedFile) -> None:
    page = at_desk.open(many_patches(), "#lang=en&stage=weights&head=2")
    until(page, "s.isHere && s.head === 1")
    heads = page.locator(".heads .one")
    expect(heads).to_have_count(many_patches()["weights"].size("head"))
    expect(page.locator("#head-note")).to_be_empty()
    heads.nth(3).locator("button").first.click()
    until(page, "s.isHere && s.head === 3")
    first = float(many_patches()["weights"].tensor[0, 3, 1, 2])
    assert page.evaluate("attentionMicroscope.trace.value('weights', [0, 3, 1, 2])") == first


def test_a_file_of_all_layers_shows_the_one_that_is_chosen_at_the_same_cell(
    at_desk: SavedFile,
) -> None:
    paths = ("decoder/1/self", "decoder/1/cross")
    layers = Layers(paths, paths[0], translated)
    options = ExportOptions(title=lambda words: words.product, layers=layers)
    written = html_of_layers(translated(paths[0]), LANGUAGES["en"], options)
    at_desk.file.write_text(written, "utf-8")
    page = at_desk.visit("#stage=weights&row=2&column=1&part=1")
    choice, first = page.locator("#part select"), page.locator(SUM).text_content() or ""
    choice.select_option(index=1)
    expect(page.locator(SUM)).not_to_have_text(first)
    assert state(page, "[s.stage, s.rest.row, s.rest.column]") == ["weights", 1, 0]
    in_fragment(page, "part=2")
    page.get_by_role("button", name="中文").click()
    expect(page.locator("h1")).to_contain_text("交叉注意力")
    page.reload()
    expect(choice).to_have_value("1")


def test_a_readers_text_is_shown_and_never_run(at_desk: SavedFile) -> None:
    hostile = (
        "<img src=x onerror=document.title='run'></script><script>document.title='run'</script>"
    )
    page = at_desk.open(sentence(), options=ExportOptions(title=lambda _: hostile, address=hostile))
    expect(page.locator("h1")).to_have_text(hostile)
    expect(page.locator("dd").last).to_have_text(hostile)
    assert page.title() != "run"


def test_a_viewer_saves_its_page_stays_where_it_is_and_the_file_does_what_it_does(
    page: Page, server: str, at_desk: SavedFile
) -> None:
    visit(page, f"{server}/by_hand?lang=en&below=figure")
    button = page.locator(".save [data-format=html]")
    expect(button).to_contain_text("This page (HTML) · ≈")
    before = page.locator(SUM).text_content() or ""
    page.keyboard.press("ArrowRight")
    expect(page.locator(SUM)).not_to_have_text(before)
    expect(button).to_be_visible()
    stage, sum_ = state(page, "s.stage"), page.locator(SUM).text_content()
    with page.expect_download() as download:
        button.click()
    download.value.save_as(at_desk.file)
    label = f"This page (HTML) · {numbers.size(at_desk.file.stat().st_size)}"
    expect(button).to_have_text(label)
    assert state(page, "s.stage") == stage
    assert page.locator(SUM).text_content() == sum_
    for name in ("xlsx", "ipynb", "npz"):
        with page.expect_download() as download:
            page.locator(f".save [data-format={name}]").click()
        assert download.value.suggested_filename == f"by_hand.{name}"
    for name in ("csv", "tex"):
        made = page.locator(f".save [data-format={name}]")
        expect(made).to_have_text(re.compile(r" · \d+ B$"))
        size = (made.text_content() or "").removesuffix(" B").split()[-1]
        with page.expect_download() as download:
            made.click()
        assert download.value.suggested_filename == f"by_hand-{stage}.{name}"
        assert download.value.path().stat().st_size == int(size)
        assert "1.125" in download.value.path().read_text("utf-8").replace("1.1250", "1.125")
    is_made_again_from_python(page, at_desk.file.parent, stage)
    saved = at_desk.visit()
    assert state(saved, "s.stage") == stage
    expect(saved.locator("h1")).to_contain_text(PAGE_INFO["en"]["by_hand"].title)
    expect(saved.locator("dl")).not_to_contain_text(server)  # no other computer reaches it
    expect(saved.locator(SUM)).to_have_text(sum_ or "")
    does_what_the_viewer_does(saved)


BESIDE = {  # what a file of a page takes along, and what of it follows the microscope or plays
    "image?picture=ring&model=seeded&size=112": ("picture", ".beside .words, .beside p"),
    "translation?text=我爱北京": ("decoding", ".beside .headline"),
    "audio?sound=knocks": ("timeline", ".beside button"),
    "soft_cap?": ("prose", ".beside .lead"),
}


@for_all("address", BESIDE)
def test_a_file_takes_along_what_stands_beside_the_microscope(
    page: Page, server: str, at_desk: SavedFile, address: str
) -> None:
    name, inside = BESIDE[address]
    visit(page, f"{server}/{address}&lang=en&stage=weights&below=figure")
    server_rests(page)
    with page.expect_download() as download:
        page.locator(".save [data-format=html]").click()
    download.value.save_as(at_desk.file)
    saved = at_desk.visit()
    assert saved.locator(f".beside [data-component={name}]").count()
    expect(saved.locator(inside).first).to_be_visible()
    if name != "picture":
        return
    before = saved.locator(SUM).text_content() or ""
    saved.locator(".beside canvas").last.click(position={"x": 9, "y": 9})
    expect(saved.locator(SUM)).not_to_have_text(before)


def is_made_again_from_python(page: Page, folder: Path, stage: str) -> None:
    """A figure for a paper, by its script as it is pasted, in the folder of all numbers."""
    page.locator(".save .form input[type=number]").fill("60")
    page.locator(".save .form .caption").fill('Fig. 1: "我" looks.')
    for name in ("npz", "paper_svg"):
        with page.expect_download() as download:
            page.locator(f".save [data-format={name}]").click()
        download.value.save_as(folder / download.value.suggested_filename)
    figure = folder / f"by_hand-{stage}-60mm.svg"
    made = figure.read_bytes()
    figure.unlink()
    page.locator(".save .again summary").click()
    script = page.locator(".save .again code").inner_text()
    root = Path(__file__).parents[2]
    subprocess.run(
        [sys.executable, "-c", script], cwd=folder, env=os.environ | {"PYTHONPATH": str(root)},
        check=True,
    )  # fmt: skip
    assert figure.read_bytes() == made


LOSE_THE_FIRST_FILE = """() => {
  const viewer = document.querySelector(".st-key-viewer");
  const lose = (event) => {
    if (new TextDecoder().decode(event.detail.data.subarray(0, 4000)).includes('"bytes":0')) return;
    viewer.removeEventListener("microscope:run", lose, true);
    event.stopImmediatePropagation();
    viewer.dataset.lost = "file";
  };
  viewer.addEventListener("microscope:run", lose, true);
}"""


def test_a_file_whose_run_is_overtaken_by_another_is_asked_for_again(
    page: Page, server: str
) -> None:
    visit(page, f"{server}/by_hand?lang=en&below=figure")
    button = page.locator(".save [data-format=html]")
    expect(button).to_contain_text("This page (HTML)")
    server_rests(page)
    page.evaluate(LOSE_THE_FIRST_FILE)
    with page.expect_download() as download:
        button.click()
        expect(page.locator(".st-key-viewer[data-lost=file]")).to_have_count(1)
        page.keyboard.press("ArrowRight")
    assert PAGE_INFO["en"]["by_hand"].title in download.value.path().read_text("utf-8")
