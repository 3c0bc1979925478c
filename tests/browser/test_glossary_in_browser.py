from microscope import address_has, visit
from playwright.sync_api import Page, expect


def test_a_word_of_a_step_leads_to_the_glossary_and_back_to_the_step(
    server: str, page: Page
) -> None:
    visit(page, f"{server}/sentence?lang=zh&model=seeded&text=她爱海&stage=weights")
    line = page.locator(".st-key-microscope .terms")
    expect(line).to_contain_text("缩放后的分数")
    line.get_by_role("link", name="缩放后的分数").click()
    address_has(page, "/glossary.*term=scaled")
    asked = page.locator(".st-key-asked_scaled_card")
    expect(asked).to_contain_text("缩放后的分数")
    expect(asked).to_contain_text("(batch 1, head 2, query 2, key 2)")
    box = page.locator(".st-key-find input")
    box.fill("attn_mask")
    box.press("Enter")
    found = page.locator(".st-key-found_masked_card")
    expect(found).to_contain_text("加了掩码的分数")
    address_has(page, "find=attn_mask")
    found.get_by_role("link", name="去看看").click()
    address_has(page, "/sentence.*stage=masked")
    expect(page.locator(".st-key-text input")).to_have_value("她爱海")
    expect(page.locator("article.notice")).to_have_count(0)
