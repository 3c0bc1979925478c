"""Pages of a KV cache that texts share."""

from claims import for_all

from core.experiments.pages import Page, pages


def test_texts_that_begin_alike_share_full_pages_and_each_goes_on_in_its_own():
    # 6 tokens alike, pages of 4: the first page is full; of the second each text has a copy.
    assert pages(6, (9, 7), 4) == [
        Page(None, range(0, 4)), Page(0, range(4, 8)), Page(1, range(4, 7)), Page(0, range(8, 9)),
    ]  # fmt: skip


@for_all("alike", [0, 3, 8, 9])
def test_every_token_of_every_text_has_one_place_and_less_than_a_page_stays_empty(alike):
    size, lengths = 4, (9, 17, 10)
    found = pages(alike, lengths, size)
    for text, length in enumerate(lengths):
        own = [page for page in found if page.text in (None, text)]
        assert sorted(i for page in own for i in page.tokens) == list(range(length))
        assert sum(size - len(page.tokens) for page in own) < size
