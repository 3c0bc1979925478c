"""A lesson: a teacher and three students, two languages, two replicas, one of which is killed."""

import json
import os
import shutil
import signal
import subprocess
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest
from conftest import DESK, PHONE
from microscope import INIT_SCRIPT, PATIENCE, click_cell
from playwright.sync_api import Browser, Page, expect
from replicas import HAPROXY, hosted

from hosting.serve import free_ports

REDIS = shutil.which("valkey-server") or shutil.which("redis-server")
TABLET = {"width": 820, "height": 1180}
TABS = (("en-US", DESK), ("zh-CN", PHONE), ("zh-CN", TABLET), ("en-US", DESK))
AT = """(there) => {
  const { stage, rest, resultHidden } = globalThis.attentionMicroscope ?? {};
  return String([stage, rest?.row, rest?.column, resultHidden]) === String(there);
}"""


@pytest.fixture
def valkey() -> Iterator[str]:
    """The address of a server of its own."""
    pytest.importorskip("redis")
    (port,) = free_ports(1)
    command = [str(REDIS), "--port", str(port), "--save", "", "--bind", "127.0.0.1"]
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL)
    yield f"redis://127.0.0.1:{port}"
    process.terminate()
    process.wait(10)


@pytest.fixture
def tabs(browser: Browser) -> Iterator[list[Page]]:
    """The teacher's browser, and those of a phone, a tablet and a laptop, each with its storage."""
    with ExitStack() as stack:
        opened = []
        for locale, viewport in TABS:
            context = stack.enter_context(
                browser.new_context(viewport=viewport, locale=locale, has_touch=viewport != DESK)
            )
            context.set_default_timeout(PATIENCE)
            context.add_init_script(INIT_SCRIPT)
            opened.append(context.new_page())
        yield opened


