"""The app-wide texts. All languages have the same fields, each with the same {names}."""

from collections.abc import Mapping
from dataclasses import dataclass

from views.text.load import load


@dataclass(frozen=True)
class StageWords:
    """One step. ``does`` may name {row}, {column}, {d_k}, {d_ff}, {heads}, {group} and {pair};
    all may name {token}.

    name: on the rail. title: the headline. does: what the step does. absent: why it is missing.
    """

    name: str
    title: str
    does: str
    absent: str = ""


@dataclass(frozen=True)
class ReadingWords:
    """Sentences about the numbers of a row."""

    largest: str
    shrinks: str
    dropped: str
    none_lost: str
    all_lost: str
    allowed: str
    looks: str
    nearly_even: str
    only_one: str
    nobody: str
    takes: str
    from_head: str
    contributions: str
    contribution: str
    unchanged: str
    is_padding: str
    is_silence: str
    shift: str


@dataclass(frozen=True)
class OpenedWords:
    """The explanation of the opened cell: how its number is computed."""

    given: Mapping[str, str]
    activations: Mapping[str, str]
    copied: str
    struck: str
    passed: str
    softmax_columns: tuple[str, str, str, str, str]
    softmax_sum: str
    softmax_empty: str
    normalised: str
    rms_normalised: str
    rounding: str
    rounded: str
    terms: str
    half: str


@dataclass(frozen=True)
class ViewerWords:
    """The stage viewer."""

    rail: str
    does: str
    reads: str
    heads: str
    head: str
    kv_head: str
    sample: str
    shapes: str
    shape_columns: tuple[str, str, str, str, str, str]
    total: str
    code: str
    code_is: str
    code_in_rows: str
    no_code: str
    copy: str
    copied: str
    map: str
    map_hint: str
    figure: str
    picture_hint: str
    save_as: str
    save_page: str
    page_of: str
    same_numbers: str
    random: str
    exact: str
    heads_cost: str
    heads_cost_columns: tuple[str, str, str]
    heads_cost_rows: tuple[str, str, str, str, str]


@dataclass(frozen=True)
class MicroscopeWords:
    """The interactive figure and the parts around it."""

    figure: str
    play: str
    pause: str
    previous: str
    next: str
    speed: str
    presenter: str
    leave_presenter: str
    keys: str
    zoom_in: str
    zoom_out: str
    whole: str
    locked: str
    unlock: str
    back_to: str
    more: str
    loading: str
    pin: str
    side_by_side: str
    hidden: str
    reveal: str
    tokens: str
    tokens_legend: str
    hints: tuple[str, str, str]
    understood: str


@dataclass(frozen=True)
class HeadPatternWords:
    """The attention pattern of a head, in a line below its thumbnail."""

    itself: str
    previous: str
    following: str
    special: str
    one: str
    along: str
    broadly: str
    mixed: str
    no_choice: str


@dataclass(frozen=True)
class MaskWords:
    """The choice of a mask. options: labels of those ``core.masks.CHOICES`` that are offered."""

    label: str
    options: Mapping[str, str]
    help: str = ""
    window: str = ""
    window_help: str = ""


@dataclass(frozen=True)
class ModelWords:
    """The controls of a model with random weights."""

    d_model: str
    heads: str
    d_k_follows: str
    seed: str
    seed_help: str
    position: str
    temperature: str
    temperature_help: str
    dropout: str
    dropout_help: str
    residual: str
    head_mask: str
    head_mask_help: str
    more: str


@dataclass(frozen=True)
class SentenceWords:
    """The Sentence page.

    scripts: of ``core.sources.text.UNSEGMENTED``, in a list of ``unsegmented``. read_as: with
    ``pairs``, a list of ``read_as_one``.
    """

    text: str
    text_help: str
    mode: str
    modes: Mapping[str, str]
    custom_hint: str
    batch: str
    left_out: str
    unsegmented: str
    scripts: Mapping[str, str]
    read_as: str
    read_as_one: str
    two_lines: str


@dataclass(frozen=True)
class ImageWords:
    """The Image page.

    closeup_biased: the caption if there is a bias. prepared: with {value}, the formula for a
    ``pixel``; if it differs by colour, of_colour for each.
    """

    upload: str
    upload_help: str
    samples: str
    sample_names: Mapping[str, str]
    size: str
    patch: str
    cls: str
    original: str
    photo: str
    photo_caption: str
    relit: str
    relit_mean: str
    lights: Mapping[str, str]
    relit_caption: str
    closeup: str
    closeup_caption: str
    closeup_biased: str
    prepared: str
    lost: str
    lost_on_server_restart: str
    first_shown: Mapping[str, str]
    patch_label: str
    closeup_labels: Mapping[str, str]
    pixel: str
    of_colour: str


@dataclass(frozen=True)
class BusyWords:
    """Why a run waits: for its turn in the queue, the reader's own last run, or their share."""

    queue: str
    own: str
    share: str


@dataclass(frozen=True)
class ConnectionWords:
    """While the server cannot be reached. here: where it runs on the reader's own computer.

    waits: below the input that the server has not answered.
    """

    away: str
    here: str
    waits: str


@dataclass(frozen=True)
class ClassWords:
    """The address for a class. loopback: with the setting that keeps others out."""

    title: str
    qr: str
    larger: str
    close: str
    loopback: str
    no_network: str


@dataclass(frozen=True)
class HomeWords:
    """The first page."""

    title: str
    promise: str
    glance: str
    glance_from: str
    glance_taught: str
    glance_untaught: str
    glance_hint: str
    sentence_door: str
    sentence_about: str
    translation_door: str
    translation_about: str
    image_door: str
    image_about: str
    audio_door: str
    audio_about: str
    checkpoint_door: str
    checkpoint_about: str
    understand_door: str
    understand_about: str
    today_door: str
    today_about: str
    moves: tuple[tuple[str, str], tuple[str, str], tuple[str, str]]
    one_idea: str
    tokens: str
    token_columns: tuple[str, str, str, str]
    token_rows: tuple[tuple[str, str, str, str], ...]


@dataclass(frozen=True)
class Words:
    """All texts of one language.

    code: in links and file names. tag: the BCP 47 language tag. both: joins two sentences.
    ways: how to add an absent step, by the control that adds it.
    """

    code: str
    tag: str
    both: str
    name: str
    product: str
    other_product: str
    language: str
    pages_sidebar: str
    input_sidebar: str
    share: str
    too_long: str
    lost: str
    nonsense: str
    quoted_setting: str
    last_good: str
    example: str
    of_file: str
    other_files: str
    list_mark: str
    ways: Mapping[str, str]
    nouns: Mapping[str, str]
    roles: Mapping[str, str]
    errors: Mapping[str, str]
    stages: Mapping[str, StageWords]
    reading: ReadingWords
    opened: OpenedWords
    viewer: ViewerWords
    microscope: MicroscopeWords
    head_pattern: HeadPatternWords
    mask: MaskWords
    model: ModelWords
    sentence: SentenceWords
    image: ImageWords
    busy: BusyWords
    connection: ConnectionWords
    classroom: ClassWords
    home: HomeWords


LANGUAGES = load(Words, __file__, "stages")
