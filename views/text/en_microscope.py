"""The microscope in English."""

from views.text.contract import CharacterWords, MicroscopeWords

MICROSCOPE = MicroscopeWords(
    figure="The step as matrices",
    play="Play",
    pause="Pause",
    previous="Previous step",
    next="Next step",
    speed="Speed",
    presenter="Presenter view",
    leave_presenter="Leave presenter view",
    keys=(
        "Point at a number to open it; click to lock it, Esc to let go. Locked: arrows walk from "
        "cell to cell, Enter follows, Page Up and Page Down change the step. Not locked: ← and → "
        "change the step, the space bar plays, P is the presenter view, H hides the "
        "numbers, + and − zoom."
    ),
    zoom_in="Zoom in",
    zoom_out="Zoom out",
    whole="Show all",
    locked="locked",
    unlock="Let go",
    back_to="Back to",
    more="{terms} more",
    loading="These steps are on their way …",
    pin="{head} side by side with the chosen one",
    side_by_side="side by side",
    hidden="numbers hidden",
    reveal="Show the numbers again (H)",
    tokens="Who looks at whom",
    tokens_legend="thicker line, larger weight · violet asks · green is asked",
    hints=(
        "Point at a number, or tap it: its row and its column light up, and below stands the sum.",
        "Click to hold it. Click a number that it was made from to go where that one was made.",
        "Press play, or the space bar, and watch every step happen.",
    ),
    understood="Got it",
)

CHARACTER = CharacterWords(
    itself="looks at itself: {value}",
    previous="looks at the one before: {value}",
    following="looks at the next one: {value}",
    special="looks at special tokens: {value}",
    one="looks at “{key}”: {value}",
    broadly="spreads broadly: {percent}\N{NO-BREAK SPACE}% of the largest entropy",
    mixed="no one pattern; peak {value}",
    no_choice="has no choice here",
)
