"""No page fails in the browser, whatever stands in its boxes and whichever sample is chosen."""

import pytest
from microscope import PARTS, server_rests, visit
from playwright.sync_api import Page

BOXES = '[data-testid="stTextInput"] input, [data-testid="stTextArea"] textarea'
SAMPLES = ".st-key-samples button, .st-key-picture button, .st-key-sound button"
WORDLESS = {"home", "understand", "checkpoint"}  # nothing to write and no sample


@pytest.mark.parametrize("part", PARTS)
def test_empty_boxes_and_every_sample_leave_no_error_in_the_console(
    server: str, page: Page, part: str
) -> None:
    failed: list[tuple[str, str]] = []
    here = ""
    page.on("pageerror", lambda error: failed.append((here, str(error))))
    for here in [name for name in PARTS[part] if name not in WORDLESS]:
        visit(page, f"{server}/{here}?lang=en")
        server_rests(page)
        boxes, samples = page.locator(BOXES), page.locator(SAMPLES)
        for number in range(boxes.count()):
            box = boxes.nth(number)
            if box.is_visible() and box.is_enabled():
                enter = (
                    "Enter" if box.evaluate("box => box.tagName") == "INPUT" else "Control+Enter"
                )
                for text in ("   ", box.input_value() or "a"):
                    box.fill(text)
                    box.press(enter)
                    server_rests(page)
        for number in range(samples.count()):
            if samples.nth(number).is_visible() and samples.nth(number).is_enabled():
                samples.nth(number).click()
                server_rests(page)
    assert failed == []
