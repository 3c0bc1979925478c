"""The title and description of each page, from the table ``page`` of its texts."""

import tomllib
from dataclasses import dataclass

from views.navigation import TABLE, Page
from views.text.load import CODES, PAGE_TABLE, read


@dataclass(frozen=True)
class PageInfo:
    """title: in the navigation and the browser's tab. about: the contents in one line."""

    title: str
    about: str = ""


def _page_info(page: Page, code: str) -> PageInfo:
    path = page.folder / f"words.{code}.toml"
    table = tomllib.loads(path.read_text("utf-8")).get(PAGE_TABLE, {})
    info: PageInfo = read(PageInfo, table, f"{path}: {PAGE_TABLE}")
    return info


PAGE_INFO = {code: {page.name: _page_info(page, code) for page in TABLE} for code in CODES}
