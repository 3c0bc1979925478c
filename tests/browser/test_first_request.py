"""A server that nobody has visited yet, and what a browser is sent from its first moment on."""

from microscope import title, title_of_sum
from playwright.sync_api import Page, expect


def test_a_deep_link_is_the_very_first_request_nothing_comes_from_elsewhere_and_no_script_fails(
    fresh_server: str, new_tab: Page
) -> None:
    foreign, failed = [], []
    new_tab.on(
        "request",
        lambda asked: foreign.append(asked.url) if is_foreign(asked.url, fresh_server) else None,
    )
    new_tab.on("pageerror", lambda error: failed.append(str(error)))
    new_tab.goto(f"{fresh_server}/sentence?lang=en&stage=output&row=3&column=2&mask=causal")
    expect(title(new_tab)).to_contain_text("mix the heads")
    expect(new_tab.get_by_text("Page not found")).to_have_count(0)
    expect(title_of_sum(new_tab)).to_contain_text("output[北京, 2] ≈ 0.38")
    for path in ("/", "/image?stage=weights&size=64&patch=16"):
        new_tab.goto(fresh_server + path)
        expect(new_tab.locator("h1, .st-key-microscope h3").first).to_be_visible()
        new_tab.wait_for_load_state("networkidle")
    assert foreign == []
    assert failed == []


def is_foreign(url: str, server: str) -> bool:
    return not url.startswith((server, server.replace("http", "ws"), "data:", "blob:"))
