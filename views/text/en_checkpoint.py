"""What the input of a reader's own model has and others have not, in English."""

from views.text.contract import StageWords

CHECKPOINT = {
    "own_tokens": StageWords(
        "ids",
        "Every token has a number",
        "The model’s tokenizer cuts the text into tokens; a long or rare word may be several. Only "
        "the rows of its table that occur here are read, and the number, from 0, says which.",
    ),
    "own_table": StageWords(
        "table",
        "E · one row a token",
        "Each row of E is the vector of one token, as it stands in the model’s file. The whole "
        "table has a row for every token of the vocabulary; these are the ones that occur.",
    ),
    "own_vectors": StageWords(
        "embed",
        "Look the vectors up",
        "“{row}” fetches its own row of the table E, without changing a single number.",
    ),
    "own_position": StageWords(
        "position",
        "Position: who comes first",
        "Attention by itself knows no order. This model has a vector for each place, learnt in "
        "training: the first token gets the first one, the second the second.",
    ),
    "own_projection": StageWords(
        "project",
        "Project each patch to a vector",
        "The long row of “{row}” times W^E, plus b^E, becomes d_model numbers: the patch’s vector.",
    ),
    "own_entrance": StageWords(
        "input",
        "X · what enters the first layer",
        "Each row is the vector of one {token}: what it is and where it stands, added up.",
    ),
    "own_stream": StageWords(
        "input",
        "X · what enters this layer",
        "Each row is the vector of one {token}, as all that comes before this layer has made it.",
    ),
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
