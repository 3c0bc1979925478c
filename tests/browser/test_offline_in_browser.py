"""The server is lost, or does not answer, while a text is typed."""

import os
import re
import signal

import pytest
from microscope import address_has, address_of, open_machine, quiet
from playwright.sync_api import Locator, Page, expect
from serving import serving

AWAY = "The server cannot be reached"
GIVEN_UP = "Streamlit server is not responding"  # in the console, where Streamlit opens its dialog
DRAWN = "() => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)))"
RETRIED = 120_000  # milliseconds: Streamlit waits up to a minute before it tries again


@pytest.fixture
def strip(new_tab: Page) -> Locator:
    return new_tab.locator(".st-key-connection section")


def test_a_lost_connection_is_reported_and_what_was_being_written_goes_on(
    new_tab: Page, strip: Locator
) -> None:
    page = new_tab
    waits = page.locator("[data-waits]")
    box = page.locator(".st-key-text input")
    with page.expect_console_message(lambda message: GIVEN_UP in message.text, timeout=RETRIED):
        with serving() as served:
            page.goto(address_of(served.address, "sentence") + "&model=seeded&text=我爱北京")
            open_machine(page)
            port = int(served.address.rpartition(":")[2])
            box.press("End")
            box.press_sequentially(" me")
        expect(strip).to_contain_text(AWAY)
        expect(waits.locator("input")).to_have_value("我爱北京 me")
    expect(waits).to_have_count(1)
    page.evaluate(DRAWN)
    expect(page.get_by_role("dialog")).to_have_count(0)

    with serving(port=port) as served:
        page.wait_for_url(re.compile("text=.*me(&|$)"), wait_until="commit", timeout=RETRIED)
        expect(box).to_have_value("我爱北京 me")
        expect(strip).to_be_empty()
        expect(waits).to_have_count(0)
        quiet(page)  # the end of an earlier run would be taken for the answer to what follows

        os.kill(served.pid, signal.SIGSTOP)
        try:
            page.locator(".st-key-mode").get_by_text("character").click()
            expect(strip).to_contain_text(AWAY)
            expect(waits).to_contain_text("character")
        finally:
            os.kill(served.pid, signal.SIGCONT)
        address_has(page, "mode=character")
        expect(strip).to_be_empty()
        expect(waits).to_have_count(0)
