"""What the input of a reader's own model has and others have not, in English."""

from views.text.contract import StageWords

CHECKPOINT = {
    "segment": StageWords(
        "segment",
        "segment · which part of the text",
        "BERT was trained on two sentences at once and has a vector for each. Here there is one "
        "text, so every {token} gets the vector of the first.",
    ),
    "summed": StageWords(
        "sum",
        "what + which part + which place",
        "The vector of “{row}” itself, that of its segment and that of its place, added up.",
    ),
    "normed_sum": StageWords(
        "input",
        "X · the sum, every row on one scale",
        "Each row minus its mean, over its deviation, times γ plus β. This is what enters the "
        "first layer.",
    ),
    "own_image": StageWords(
        "image",
        "An image is numbers",
        "Height × width × three colour channels; of each value 0–255 this model takes the part of "
        "255, minus the mean of its colour, over its deviation, as its preprocessor_config.json "
        "says (½ and ½ where it says nothing, 0 and 1 where it says not to).",
    ),
    "b_E": StageWords("b^E", "$b^E$ · bias of the projection", "Added to the row of every patch."),
}
