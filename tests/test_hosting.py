"""The proxy's policy and the container fit the app, and the capacity table is computed."""

import base64
import hashlib
import re
from pathlib import Path

import pytest
import streamlit
from source_tree import FOLDERS, ROOT

from hosting.capacity import Measured, need


def test_the_policy_allows_the_inline_script_of_streamlits_page() -> None:
    page = (Path(streamlit.__file__).parent / "static" / "index.html").read_bytes()
    policy = (ROOT / "hosting" / "haproxy.cfg").read_text("utf-8")
    for script in re.findall(rb"<script>(.*?)</script>", page, re.DOTALL):
        digest = base64.b64encode(hashlib.sha256(script).digest()).decode()
        assert f"'sha256-{digest}'" in policy


def test_the_container_copies_every_folder_of_the_app() -> None:
    copied = re.findall(r"^COPY (?!--)(.*) \S+$", (ROOT / "Containerfile").read_text("utf-8"), re.M)
    known = {name for names in copied for name in names.split()}
    assert known >= {"app.py", ".streamlit", "assets", "requirements.txt", *FOLDERS}
    ignored = (ROOT / ".containerignore").read_text("utf-8").splitlines()
    assert {f"!{name}" for name in known} <= {*ignored}


def test_a_thousand_readers_at_twenty_a_core_need_fifty_replicas_and_one_to_spare() -> None:
    row = need(1_000, Measured(readers=20, base=200, each=4), core_month=10)
    assert (row.replicas, row.memory, row.price) == (51, pytest.approx(14.2), 510)
