"""Deliberate faults, one at a time: do the tests that state a claim notice when it is broken?

``python -m tests.mutants [--only SUBSTRING]``, a part of a line as it is printed. Each fault of
``mutants.toml`` puts ``new`` in the place of ``old`` in one ``file`` of a copy of the working tree;
there pytest runs its ``tests``. ``noticed = false``: no test outside of ``browser`` notices it.
"""

import argparse
import shutil
import subprocess
import sys
import tempfile
import tomllib
from collections import Counter
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[2]
LONGEST = 600  # seconds that pytest may take; a fault that makes it endless is noticed

Mutant = dict[str, Any]


def mutants(only: str = "") -> list[Mutant]:
    """Those of ``mutants.toml`` whose line has this substring."""
    read = tomllib.loads(Path(__file__).with_name("mutants.toml").read_text("utf-8"))
    return [mutant for mutant in read["mutant"] if only in line_of(mutant)]


def line_of(mutant: Mutant) -> str:
    """What is printed of a fault."""
    return f"{mutant['file']}: {mutant['why']}"


def copied(to: Path) -> None:
    """The working tree without what git ignores."""
    listed = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    names = subprocess.run(listed, cwd=ROOT, capture_output=True, check=True, text=True).stdout
    for name in filter(None, names.split("\0")):
        if (ROOT / name).is_file():
            (to / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ROOT / name, to / name)


def outcome(mutant: Mutant, root: Path) -> str:
    """What becomes of a fault in the copy, which is left as it was."""
    file = root / mutant["file"]
    before = file.read_bytes()
    if before.count(mutant["old"].encode()) != 1:
        return "no longer applies"
    file.write_bytes(before.replace(mutant["old"].encode(), mutant["new"].encode()))
    command = [sys.executable, "-m", "pytest", "-n0", "-q", "-x", *mutant["tests"]]
    try:
        status = subprocess.run(command, cwd=root, capture_output=True, timeout=LONGEST).returncode
    except subprocess.TimeoutExpired:
        return "noticed"
    finally:
        file.write_bytes(before)
    unnoticed = "NOT NOTICED" if mutant.get("noticed", True) else "not noticed, as is known"
    return {0: unnoticed, 1: "noticed"}.get(status, f"pytest ends with {status}")


def main() -> int:
    """Print a line for each fault, then the counts. 1 where one no longer applies, else 0."""
    parser = argparse.ArgumentParser(prog="python -m tests.mutants", description=__doc__)
    parser.add_argument("--only", default="", metavar="SUBSTRING")
    chosen = mutants(parser.parse_args().only)
    counts: Counter[str] = Counter()
    with tempfile.TemporaryDirectory() as folder:
        copied(Path(folder))
        for number, mutant in enumerate(chosen, start=1):
            found = outcome(mutant, Path(folder))
            counts[found] += 1
            print(f"{number}/{len(chosen)} {found}: {line_of(mutant)}", flush=True)
    print(", ".join(f"{count} {found}" for found, count in counts.most_common()))
    return int(counts["no longer applies"] > 0)


if __name__ == "__main__":
    sys.exit(main())
