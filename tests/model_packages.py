"""The packages with models, which tests hide: a page is the same wherever they are installed."""

from core.models import pretrained
from core.models.installed import BERT

PACKAGES = sorted(
    {BERT, *(file.partition("/")[0] for one in pretrained.ALL.values() for file in one.files)}
)
