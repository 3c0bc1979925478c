from pages.start.home.cards import (
    claim,
    class_card,
    page_cards,
    recorded_runs,
    same_word,
    story_link,
    three_steps,
    tokens,
)
from views.preferences import words
from views.widgets.prose import prose, title

home = words().home
title(home.title)
claim()
class_card(words())
same_word(words())
story_link()
prose([[(home.promise, "")]], key="promise", style="lead")
page_cards(words())
recorded_runs(words())
three_steps(words())
tokens(words())
