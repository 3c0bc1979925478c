"""The deliberate faults of ``mutants.toml`` fit the code that they are put into."""

import tomllib

from source_tree import ROOT

MUTANTS = tomllib.loads((ROOT / "tests/mutants/mutants.toml").read_text("utf-8"))["mutant"]


def test_every_fault_has_its_place_and_tests_that_could_notice_it():
    wrong = []
    for mutant in MUTANTS:
        file, old, new, tests = (mutant[name] for name in ("file", "old", "new", "tests"))
        places = (ROOT / file).read_text("utf-8").count(old) if (ROOT / file).is_file() else 0
        missing = [path for path in tests if not (ROOT / path).exists()]
        if places != 1 or old == new or missing or not tests:
            wrong.append(f"{file}, {mutant['why']}: {places} places, no {missing or 'change'}")
    assert MUTANTS
    assert not wrong, "\n".join(wrong)
