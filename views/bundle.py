"""Front ends as they go to a browser: what .js and .css files import stands in one text."""

import re
from pathlib import Path

ASSETS = Path(__file__).parents[1] / "assets"
_IMPORT = re.compile(r'^import (\{[^}]*\}) from "([^"]+)";$', re.MULTILINE)
_STYLE = re.compile(r'^@import "([^"]+)";$', re.MULTILINE)
_COMMENT = re.compile(r"^ *(?://.*|/\*(?:(?!\*/)[\s\S])*\*/)\n", re.MULTILINE)
_EXPORT = re.compile(r"^export ((?:async )?(?:function|const|let|class)\*? (\w+))", re.MULTILINE)


def styled(path: Path) -> str:
    """A style sheet with those that it imports by ``@import "./file.css";`` in their places."""
    text = path.read_text("utf-8")
    return _STYLE.sub(lambda match: styled(path.parent / match[1]), text)


def bundled(path: Path) -> str:
    """A module of JavaScript and all that it imports, as the one module that a page takes.

    Without the comments that have lines of their own: Streamlit sends a component's code again with
    its data, and a quarter of it would be types.

    Each imported file becomes a function of its own that is run once and gives what it exports.
    Known are ``import { name, other as another } from "./file.js";`` and ``export`` before a
    declaration. Two files must not import each other, nor two of one name be in a bundle.
    """
    modules: dict[Path, str] = {}

    def body(file: Path) -> str:
        def imported(match: re.Match[str]) -> str:
            other = (file.parent / match[2]).resolve()
            if other not in modules:
                text = body(other)
                given = ", ".join(name for _, name in _EXPORT.findall(text))
                inner = _EXPORT.sub(r"\1", text) + f"return {{ {given} }};\n"
                modules[other] = f"const ${other.stem} = (() => {{\n{inner}}})();\n"
            return f"const {match[1].replace(' as ', ': ')} = ${other.stem};"

        return _IMPORT.sub(imported, _COMMENT.sub("", file.read_text("utf-8")))

    main = body(path.resolve())
    return "".join(modules.values()) + main
