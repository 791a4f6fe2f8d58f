"""Web archives: their pages, as `extract_many` takes them."""

from __future__ import annotations

import os
import warnings
from collections.abc import Iterator

from copal._copal import ArchiveReader

#: Bytes of a page that are read. The rest is passed over.
MAX_PAGE_BYTES = 10_000_000


class DamagedRecordWarning(UserWarning):
    """A record of an archive cannot be read. The others are still read."""


def archive_pages(
    path: str | os.PathLike[str], *, max_bytes: int = MAX_PAGE_BYTES
) -> Iterator[tuple[str | bytes, str | None]]:
    """The pages of a WARC or WACZ file with their addresses, in their order, one at a time.

    They can be passed to `extract_many`. Successful responses with HTML are read, as by `copal extract`. A damaged record
    is a `DamagedRecordWarning`, and the records after it are still read.

    Args:
        path: The file: `.warc`, `.warc.gz`, `.warc.zst` or `.wacz`.
        max_bytes: Bytes of a page that are read.

    Raises:
        PageError: The file cannot be read.
    """
    for content, url, damage in ArchiveReader(os.fspath(path), max_bytes):
        if content is None:
            warnings.warn(f"{path}: {damage}", DamagedRecordWarning, stacklevel=2)
        else:
            yield content, url
