"""The title and description of each page, from the table ``page`` of its texts."""

from views.navigation import TABLE
from views.text import words_beside
from views.text.load import CODES

PAGE_INFO = {
    code: {page.name: words_beside(page.script)[code].page for page in TABLE} for code in CODES
}
