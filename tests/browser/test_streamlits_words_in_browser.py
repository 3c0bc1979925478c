"""Streamlit's own texts are Chinese on a Chinese page, and English again on an English one.

That no page is an exception is among the claims of ``test_accessibility``, which walks through all.
"""

import re
from pathlib import Path

from microscope import address_of, server_rests, visit
from playwright.sync_api import Page, expect
from spoken import leftovers

from views.text import STREAMLIT
from views.text.streamlit import ORIGINAL


def test_what_comes_up_while_something_is_entered_is_chinese_too(
    server: str, new_tab: Page, tmp_path: Path
) -> None:
    says = STREAMLIT["zh"].says
    an_unknown_page_is_reported_in_chinese(server, new_tab)
    visit(new_tab, address_of(server, "checkpoint", "zh"))
    new_tab.locator(".st-key-text textarea").press_sequentially("啊")
    hint = new_tab.get_by_test_id("InputInstructions")
    expect(hint).to_have_text(says["apply"].format(keys="Ctrl+Enter"))
    assert leftovers(new_tab) == set()
    visit(new_tab, address_of(server, "audio", "zh"))
    box = new_tab.get_by_test_id("stSelectbox").locator("input").first
    box.fill("zzzz")
    expect(new_tab.get_by_text(says["no_results"])).to_be_visible()
    box.press("Escape")
    assert leftovers(new_tab) == set()
    on_an_english_page_streamlit_speaks_for_itself_again(new_tab)
    large = tmp_path / "large.png"
    large.write_bytes(bytes(21 * 1024**2))
    visit(new_tab, address_of(server, "image", "zh"))
    new_tab.get_by_test_id("stFileUploaderDropzoneInput").set_input_files(large)
    expect(new_tab.get_by_test_id("stFileUploader")).to_contain_text(
        re.compile(re.escape(says["too_large"]).replace(r"\{size\}", ".+"))
    )
    expect(
        new_tab.get_by_role("button", name=says["remove"].format(name="large.png"))
    ).to_be_visible()


def an_unknown_page_is_reported_in_chinese(server: str, page: Page) -> None:
    page.goto(f"{server}/nowhere?lang=zh")
    dialog = page.get_by_role("dialog")
    expect(dialog).to_contain_text(STREAMLIT["zh"].says["no_page"])
    assert not re.search("[A-Za-z]{2,}", dialog.inner_text().replace("/nowhere", ""))
    page.keyboard.press("Escape")
    expect(dialog).to_have_count(0)


def on_an_english_page_streamlit_speaks_for_itself_again(page: Page) -> None:
    uploader = page.get_by_test_id("stFileUploader")
    expect(uploader).to_contain_text(STREAMLIT["zh"].says["upload"])
    page.get_by_role("radio", name="English").click()
    expect(uploader).to_contain_text(STREAMLIT[ORIGINAL].says["upload"])
    expect(uploader).to_contain_text("per file")
    server_rests(page)
    expect(page.get_by_test_id("stSelectbox").get_by_role("button", name="Open")).to_be_visible()
    page.get_by_role("radio", name="中文").click()
    expect(uploader).to_contain_text(STREAMLIT["zh"].says["upload"])
