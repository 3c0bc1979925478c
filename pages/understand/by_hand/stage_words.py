"""The texts of the microscope for a sheet whose matrices are given and not random."""

from core import Trace, rules
from core.models.by_hand import Sheet
from views.text import Words, numbers


def stage_words_by_hand(words: Words, texts: Words, sheet: Sheet, trace: Trace) -> Words:
    """The words, with the texts that differ on this page."""
    stages = words.stages
    for key, absent in texts.stages.absent.items():
        stages |= {key: stages[key] | {"absent": absent}}
    for key, does in texts.stages.given.items():
        if isinstance(trace[key].rule, rules.Given):
            stages |= {key: stages[key] | {"does": does}}
    if sheet.options.scale != "root":
        scale = sheet.options.scale_for(trace["Q"].size("d_k"))
        divisor = numbers.bare(1 / scale)
        does = texts.stages.divided if scale < 1 else texts.stages.undivided
        scaled = {
            "title": texts.stages.divided_title.format(divisor=divisor),
            "does": does.format(
                divisor=divisor,
                factor=numbers.bare(scale),
                square=numbers.bare(1 / scale**2),
            ),
        }
        stages |= {"scaled": stages.scaled | scaled}
    given = words.opened.given | {"parameter": texts.stages.parameter}
    return words | {
        "stages": stages,
        "opened": words.opened | {"given": given},
        "viewer": words.viewer | {"exact": texts.origin},
    }
