"""Pages of web archives, also of damaged ones."""

import gzip
import zipfile

import copal
import pytest
from conftest import lamps, warc_record


def archive(pages: int = 3) -> tuple[bytes, list[int]]:
    """An archive, and where its records end."""
    content, ends = b"", []
    for number in range(pages):
        content += gzip.compress(warc_record(f"https://shop.example/{number}", lamps(number)), mtime=0)
        ends.append(len(content))
    return content, ends


def test_pages_of_an_archive_are_extracted(tmp_path):
    file = tmp_path / "crawl.warc.gz"
    file.write_bytes(archive(5)[0])
    answers = list(copal.extract_many(copal.archive_pages(file), workers=2))
    assert [answer.url for answer in answers] == [f"https://shop.example/{number}" for number in range(5)]
    assert answers[3].records == copal.extract(lamps(3), url="https://shop.example/3").records
    with zipfile.ZipFile(tmp_path / "site.wacz", "w") as site:
        site.writestr("archive/data.warc.gz", file.read_bytes())
    assert list(copal.archive_pages(tmp_path / "site.wacz")) == list(copal.archive_pages(file))


def test_an_archive_that_ends_anywhere_gives_the_pages_before(tmp_path):
    content, ends = archive()
    file = tmp_path / "crawl.warc.gz"
    for end in range(0, len(content), 5):
        file.write_bytes(content[:end])
        whole = sum(end >= record_end for record_end in ends)
        if end in (0, *ends):
            assert len(list(copal.archive_pages(file))) == whole
        else:
            with pytest.warns(copal.DamagedRecordWarning, match="crawl.warc.gz: record at byte"):
                assert len(list(copal.archive_pages(file))) >= whole


def test_a_damaged_record_costs_only_itself(tmp_path):
    content, ends = archive()
    damaged = bytearray(content)
    damaged[ends[0] + 60] ^= 0x20
    file = tmp_path / "crawl.warc.gz"
    file.write_bytes(damaged)
    with pytest.warns(copal.DamagedRecordWarning):
        urls = {url for _, url in copal.archive_pages(file)}
    assert {"https://shop.example/0", "https://shop.example/2"} <= urls


def test_the_charset_of_the_server_is_used(tmp_path):
    page = "<html><meta charset=utf-8><h1>Größe</h1>".encode("iso-8859-1")
    http = b"HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=iso-8859-1\r\n\r\n" + page
    head = f"WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: https://x.example/\r\nContent-Type: application/http\r\nContent-Length: {len(http)}\r\n\r\n"
    file = tmp_path / "one.warc"
    file.write_bytes(head.encode() + http + b"\r\n\r\n")
    ((content, url),) = copal.archive_pages(file)
    assert "Größe" in content and url == "https://x.example/"


def test_what_cannot_be_opened_is_a_page_error(tmp_path):
    with pytest.raises(copal.PageError, match="missing.warc"):
        list(copal.archive_pages(tmp_path / "missing.warc"))
    (tmp_path / "empty.wacz").write_bytes(b"not a zip file")
    with pytest.raises(copal.PageError, match="empty.wacz"):
        list(copal.archive_pages(tmp_path / "empty.wacz"))
