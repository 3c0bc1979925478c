"""Bundles the .js and .css files of a component: each with everything it imports, as one text."""

import re
from pathlib import Path

ASSETS = Path(__file__).parents[2] / "assets"
_IMPORT = re.compile(r'^import (\{[^}]*\}) from "([^"]+)";$', re.MULTILINE)
_STYLE = re.compile(r'^@import "([^"]+)";$', re.MULTILINE)
_COMMENT = re.compile(r"^ *(?://.*|/\*(?:(?!\*/)[\s\S])*\*/)\n", re.MULTILINE)
_EXPORT = re.compile(r"^export ((?:async )?(?:function|const|let|class)\*? (\w+))", re.MULTILINE)


def bundle_css(path: Path) -> str:
    """A style sheet in which every ``@import "./file.css";`` is replaced by that file's text."""
    text = path.read_text("utf-8")
    return _STYLE.sub(lambda match: bundle_css(path.parent / match[1]), text)


def bundle_js(path: Path) -> str:
    """A JavaScript module and all that it imports, as one module.

    Comments on lines of their own are removed: Streamlit sends a component's code again with its
    data, and a quarter of it would be type comments.

    Each imported file becomes a function that runs once and returns its exports. Only
    ``import { name, other as another } from "./file.js";`` and ``export`` before a declaration are
    supported. Circular imports and two files of the same name in one bundle are not.
    """
    modules: dict[Path, str] = {}

    def body(file: Path) -> str:
        def imported(match: re.Match[str]) -> str:
            other = (file.parent / match[2]).resolve()
            if other not in modules:
                text = body(other)
                exports = ", ".join(name for _, name in _EXPORT.findall(text))
                inner = _EXPORT.sub(r"\1", text) + f"return {{ {exports} }};\n"
                modules[other] = f"const ${other.stem} = (() => {{\n{inner}}})();\n"
            return f"const {match[1].replace(' as ', ': ')} = ${other.stem};"

        return _IMPORT.sub(imported, _COMMENT.sub("", file.read_text("utf-8")))

    main = body(path.resolve())
    return "".join(modules.values()) + main
