"""What the door to each page says: the table ``door`` of the page's own words."""

import tomllib
from dataclasses import dataclass

from views.menu import TABLE, Page
from views.text.load import CODES, DOOR, read


@dataclass(frozen=True)
class Door:
    """title: of the page, in the menu and the browser's tab. about: one line on what is behind."""

    title: str
    about: str = ""


def _door(page: Page, code: str) -> Door:
    path = page.folder / f"words.{code}.toml"
    door: Door = read(Door, tomllib.loads(path.read_text("utf-8")).get(DOOR, {}), f"{path}: {DOOR}")
    return door


DOORS = {code: {page.name: _door(page, code) for page in TABLE} for code in CODES}
