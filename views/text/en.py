"""English."""

from views.text.contract import (
    HomeWords,
    ImageWords,
    ModelWords,
    OpenedWords,
    ReadingWords,
    SentenceWords,
    ViewerWords,
    Words,
)
from views.text.en_microscope import CHARACTER, MICROSCOPE
from views.text.en_pages import PAGES
from views.text.en_stages import STAGES

EN = Words(
    code="en",
    name="English",
    product="Attention Microscope",
    other_product="注意力显微镜",
    pages=PAGES,
    language="语言 Language",
    share="Copy the address: whoever opens it sees this page, this step and this cell.",
    too_long=(
        "This text is too long for the address: a copied link reopens the page and the step, and "
        "the text stays with you."
    ),
    nonsense="Parts of the link made no sense and were replaced by their defaults: {parts}.",
    example="Below is an example.",
    last_good="Below is the last input that could be computed.",
    list_mark=", ",
    ways={
        "mask": "Choose one under “Mask” to have it.",
        "dropout": "Move dropout above 0, under “More” in the sidebar, to have it.",
        "residual": "Switch residual and LayerNorm on, under “More” in the sidebar, to have it.",
        "cls": "Switch [CLS] on in the sidebar to have it.",
        "position": "Switch it on under “More” in the sidebar to have it.",
    },
    nouns={"word": "token", "piece": "token", "patch": "patch", "frame": "frame"},
    roles={
        "query": "query",
        "key": "key",
        "token": "token",
        "patch": "patch",
        "pixel": "pixel",
        "channel": "channel",
        "row": "pixel row",
        "column": "pixel column",
        "vocabulary": "vocabulary",
    },
    errors={
        "ShapeMismatch": "{name} does not fit: it should be {expected}, and it is {shape}.",
        "HeadsDoNotDivide": (
            "d_model = {width} cannot be shared out equally among {heads} heads. "
            "Choose a number of heads that divides {width}, or another d_model."
        ),
        "OutOfRange": "{name} = {value} is out of range ({allowed}). Choose another number.",
        "NotBoolean": "{name} must consist of true and false; numbers to be added belong in bias.",
        "BooleanBias": "{name} is added and must hold numbers; true and false belong in allowed.",
        "NotReal": "{name} must hold real numbers; {kind} was given.",
        "NotFinite": "{name} holds infinite or undefined values. Choose smaller numbers.",
        "LabelsDoNotFit": "{name} has {labels} labels for {size} places.",
        "TraceTooLarge": (
            "All steps together would need {needed}; the limit is {limit}. "
            "Use fewer tokens, images or heads, or a smaller d_model."
        ),
        "EmptyText": "There is no text yet. Type a sentence, for example 我爱北京.",
        "TextTooLong": "The text has {characters} characters; the limit is {limit}. Shorten it.",
        "TooManyLines": (
            "There are {lines} lines; the limit is {limit} (each line is one sample). Remove some."
        ),
        "TooManyTokens": "Line {line} has {tokens} tokens; the limit is {limit}. Shorten it.",
        "MoreTokensThanPlaces": (
            "This model’s tokenizer makes {tokens} tokens of the text; the model has places for "
            "{limit}. Shorten the text."
        ),
        "UnknownWords": (
            "The model does not know {words}. It knows only a few words; use those of its list."
        ),
        "InvisibleCharacters": (
            "The text holds invisible control characters ({characters}) that would make it show "
            "as something else. Remove them."
        ),
        "FileTooLarge": "The file has {size}; the limit is {limit}. Use a smaller one.",
        "UploadsTooLarge": (
            "Your files together are larger than the {limit} that one session holds, so the first "
            "of them were dropped. Upload fewer at once, or smaller ones."
        ),
        "TooManyImages": "{images} images were given; the limit is {limit}. Remove some.",
        "NotAnImage": (
            "This file is not an image that can be read. Use PNG, JPEG, WebP, GIF, BMP or TIFF."
        ),
        "DamagedImage": "The image file is damaged or incomplete. Export it again or use another.",
        "ImageTooLarge": (
            "The image is {width} × {height} pixels; the limit is {limit} pixels in all. "
            "Make it smaller first."
        ),
        "TooManyParts": (
            "The image file is cut into more than {limit} parts (segments, chunks or blocks), as "
            "no camera does. Export it again."
        ),
        "TooManyScans": (
            "The image file is coded in so many scans that decoding goes over {scanned} pixels in "
            "all; the limit is {limit}. Save it again as a JPEG that is not progressive."
        ),
        "OverlappingParts": (
            "The parts of this TIFF lie over each other in the file and add up to {read}, "
            "unpacked again and again; the limit is {limit}. Save it as PNG."
        ),
        "RunsTooLong": (
            "This image is coded in runs of equal pixels; read like that, it may have {limit} "
            "pixels in all. Save it as PNG."
        ),
        "DecodingTooLarge": (
            "Reading this image takes {needed} of memory; the limit is {limit}. "
            "Make it smaller first, or save it as a JPEG that is not progressive."
        ),
        "PatchesDoNotFit": "A side of {size} pixels cannot be cut into squares of {patch} pixels.",
        "PictureDoesNotFit": (
            "The model’s own processor makes {width} × {height} pixels of this photo, and the "
            "model takes {side} × {side}. Bring the photo to that size first."
        ),
        "NotASound": "This file is not a recording that can be read. Use WAV, FLAC, OGG or MP3.",
        "DamagedSound": "The recording is damaged or incomplete. Export it again or use another.",
        "SoundBreaksOff": (
            "The recording breaks off: it should last {promised} s by its own header, and the file "
            "holds {found} s. Copy it again or use another."
        ),
        "EmptySound": "There is no sound in this recording, not one sample. Record it again.",
        "SoundTooLong": "The recording lasts {seconds} s; the limit is {limit} s. Cut it first.",
        "UndefinedSamples": (
            "The recording holds values that are infinite or not numbers. Export it again."
        ),
        "TooManyFrames": (
            "The sound has {frames} frames; the limit is {limit}. "
            "Let tokens be further apart, or use a shorter sound."
        ),
        "NoNumbers": "There are no numbers for {name}. Each line is a row: 1 2 3.",
        "EmptyCell": "{name}, row {row}, column {column} is empty. Write a number there.",
        "NotANumber": (
            "{name}, row {row}, column {column}: “{text}” is not a number. Write one such as −0.5."
        ),
        "GroupedDigits": (
            "{name}: is “{text}” one number or several? "
            "Write {plain} for one, and put a semicolon between several."
        ),
        "NumberTooLarge": (
            "{name}, row {row}, column {column}: {text} is too large; {limit} is the largest."
        ),
        "RaggedRows": (
            "{name}, row {row} has {columns} numbers where the first row has {expected}. "
            "All rows must be equally long."
        ),
        "WrongSize": (
            "{name} is {expected_rows} × {expected_columns} (rows × columns); "
            "these numbers are {rows} × {columns}."
        ),
        "MatrixTooLarge": "{name} is {rows} × {columns}; {limit} is the most each way.",
        "HeadsDiffer": "{name} of head {head} does not have the size of {name} of head 1.",
        "UnknownMatrix": (
            "Line {line} begins with “{text}”, which is no matrix: "
            "X, W_Q, W_K, W_V, W_O, Q, K and V are known."
        ),
        "MissingMatrix": (
            "{name} is missing: a sheet has X, W_Q, W_K, W_V and W_O, or Q, K and V alone."
        ),
        "NotText": "This file is not text. Export the table as CSV and try again.",
        "MissingFile": (
            "The folder has no file {file}. A checkpoint has config.json, model.safetensors and, "
            "for text, tokenizer.json."
        ),
        "PickleOnly": (
            "{file} is a pickle file, which can run code when it is opened, so it is never read. "
            "Save the model as model.safetensors."
        ),
        "Sharded": (
            "The weights lie in several files here, such as {file}, and only a single "
            "model.safetensors is read. Save the model again in one: "
            'model.save_pretrained(folder, max_shard_size="100GB").'
        ),
        "OutsideFolder": "{file} is a link out of its folder. Put the file itself there.",
        "DamagedCheckpoint": (
            "{file} is damaged, incomplete or of another format. Copy it again from its source."
        ),
        "CheckpointFileTooLarge": (
            "{file} has {size} by its own account; the limit is {limit}. It may be damaged."
        ),
        "BeyondMemory": (
            "{file} has {size}, more than this program may have in its memory. "
            "Raise that limit, or use a smaller model."
        ),
        "UnknownArchitecture": "model_type is {found}. These models can be opened: {known}.",
        "WrongSetting": "{file} says {name} = {value}. What can be computed here: {allowed}.",
        "TextGrows": (
            "By {file} a text can become {times} times as long before it is cut; the limit is "
            "{limit} times."
        ),
        "MissingTensor": (
            "The weights {name} are missing, though config.json asks for them. "
            "Do both files belong to the same model?"
        ),
        "WrongNumberType": "The weights {name} are stored as {found}; these can be read: {known}.",
        "TensorDoesNotFit": (
            "The weights {name} should be {expected} by config.json, and they are {found}. "
            "Do both files belong to the same model?"
        ),
        "OutsideVocabulary": (
            "The token “{word}” has number {number}, and the model knows {vocabulary} tokens. "
            "Do tokenizer.json and the weights belong to the same model?"
        ),
        "MissingLibrary": (
            "The library {library} is not installed. Type this once: pip install -r {file}"
        ),
    },
    stages=STAGES,
    reading=ReadingWords(
        largest="In the row of “{row}” the largest is “{column}” ({value}).",
        shrinks="The largest number of this row by absolute value goes from {before} to {after}.",
        dropped=(
            "{lost} of this row are dropped and the others grow {times} times: “{column}” from "
            "{before} to {after}."
        ),
        none_lost=(
            "None of this row is dropped, and all grow {times} times all the same: “{column}” from "
            "{before} to {after}."
        ),
        all_lost="Every weight of this row is dropped: this time it fetches nothing.",
        allowed="“{row}” may look at {allowed} of {all}.",
        looks="“{row}” looks most at “{column}”: {weight}; an even share would be {share}.",
        nearly_even=(
            "“{row}” spreads nearly even: no share lies more than a fifth off the even {share}; "
            "the largest is {weight}, for “{column}”."
        ),
        only_one="“{row}” may look only at “{column}”, which gets the whole unit.",
        nobody="“{row}” may look at nobody: there is no distribution, and all its weights are 0.",
        takes="Of all {token}s, “{row}” takes most from “{column}”: {weight} of its value.",
        from_head="Column {column} is number {place} of head {head}.",
        contributions="The heads make this number together: {parts}.",
        contribution="head {head} gives {value}",
        unchanged="The numbers are copied as they are; only their place is new.",
        is_padding="This row, {row}, is mere filling and does not count.",
        is_silence="This row, {row}, is silence: others do not listen to it.",
        shift=(
            "The mean of this row goes from {mean} to {mean_after}, its deviation from {deviation} "
            "to {deviation_after}."
        ),
    ),
    opened=OpenedWords(
        given={
            "input": "This number is given as input; nothing computed it.",
            "parameter": "This number is a weight, drawn at random from the seed and not trained.",
            "trained": "This number is a weight that training has set.",
            "checkpoint": "This number is a weight of your model, read from its file.",
            "earlier": "This number was computed by the part before this one.",
            "transform": "This number follows from its place alone; nothing was learnt or drawn.",
            "mask": "Your input and the mask decide this switch: 1 may be seen, 0 may not.",
            "random": "This number is drawn at random from the seed.",
            "sinusoid": "= {wave}({place} / 10000^({even} / d_model)); places count from 0.",
        },
        activations={
            "relu": "ReLU(x) = max(0, x) makes {after} of {before}.",
            "gelu": "GELU(x) = x · Φ(x) makes {after} of {before}.",
            "gelu_tanh": (
                "GELU(x) ≈ x · (1 + tanh(√(2/π) · (x + 0.044715 x³))) / 2 "
                "makes {after} of {before}."
            ),
            "log": "ln makes {after} of {before}.",
        },
        copied="Taken as it is from {source}.",
        struck="{mask} does not allow it, so it becomes −∞.",
        passed="Allowed by {mask}, so it stays.",
        softmax_columns=(
            "key",
            "score",
            "minus max {maximum}",
            "e to the power of it",
            "÷ sum {total}",
        ),
        softmax_sum="The row adds up to {sum}.",
        softmax_empty="The whole row is −∞: there is nothing to share among, so all weights are 0.",
        normalised="mean {mean}, variance {variance}, ε = {epsilon}.",
        rounding="≈ means that the printed numbers are rounded.",
        rounded="The printed numbers are rounded; their last digits may not add up.",
        terms="{terms} terms in all; scroll to see every one.",
    ),
    viewer=ViewerWords(
        rail="All steps",
        does="What this step does",
        reads="What the numbers say",
        heads="All heads",
        head="head {number}",
        sample="Sample",
        shapes="Shapes of all steps",
        shape_columns=("step", "operation", "named shape", "values", "multiply-adds", "bytes"),
        total="total",
        code="The code of this step",
        code_is="This is the code that runs, taken from {file}.",
        code_in_rows="The code keeps every token as a row: there it is A B, not B A.",
        no_code="No function of its own makes this step: it is given, or only put in order.",
        copy="Copy",
        copied="Copied",
        map="Map of the whole computation",
        figure="Figure to save",
        picture_hint="This step as it is drawn above, whole and in the colours that you see.",
        save_as="Save as {format}",
        save_page="Save this page (HTML)",
        page_of="Save this page (HTML, {size})",
        map_hint="Choose any box to see that step.",
        same_numbers=(
            "One packed projection that is then split, and one projection for each head, give the "
            "same numbers: here they differ by {difference} at most."
        ),
        exact=(
            "No weight is used up to here, neither drawn nor trained: your input and settings "
            "decide it alone."
        ),
        random="Random weights (seed {seed}): the arithmetic is real, the pattern means nothing.",
        heads_cost="One head or many? The same number of parameters",
        heads_cost_columns=("for this input", "1 head", "{heads} heads"),
        heads_cost_rows=(
            "parameters",
            "multiply-adds of Q, K, V",
            "multiply-adds of attention",
            "multiply-adds of $W^O$",
            "weights",
        ),
    ),
    microscope=MICROSCOPE,
    character=CHARACTER,
    model=ModelWords(
        d_model="d_model",
        heads="h · heads",
        d_k_follows="Width of a head: d_k = {d_model} / {heads} = {d_k}",
        seed="Seed",
        seed_help="Random weights follow from the seed: the same seed gives the same numbers.",
        position="Add position",
        mask="Mask",
        mask_options={"none": "none", "causal": "causal"},
        temperature="Temperature T",
        temperature_help="Scaled scores are divided by T: above 1 more even, below 1 more pointed.",
        dropout="dropout · rate p",
        dropout_help="The share of weights dropped in training; 0 when a model is used.",
        residual="Show residual and LayerNorm",
        more="More",
    ),
    sentence=SentenceWords(
        text="Sentence (each line is a sample)",
        text_help="At most {lines} lines of {tokens} tokens.",
        mode="Tokens",
        modes={"word": "word", "character": "character", "custom": "custom"},
        mode_help="Custom: separate with spaces or /.",
        batch=(
            "{lines} lines are {lines} samples: shorter ones are filled up with [PAD], which "
            "nobody may look at."
        ),
        left_out="Part of no token, for it cannot be seen: {characters}",
        two_lines="Two lines",
    ),
    image=ImageWords(
        upload="Upload an image",
        upload_help=(
            "PNG, JPEG, WebP, GIF, BMP, TIFF, up to {size}, at most {images} at once. What you "
            "upload on all pages together: {session}; beyond that the oldest is dropped."
        ),
        samples="Sample pictures",
        sample_names={
            "cat": "Cat",
            "ring": "Ring",
            "lake": "Lake",
            "tiles": "Tiles",
            "boat": "Boat",
            "upload": "My image",
        },
        size="Input side (pixels)",
        patch="Patch side P",
        cls="Add a [CLS]",
        original="Original",
        photo="Cut into {rows} × {columns} = {n} patches",
        photo_caption="Choose a patch to see how it becomes numbers.",
        relit="Where this patch looks · head {head}",
        relit_mean="Where this patch looks · mean of all heads",
        lights={"head": "head", "mean": "mean"},
        relit_caption="The brighter, the larger the weight; a trace of the photo shows the way.",
        closeup="How patch {patch} becomes a vector",
        closeup_caption=(
            "Pixels → flattened to P·P·3 = {pixels} numbers → times W^E → {d_model} numbers."
        ),
        closeup_biased=(
            "Pixels → flattened to P·P·3 = {pixels} numbers → times W^E, plus b^E → {d_model} "
            "numbers."
        ),
        prepared=(
            "First turned upright (EXIF), transparency laid on white, cropped to the central "
            "square (never squashed), resized to {size} × {size}; then value = {value}."
        ),
        lost_with_the_server=(
            "The server was restarted, and the picture that you uploaded is gone with it: upload "
            "it again. This is an example."
        ),
        lost=(
            "There is no uploaded image to show (a link carries none): upload it again. This is a "
            "sample."
        ),
        patch_label="patch {number}",
        closeup_labels={
            "pixels": "pixels 0–255",
            "flattened": "flattened {low}…{high}",
            "embedding": "embedding",
            "red": "red",
            "green": "green",
            "blue": "blue",
        },
        pixel="pixel",
        of_colour="{value} ({colour})",
    ),
    home=HomeWords(
        title="Attention Microscope",
        promise="Type a sentence, drop a picture or record a sound, and see how every number of "
        "multi-head attention comes to be.",
        glance="{source} → {target}: which word looks at which",
        glance_from="Head {head} of layer {layer} in a small translator that was trained (seed "
        "{seed}). Nobody told it which word renders which.",
        glance_hint="Point at an English word, or tap it, to see how it divides its one unit of "
        "attention among the Chinese ones.",
        sentence_door="Type a sentence",
        sentence_about="How words see one another: from tokens to output, step by step, and every "
        "cell opens.",
        translation_door="Watch it translate",
        translation_about="我爱北京 becomes I love Beijing, word by word: trained weights, and in "
        "some heads each English word looks at its Chinese one.",
        image_door="Bring a picture",
        image_about="A picture becomes patches, each patch looks at the others, and the weights "
        "light up the photo.",
        audio_door="Record a sound",
        audio_about="A sound becomes frames, each frame looks at the others, and a beat that "
        "repeats shows its repeats.",
        checkpoint_door="Open your own model",
        checkpoint_about=(
            "Your BERT, ViT or GPT-2, from a folder: every layer and every head on your own "
            "sentence or photo."
        ),
        understand_door="Change a number",
        understand_about="Examples that can be reckoned on paper, and {experiments} experiments: "
        "softmax, √d_k, masks, heads, order – and ways to break it.",
        moves=(
            ("Find what is related", "Each token's query asks every token's key: QKᵀ."),
            ("Turn it into weights", "Softmax makes a row of scores into shares that sum to 1."),
            ("Take a weighted sum", "The values, added up by those shares, are the new vector."),
        ),
        one_idea="Attention does three things",
        tokens="What a token is behind each door",
        token_columns=("page", "a token is", "how N comes about", "masks"),
        token_rows=(
            (
                "Sentence",
                "a word or a character",
                "the tokens of the longest line",
                "padding, as lines differ in length; causal if it is read as a language model does",
            ),
            (
                "Image",
                "a patch of P × P pixels",
                "H/P · W/P, + 1 with [CLS]",
                "none: the picture is all there at once",
            ),
            (
                "Audio",
                "a frame every 10 ms, or several pooled",
                "⌈samples / (hop · pool)⌉; 10 s unpooled: 1000",
                "none; causal for streaming, window for near sounds, silence as padding",
            ),
            (
                "Translation",
                "a word",
                "source; target with START",
                "source: none; target: causal; cross: none",
            ),
            (
                "Own model",
                "a piece of a word, as its tokenizer cuts it; ViT: a patch",
                "the pieces, with BERT's [CLS] and [SEP]; ViT: (side/P)² + 1",
                "none; GPT-2: causal",
            ),
        ),
    ),
)