@pytest.mark.skipif(not (HAPROXY and REDIS), reason="haproxy or valkey is not installed")
def test_a_ready_lesson_from_the_code_to_the_answers_outlives_a_replica(
    tabs: list[Page], valkey: str, tmp_path: Path
) -> None:
    teacher, phone, tablet, laptop = tabs
    students = tabs[1:]

    def all_at(*there: object) -> None:
        for tab in tabs:
            tab.wait_for_function(AT, arg=there)

    with hosted(tmp_path / "log", valkey) as service:
        teacher.goto(f"{service.address}/class")
        teacher.get_by_role("button", name="Start a class").click()
        teacher.locator("b.code").first.wait_for()
        member = json.loads(teacher.evaluate("localStorage['attention-microscope-teacher']"))
        phone.goto(member["link"])
        phone.get_by_placeholder("昵称").fill("<i>小安</i>")
        phone.get_by_role("button", name="加入").click()
        for tab, code, join in ((tablet, "代码", "加入"), (laptop, "The code, six signs", "Join")):
            tab.goto(f"{service.address}/class")
            tab.get_by_label(code).fill(member["code"][:6].lower())
            tab.get_by_role("button", name=join).click()
        expect(teacher.locator(".wall li")).to_have_count(3)
        assert "小安" not in teacher.locator(".wall").inner_text()
        teacher.get_by_role("button", name="Show names").click()
        expect(teacher.locator(".wall li b").first).to_have_text("<i>小安</i>")

        # A number: the phone has no network when it answers.
        teacher.locator(".card.lesson button", has_text="By hand").click()
        teacher.locator(".steps button", has_text="Open").nth(2).click()
        all_at("Q", 1, 0, True)
        assert "lang=en" not in phone.url
        expect(phone.get_by_role("button", name="数字已隐藏")).to_be_disabled()
        laptop.keyboard.press("h")  # what is hidden is the teacher's to show
        expect(phone.locator(".st-key-microscope .figure > canvas")).to_be_in_viewport()
        teacher.get_by_role("button", name="Ask: ").click()
        expect(phone.locator(".dock h2")).to_have_text("Q [追, 1] 是多少？")
        phone.context.set_offline(True)
        phone.locator(".number input").fill("0")
        phone.get_by_role("button", name="发送").click()
        for tab, value in ((tablet, "1/2"), (laptop, "41 %")):
            tab.locator(".number input").fill(value)
            tab.keyboard.press("Enter")
        expect(teacher.locator(".count")).to_have_text("2 of 3 answered")
        assert "right" not in teacher.locator(".chart").inner_text()
        teacher.get_by_role("button", name="Reveal").hover()
        teacher.mouse.down()  # a press counts, whatever comes before it ends
        phone.context.set_offline(False)
        expect(teacher.locator(".count")).to_have_text("3 of 3 answered")

        # A replica is killed; nobody is lost, nor are the answers.
        os.kill(service.pids()[0 if service.has_readers("app1") else 1], signal.SIGKILL)
        teacher.mouse.up()
        expect(teacher.locator(".chart li.right .label")).to_have_text("0.00")
        expect(phone.locator(".status")).to_contain_text("✓")
        expect(laptop.locator(".status")).to_contain_text("✗")
        all_at("Q", 1, 0, False)
        laptop.get_by_role("button", name="On my own").click()
        teacher.keyboard.press("ArrowRight")
        phone.wait_for_function(AT, arg=["Q", 1, 1, False])
        assert laptop.evaluate(AT, ["Q", 1, 0, False])
        laptop.get_by_role("button", name="Back to the teacher").click()
        all_at("Q", 1, 1, False)

        # A word: by a tap into the figure, on an option, by a number key; in two rounds.
        for _ in range(3):
            teacher.get_by_role("button", name="Next step of the lesson").click()
        all_at("weights", 1, 0, True)
        teacher.get_by_role("button", name="Ask: ").click()
        phone.locator(".options").wait_for()
        click_cell(phone, 1, 2)
        tablet.locator(".options button").nth(0).click()
        laptop.locator(".options button").first.wait_for()
        laptop.keyboard.press("2")
        expect(teacher.locator(".over .cell")).to_have_text(["1", "1", "1"])
        teacher.get_by_role("button", name="Ask again").click()
        expect(phone.locator(".options [aria-pressed=true]")).to_have_count(0)
        phone.locator(".options button").nth(1).click()
        expect(teacher.locator(".count")).to_have_text("1 of 3 answered")
        expect(teacher.locator(".chart .round1")).to_have_count(4)  # with the legend
        phone.get_by_role("button", name="我跟不上").click()
        expect(teacher.locator(".bar .lost")).to_have_text("1 lost")
        for tab in (teacher, phone):  # asleep and awake again: the tab is loaded anew
            tab.reload()
            tab.locator(".dock .bar").wait_for()
        expect(teacher.locator(".count")).to_have_text("1 of 3 answered")

        teacher.get_by_role("button", name="Reveal").click()

        # Shares that are dragged; then all answers as a file, and the end.
        teacher.get_by_role("button", name="Next step of the lesson").click()
        teacher.get_by_role("button", name="Ask: ").click()
        for tab in students:
            tab.locator(".shares input").first.fill("60")
            tab.locator(".shares button.main").click()
        expect(teacher.locator(".chart .label ~ .bars i").first).to_have_text("0.60")
        all_at("weights", 0, 0, True)
        teacher.get_by_role("link", name="Class", exact=False).last.click()
        with teacher.expect_download() as saved:
            teacher.get_by_role("button", name="Answers as CSV").click()
        lines = saved.value.path().read_text("utf-8-sig").splitlines()
        assert len(lines) == 1 + 3 + 3 + 1 + 3
        answered = [line.rsplit(",", 1)[0] for line in lines]
        assert "<i>小安</i>,1.1 cell Q 追 1,0" in answered
        teacher.get_by_role("button", name="End the class").click()
        teacher.get_by_role("button", name="Yes, end it").click()
        expect(phone.locator(".dock .bar")).to_be_hidden()
        assert phone.evaluate("sessionStorage['attention-microscope-student'] ?? null") is None
