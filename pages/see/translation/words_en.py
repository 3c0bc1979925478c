"""What the Translation page says, in English."""

from pages.see.translation.words_contract import (
    DecodingWords,
    InputWords,
    PartsWords,
    TellingWords,
    TranslationWords,
)

EN = TranslationWords(
    asked=InputWords(
        sentence="A Chinese sentence",
        sentence_help=(
            "At most {longest} words of those that the model knows. Spaces and punctuation "
            "only separate words."
        ),
        known="All {count} words that it knows",
        groups={
            "people": "people",
            "doing": "what one does",
            "things": "things",
            "places": "places",
            "times": "times",
            "asking": "to ask with",
            "qualities": "qualities",
            "small": "small words",
            "greetings": "greetings",
            "others": "others",
        },
        shorter="⌫ last word",
        anew="Start over",
        forced="Teacher forcing",
        forced_help=(
            "The English is given instead of being chosen word by word, and the model says how "
            "likely it would have found each word. This is how it was trained."
        ),
        target="The English that is given",
        target_help="At most {longest} words. Left empty: the model's own words.",
        own="the model's own words",
        target_known="All {count} English words",
    ),
    decoding=DecodingWords(
        figure="The translation, word by word. Left and right arrow: step; space: play.",
        play="Play",
        pause="Pause",
        previous="Back one word",
        next="Next word",
        word="word {number}",
        layer="layer {number}",
        head="head {number}",
        mean="mean",
        looks="“{word}” looks most at “{key}”: {weight}",
        spreads="“{word}” spreads its look, most of it on “{key}”: {weight}",
        given_looks="choosing in the place of “{word}”, it looked most at “{key}”: {weight}",
        given_spreads="choosing in the place of “{word}”, it spread its look, most of it on "
        "“{key}”: {weight}",
        hint="The thicker the line, the larger the weight. Point at an earlier word.",
        after="Likeliest after {read}",
        others="the other {count} words together",
        rank="no. {rank}",
        instead="it would say {word}",
        pictures="Every head of the cross-attention",
        sides=("A row is an English word, a column a Chinese one. Choose a head to see its lines."),
        start="START",
        end="END",
        stopped="The model never said END; it was stopped.",
        prefix=(
            "Thanks to the causal mask the row of a word is the same before and after the next "
            "words come: all steps are rows of one computation."
        ),
    ),
    telling=TellingWords(
        heading="What the numbers say",
        drawn=(
            "Drawn above: layer {layer}, head {head}. In {count} of {all} words more than half "
            "of the weight lies on one Chinese word{pairs}."
        ),
        drawn_mean=(
            "Drawn above: the mean of all heads of layer {layer}. In {count} of {all} words "
            "more than half of the weight lies on one Chinese word{pairs}."
        ),
        colon=": ",
        pair="{word} → {key} ({weight})",
        best=" No head reaches more of the {keys} Chinese words in this way.",
        better=(
            " Clearest for this sentence is layer {layer}, head {head}: there {reached} of the "
            "{keys} Chinese words are reached in this way, here {mine}."
        ),
        unclear=(
            " No head is clear for this sentence: even in layer {layer}, head {head}, only "
            "{count} of {all} words give one Chinese word more than half, and they reach "
            "{reached} of {keys}."
        ),
        only_one=(
            "There is only one Chinese word, so all weight lies on it in every head: nothing "
            "is chosen here."
        ),
        end=("The row of END renders no word; it looks most at “{key}” ({weight})."),
        probability=(
            "“{word}” was chosen with probability {value}; second came “{second}” with {less}."
        ),
        unsure=(
            "The model was least sure of “{word}”: {value}; second came “{second}” with {less}."
        ),
        given=(
            "The given “{word}” had probability {value} (no. {rank}); the model would have "
            "said “{top}” with {more}."
        ),
        given_first="The given “{word}” is what the model would have said too: {value}.",
        stopped="The model never said END: it was stopped after {count} words.",
        learnt=(
            "Nobody drew these lines and nobody told the model which word renders which: it "
            "saw sentences and their translations, no more."
        ),
        origin=(
            "Trained weights: the project's translator (seed {seed}). It gets {right} of "
            "{sentences} held-out sentences right in every word, which stands for {margin} of all "
            "such sentences (95 % interval). It has learnt a toy grammar: a high "
            "probability is not yet a right sentence."
        ),
    ),
    parts=PartsWords(
        heading="Inside the model: choose a part, and open every number of it",
        about={
            "source": (
                "{n} Chinese words become vectors: each its row of a learnt table, plus a "
                "position made of sines and cosines."
            ),
            "encoder/self": (
                "Source to itself: Q, K and V all come from the {n} Chinese words. No mask, "
                "because the sentence is there from the beginning: each word may look at those "
                "before and after it."
            ),
            "encoder/feed_forward": (
                "No attention here: each Chinese word's vector goes on its own through two "
                "matrices, and what is negative in between becomes 0."
            ),
            "target": (
                "START and the English words, {n} in all, become vectors: each its row of a "
                "second learnt table, plus a position."
            ),
            "decoder/self": (
                "Target to itself: Q, K and V all come from START and the English words. "
                "Causal mask, because a word is predicted before the ones after it exist: "
                "above the diagonal stands −∞, which becomes a weight of exactly 0."
            ),
            "decoder/cross": (
                "Target to source: Q comes from the English side (rows: {n}), K and V from "
                "what the encoder made of the Chinese words (columns: {keys}), so the weights "
                "are a rectangle. No mask, because the whole Chinese sentence may be seen at "
                "every step, and one sentence alone needs no padding."
            ),
            "decoder/feed_forward": (
                "No attention here: the vector of each place in the English sentence goes on "
                "its own through two matrices, and what is negative in between becomes 0."
            ),
            "prediction": (
                "The decoder's last vectors become a logit for each of {vocabulary} words, and "
                "softmax makes them probabilities. The largest of a row is the next word."
            ),
        },
        rows=(
            "Shown is the whole English sentence, as it is at the end. A row bears the name of "
            "the word that was read there, beginning with {start}, and predicts the next one."
        ),
        rows_now=" The word chosen above, “{word}”, comes from the row “{read}”.",
    ),
)
