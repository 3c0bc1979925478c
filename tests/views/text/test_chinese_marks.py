"""Full-width punctuation has no space beside it in any text."""

import ast
import re
import tomllib
from pathlib import Path

from all_texts import leaves
from claims import for_all

ROOT = Path(__file__).parents[3]
FILES = [
    path
    for folder in ("views", "pages")
    for suffix in ("py", "toml")
    for path in sorted((ROOT / folder).rglob(f"*.{suffix}"))
]
MARK = r"[\u3001\u3002\u3008-\u301b\uff01-\uff1f]"
GAP = re.compile(rf"{MARK}[ \n]+(?=\S)|\S +{MARK}")


def texts(path: Path) -> list[str]:
    """Every string of a module, its pieces joined as Python joins them, or of a file of words."""
    if path.suffix == ".toml":
        return [text for _, text in leaves(tomllib.loads(path.read_text("utf-8")))]
    nodes = ast.walk(ast.parse(path.read_text("utf-8")))
    return [
        node.value for node in nodes if isinstance(node, ast.Constant) and type(node.value) is str
    ]


@for_all("path", FILES)
def test_no_space_is_beside_a_chinese_mark(path: Path) -> None:
    assert [text for text in texts(path) if GAP.search(text)] == []
