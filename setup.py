"""The wheel: one package, ``attention_microscope``, into which folders of the repository go.

There ``from core…`` and ``from views…`` become ``from attention_microscope.core…``, once, when the
wheel is built: what is installed is plain Python, and the repository needs no installation.
"""

import re
from pathlib import Path

from setuptools import find_namespace_packages, setup
from setuptools.command.build_py import build_py

PACKAGE = "attention_microscope"
FOLDERS = ("core", "views", "assets")  # assets: files alone, found beside views and core
IMPORTED = re.compile(r"^(\s*)(from|import) (core|views)(?=[.\s])", re.MULTILINE)


class BuildInOnePackage(build_py):
    """Builds the modules with their imports inside the package."""

    def build_module(self, module: str, module_file: str, package: str) -> tuple[str, bool]:
        """Copy one module, and rewrite its imports."""
        built, copied = super().build_module(module, module_file, package)
        text = Path(built).read_text("utf-8")
        Path(built).write_text(IMPORTED.sub(rf"\1\2 {PACKAGE}.\3", text), "utf-8")
        return built, copied


folders = find_namespace_packages(include=[f"{name}*" for name in FOLDERS])
setup(
    packages=[PACKAGE, *(f"{PACKAGE}.{name}" for name in folders)],
    package_dir={f"{PACKAGE}.{name}": name.replace(".", "/") for name in folders},
    cmdclass={"build_py": BuildInOnePackage},
)
