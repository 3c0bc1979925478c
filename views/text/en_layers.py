"""What stands around attention in a layer, and after the last one, in English."""

from views.text.contract import StageWords

LAYERS = {
    "learnt_table": StageWords(
        "table",
        "E · one row a token",
        "Each row of E is the vector of one token of the vocabulary, a word or a piece of one, "
        "learnt in training.",
    ),
    "learnt_projection": StageWords(
        "W^E",
        "$W^E$ · the projection",
        "The matrix that turns a patch's pixels into d_model numbers, learnt in training.",
    ),
    "learnt_cls": StageWords(
        "[CLS]",
        "[CLS] · the patch without a picture",
        "One more vector that belongs to no patch, learnt in training: from it the model reads "
        "off its answer.",
    ),
    "learnt_position": StageWords(
        "position",
        "Position: which place",
        "Attention by itself knows no place. Here each place has a vector that was learnt in "
        "training.",
    ),
    "stream": StageWords(
        "stream",
        "stream · what comes in",
        "The vectors that the parts before have made. Each part reads them and adds something; "
        "none replaces them.",
    ),
    "normed_stream": StageWords(
        "input",
        "X · the stream, every row on one scale",
        "Each row minus its mean, over its deviation, times γ plus β: LayerNorm stands before the "
        "part here (pre-norm), after it in the paper.",
    ),
    "fed": StageWords(
        "input",
        "X · what enters the feed-forward layer",
        "Each row is the vector of one {token}, as attention left it.",
    ),
    "last_vectors": StageWords(
        "last",
        "X · the last vectors",
        "What all layers together have made: the answer is read off from here.",
    ),
    "gamma": StageWords(
        "γ", "γ · the stretch of LayerNorm", "Learnt in training: one factor a column."
    ),
    "beta": StageWords(
        "β", "β · the shift of LayerNorm", "Learnt in training: one number a column, added."
    ),
    "learnt_norm": StageWords(
        "norm",
        "LayerNorm · every row on one scale",
        "The row of “{row}” minus its mean, over the root of its variance plus ε; then each column "
        "is stretched by γ and shifted by β.",
    ),
    "W_1": StageWords("W_1", "$W_1$ · into the wide middle", "Turns d_model numbers into {d_ff}."),
    "b_1": StageWords("b_1", "$b_1$ · bias of the wide middle", "Added before the bend."),
    "hidden": StageWords(
        "hidden",
        "hidden · wider, and bent",
        "The vector of “{row}” times W_1 plus b_1 becomes {d_ff} numbers, and the activation bends "
        "them. No {token} sees another here: what was gathered is worked through.",
    ),
    "W_2": StageWords("W_2", "$W_2$ · back from the wide middle", "Turns {d_ff} into d_model."),
    "b_2": StageWords("b_2", "$b_2$ · bias of the way back", "A constant added to every row."),
    "fed_output": StageWords(
        "output",
        "$W_2$ · back to d_model",
        "The {d_ff} numbers of “{row}” times W_2 plus b_2: what the feed-forward layer adds to it.",
    ),
    "stream_on": StageWords(
        "residual",
        "stream + output · old plus new",
        "The output does not replace what came in, it is added: the stream runs on through every "
        "layer.",
    ),
    "cls_vector": StageWords(
        "[CLS]",
        "$X_0$ · the row of [CLS] alone",
        "The answer is read off the first row; the patches have done their part.",
    ),
    "W_P": StageWords("W^P", "$W^P$ · into the answers", "One column for each possible answer."),
    "b_P": StageWords("b^P", "$b^P$ · bias of the answers", "One number for each possible answer."),
    "logits": StageWords(
        "logits",
        "logits · a score for every answer",
        "The row of “{row}” against each column of W^P, plus b^P: the larger, the likelier.",
    ),
    "probabilities": StageWords(
        "softmax",
        "softmax · scores become probabilities",
        "The same softmax as inside attention: e to the power of each score, divided by the sum "
        "of the row. “{row}” shares out one unit over all answers.",
    ),
}
