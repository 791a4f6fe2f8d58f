"""A real spider on loopback."""

import json
import subprocess
import sys
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest
from conftest import lamps

pytest.importorskip("scrapy")

SPIDER = '''
import scrapy
from copal.scrapy import items, next_page


class Lamps(scrapy.Spider):
    name = "lamps"
    custom_settings = {
        "ITEM_PIPELINES": {"copal.scrapy.ColumnsPipeline": 300},
        "COPAL_MANDATORY": ["title"],
        "COPAL_COLUMNS": ["title", "price", "price_value"],
    }

    async def start(self):
        yield scrapy.Request(self.address)

    def parse(self, response):
        yield from items(response)
        if following := next_page(response):
            yield response.follow(following)
'''


class Shop(BaseHTTPRequestHandler):
    """A list on three pages."""

    def do_GET(self) -> None:
        number = int(self.path.rpartition("=")[2] or 1) if "=" in self.path else 1
        following = f"<a rel='next' href='/lamps?page={number + 1}'>Next</a>" if number < 3 else ""
        page = lamps(10 * number).replace("</body>", following + "</body>").encode()
        self.send_response(200 if self.path.startswith("/lamps") else 404)
        self.send_header("Content-Type", "text/html; charset=utf-8")
        self.send_header("Content-Length", str(len(page)))
        self.end_headers()
        self.wfile.write(page)

    def log_message(self, *arguments: object) -> None:
        """Requests are not logged."""


def test_a_spider_yields_the_records_of_all_pages(tmp_path):
    server = ThreadingHTTPServer(("127.0.0.1", 0), Shop)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        spider, out = tmp_path / "spider.py", tmp_path / "lamps.jsonl"
        spider.write_text(SPIDER)
        address = f"http://127.0.0.1:{server.server_address[1]}/lamps"
        command = [sys.executable, "-m", "scrapy", "runspider", spider, "-a", f"address={address}", "-O", out]
        done = subprocess.run(command, capture_output=True, text=True, timeout=120, cwd=tmp_path)
    finally:
        server.shutdown()
        server.server_close()
    assert done.returncode == 0, done.stderr
    items = [json.loads(line) for line in out.read_text().splitlines()]
    assert [item["title"] for item in items] == [f"Lamp number {10 * page + n}" for page in (1, 2, 3) for n in range(8)]
    assert items[0]["price_value"] == {"amount": "20.50", "currency": "GBP"}
    assert list(items[0]) == ["title", "price", "price_value"]
