"""Every step in English, under the stage's own key."""

from views.text.contract import StageWords
from views.text.en_checkpoint import CHECKPOINT
from views.text.en_layers import LAYERS
from views.text.en_sound import SOUND

STAGES = {
    "tokens": StageWords(
        "ids",
        "Every token has a number",
        "The sentence is cut into tokens, and each becomes its row number in the table E. "
        "The number is an address; it is neither large nor small.",
    ),
    "E": StageWords(
        "table",
        "E · one row a word",
        "Each row of E is the vector of one word. Here it is drawn from the word itself and the "
        "seed, so a word has the same vector wherever it stands.",
    ),
    "embedding": StageWords(
        "embed",
        "Look the vectors up",
        "“{row}” fetches its own row of the table E, without changing a single number.",
    ),
    "position": StageWords(
        "position",
        "Position: who comes first",
        "Attention by itself knows no order. Each place gets a row of sines and cosines, so that "
        "“which place” becomes part of the vector.",
        "Position is switched off: order matters only when it is on.",
    ),
    "image": StageWords(
        "image",
        "An image is numbers",
        "Height × width × three colour channels; each value 0–255 is moved to −1…1.",
    ),
    "patches": StageWords(
        "patches",
        "Cut the image into squares",
        "The image is cut into equal squares (patches); each plays the part of a word in a "
        "sentence. Pixels only move; their values stay.",
    ),
    "flattened": StageWords(
        "flatten",
        "Each patch becomes one row",
        "The pixels of “{row}”, row by row with their three colours side by side, become one "
        "long vector.",
    ),
    "W_E": StageWords(
        "W^E",
        "$W^E$ · the projection",
        "The matrix that turns a patch's pixels into d_model numbers.",
    ),
    "projection": StageWords(
        "project",
        "Project each patch to a vector",
        "The long row of “{row}” times W^E becomes d_model numbers: the patch's vector. It plays "
        "the part of a word's.",
    ),
    "cls": StageWords(
        "[CLS]",
        "[CLS] · the patch without a picture",
        "One more vector that belongs to no patch; it can gather up the whole image.",
    ),
    "sequence": StageWords(
        "+ [CLS]",
        "[CLS] goes first",
        "[CLS] takes place 1 and the patches follow, their numbers unchanged.",
        "[CLS] is switched off.",
    ),
    "X": StageWords(
        "input",
        "X · what enters attention",
        "Each row is the vector of one {token}. From here on words, patches and moments of sound "
        "take the same road.",
    ),
    "memory": StageWords(
        "memory", "memory · the other sequence", "K and V of cross-attention come from here."
    ),
    "W_Q": StageWords(
        "W^Q",
        "$W^Q$ · the matrix of the queries",
        "One for each head: turns input into what to ask.",
    ),
    "W_K": StageWords(
        "W^K", "$W^K$ · the matrix of the keys", "One for each head: what a token is found by."
    ),
    "W_V": StageWords(
        "W^V", "$W^V$ · the matrix of the values", "One for each head: what a token has to give."
    ),
    "W_O": StageWords(
        "W^O",
        "$W^O$ · the matrix of the output",
        "Mixes the heads' results back into d_model numbers.",
    ),
    "b_Q": StageWords("b^Q", "$b^Q$ · bias of the queries", "A constant added to every query."),
    "b_K": StageWords(
        "b^K", "$b^K$ · bias of the keys", "Adds one number to a whole row; softmax cannot see it."
    ),
    "b_V": StageWords("b^V", "$b^V$ · bias of the values", "A constant added to every value."),
    "b_O": StageWords("b^O", "$b^O$ · bias of the output", "A constant added to the output."),
    "Q": StageWords(
        "query",
        "Q · what each {token} asks for",
        "Query: “{row}” multiplies its vector by this head's W^Q and so says what it looks for.",
    ),
    "K": StageWords(
        "key",
        "K · what each {token} is found by",
        "Key: “{row}” multiplies its vector by W^K and so puts up a sign that others can compare.",
    ),
    "V": StageWords(
        "value",
        "V · what each {token} has to give",
        "Value: “{row}” multiplies its vector by W^V: what it hands over when it is chosen.",
    ),
    "padding": StageWords(
        "padding",
        "padding · which tokens are real",
        "Shorter lines are filled up with [PAD]; nobody should look at the filling.",
    ),
    "causal": StageWords(
        "causal",
        "causal · itself and what came before",
        "In generation the later {token}s do not exist yet, so row i may see columns 1 to i only.",
    ),
    "allowed": StageWords("allowed", "allowed · who may see whom", "A table drawn by hand."),
    "bias": StageWords("bias", "bias · added to the scores", "Added before the mask."),
    "scores": StageWords(
        "score",
        r"$QK^\top$ · every {token} asks every {token}",
        "The query of “{row}” and the key of “{column}”, multiplied entry by entry and added up "
        "(a dot product). The larger, the better the two go together in this head.",
    ),
    "scaled": StageWords(
        "scale",
        r"$\div\sqrt{d_k}$ · calm the scores",
        "The spread of a dot product grows as √d_k; left alone, softmax would pick almost a single "
        "{token} and gradients would vanish. Here d_k = {d_k}.",
    ),
    "masked": StageWords(
        "mask",
        "+ M · what must not be seen is −∞",
        "Cells that are not allowed become −∞, and softmax makes exactly 0 of it. Filling with 0 "
        "would not do: e⁰ = 1 still gets a share.",
        "No mask: every {token} may look at every {token}.",
    ),
    "weights": StageWords(
        "softmax",
        "softmax · each row shares out 1",
        "“{row}” has one unit of attention to share out over every {token}: e to the power of each "
        "score, divided by the sum of the row. Rows sum to 1; columns need not.",
    ),
    "keep": StageWords("keep", "keep · who stays", "Dropout's random switches: 1 stays, 0 goes."),
    "dropped": StageWords(
        "dropout",
        "dropout · some weights are dropped in training",
        "Dropped weights become 0, the others grow by 1/(1−p). Training only; not part of what a "
        "trained model does.",
        "Dropout is 0, as it is whenever a trained model is used.",
    ),
    "head_output": StageWords(
        "mix V",
        "$A V$ · fetch by weight",
        "“{row}” adds up every {token}'s value by its own weights: the more it looks at one, the "
        "more it takes from it.",
    ),
    "concat": StageWords(
        "concat",
        "concat · heads side by side",
        "The results of {heads} heads stand side by side in one row, their numbers unchanged.",
    ),
    "output": StageWords(
        "output",
        "$W^O$ · mix the heads",
        "The joined row times W^O: what the heads found, mixed linearly, is the new vector of "
        "“{row}”.",
        "No W^O: the story ends at concat.",
    ),
    "residual": StageWords(
        "residual",
        "X + output · old plus new",
        "The output does not replace the input, it is added to it: the old meaning stays and "
        "attention adds to it.",
        "What is shown here ends with the attention itself.",
    ),
    "normalised": StageWords(
        "norm",
        "LayerNorm · every row on one scale",
        "The row of “{row}” minus its mean, over the root of its variance plus ε: every row gets "
        "the same mean and spread.",
        "What is shown here ends with the attention itself.",
    ),
    **LAYERS,
    **CHECKPOINT,
    **SOUND,
}
