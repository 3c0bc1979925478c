"""A file of tensors on the page Own model, in place of a model."""

from pathlib import Path

import numpy as np
from microscope import arrive, server_rests, title_of_sum
from playwright.sync_api import Page, expect


def test_a_file_of_weights_is_shown_by_layer_and_another_file_ends_in_a_sentence(
    server: str, new_tab: Page, tmp_path: Path
) -> None:
    page, drop = new_tab, new_tab.get_by_test_id("stFileUploaderDropzoneInput")
    weights = np.zeros((2, 3, 4, 4), np.float32)
    weights[0], weights[1] = 0.25, np.eye(4)
    np.savez(tmp_path / "run.npz", weights=weights, tokens=["我", "爱", "北京", "。"])
    np.savez(tmp_path / "other.npz", attention=weights)
    page.goto(f"{server}/checkpoint?lang=en&head=2")
    arrive(page, "checkpoint", "en")
    drop.set_input_files(tmp_path / "run.npz")
    expect(title_of_sum(page)).to_have_text("weights[head 2, 爱, 北京] = 0.2500")
    server_rests(page)
    page.get_by_role("combobox", name="Layer").click()
    page.get_by_role("option", name="2").click()
    expect(title_of_sum(page)).to_have_text("weights[head 2, 爱, 北京] = 0")
    server_rests(page)
    page.get_by_role("button", name="Remove").first.click()
    expect(title_of_sum(page)).not_to_have_text("weights[head 2, 爱, 北京] = 0")
    server_rests(page)  # the run without a file draws the box for files anew
    drop.set_input_files(tmp_path / "other.npz")
    error = page.locator(".st-key-error")
    expect(error).to_contain_text("“other.npz”: This file has no weights, and not all of Q, K")
    expect(error).to_contain_text("It has: “attention”.")
