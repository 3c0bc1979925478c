"""Bundles the .js and .css files of a component: each with everything it imports, as one text."""

import re
from pathlib import Path

ASSETS = Path(__file__).parents[2] / "assets"
_IMPORT = re.compile(r'^import (\{[^}]*\}) from "([^"]+)";$', re.MULTILINE)
_STYLE = re.compile(r'^@import "([^"]+)";$', re.MULTILINE)
_COMMENT = re.compile(r"^ *(?://.*|/\*(?:(?!\*/)[\s\S])*\*/)\n", re.MULTILINE)
_WORKER = re.compile(r'new URL\("(\./\w+\.js)", import\.meta\.url\)')
_EXPORT = re.compile(r"^export ((?:async )?(?:function|const|let|class)\*? (\w+))", re.MULTILINE)

_TEXT_OF = (
    "URL.createObjectURL(new Blob(Object.entries({{ {names} }}).map(([name, make]) => "
    '`const ${{name}} = (${{make}})();\n`), {{ type: "text/javascript" }}))'
)


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
    supported. Circular imports and two files of the same name in one bundle are not. The URL of a
    worker, ``new URL("./file.js", import.meta.url)``, becomes one of the text of these functions.
    """
    path = path.resolve()
    modules, workers = _modules(path)
    main = modules.pop(path)
    shared = {file for worker in workers for file in _modules(worker)[0]}
    pieces = []
    for file, inner in modules.items():
        exports = ", ".join(name for _, name in _EXPORT.findall(inner))
        text = _EXPORT.sub(r"\1", inner)
        made = f"() => {{\n{text}return {{ {exports} }};\n}}"
        if file not in shared:
            pieces.append(f"const ${file.stem} = ({made})();\n")
            continue
        pieces.append(f"const $${file.stem} = {made};\n")
        if file not in workers:
            pieces.append(f"const ${file.stem} = $${file.stem}();\n")
    return "".join(pieces) + main


def _modules(path: Path) -> tuple[dict[Path, str], set[Path]]:
    """The text of each file that one needs, each after those that it imports; and the workers."""
    modules: dict[Path, str] = {}
    workers: set[Path] = set()

    def body(file: Path) -> str:
        def needed(name: str) -> Path:
            other = (file.parent / name).resolve()
            if other not in modules:
                text = body(other)
                modules[other] = text
            return other

        def imported(match: re.Match[str]) -> str:
            return f"const {match[1].replace(' as ', ': ')} = ${needed(match[2]).stem};"

        def worker(match: re.Match[str]) -> str:
            workers.add(needed(match[1]))
            names = ", ".join(f"${one.stem}: $${one.stem}" for one in _modules(needed(match[1]))[0])
            return _TEXT_OF.format(names=names)

        text = _COMMENT.sub("", file.read_text("utf-8"))
        return _WORKER.sub(worker, _IMPORT.sub(imported, text))

    modules[path] = body(path)
    return modules, workers
