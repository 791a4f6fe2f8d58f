import pytest


def lamp(number: int) -> str:
    return f"<li><a href='/lamp/{number}'>Lamp number {number}</a> <b class='price'>£{10 + number}.50</b></li>"


def lamps(first: int = 1, count: int = 8) -> str:
    """A page with a list of lamps."""
    items = "".join(lamp(number) for number in range(first, first + count))
    return f"<html><head><title>Lamps</title></head><body><h1>Lamps</h1><ul class='list'>{items}</ul></body></html>"


@pytest.fixture
def page() -> str:
    return lamps()


@pytest.fixture
def article() -> str:
    return "<html><body><h1>About us</h1>" + "<p>We have been making things for a long time, and we like it.</p>" * 3


def warc_record(url: str, html: str) -> bytes:
    """A page as a record of a web archive."""
    http = b"HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-8\r\n\r\n" + html.encode()
    head = (
        f"WARC/1.0\r\nWARC-Type: response\r\nWARC-Record-ID: <urn:uuid:{url}>\r\nWARC-Target-URI: {url}\r\n"
        f"WARC-Date: 2026-01-31T12:00:00Z\r\nContent-Type: application/http; msgtype=response\r\n"
        f"Content-Length: {len(http)}\r\n\r\n"
    )
    return head.encode() + http + b"\r\n\r\n"
