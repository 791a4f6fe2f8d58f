"""Uses `copal mcp` with the official Python client: mcp_client.py COPAL URL ROOT WORKSPACE. Fails with an assertion."""

import asyncio
import json
import sys

from mcp import ClientSession, StdioServerParameters
from mcp.client.stdio import stdio_client

COPAL, URL, ROOT, WORKSPACE = sys.argv[1:5]


def text(result):
    return "".join(part.text for part in result.content if part.type == "text")


def failed(result):
    """The field has two spellings in different versions of the client."""
    return bool(getattr(result, "isError", None) or getattr(result, "is_error", None))


async def with_session(arguments, use):
    server = StdioServerParameters(command=COPAL, args=["mcp", *arguments])
    async with stdio_client(server) as (read, write):
        async with ClientSession(read, write) as session:
            await session.initialize()
            await use(session)


async def closed(session):
    """Without options: no private hosts, no files, nothing stored."""
    tools = {tool.name for tool in (await session.list_tools()).tools}
    expected = {"find_lists", "read_list", "read_object", "learn_wrapper", "apply_wrapper", "store_list"}
    assert tools == expected, tools
    refused = await session.call_tool("find_lists", {"page": URL})
    assert failed(refused) and "private address" in text(refused), text(refused)
    for page in ["list.html", "/etc/passwd", "file:///etc/passwd", "../list.html"]:
        refused = await session.call_tool("read_list", {"page": page})
        assert failed(refused), (page, text(refused))
    refused = await session.call_tool("learn_wrapper", {"name": "a", "pages": ["list.html"]})
    assert failed(refused) and "--dir" in text(refused), text(refused)


async def opened(session):
    found = json.loads(text(await session.call_tool("find_lists", {"page": URL})))
    assert found["lists"][0]["records"] == 40, found
    assert found["lists"][0]["columns"] and len(found["lists"][0]["samples"]) == 2, found
    # all rows, with cursors
    rows, cursor, calls = [], None, 0
    while True:
        arguments = {"page": URL, "columns": ["title"], "rows": 15}
        if cursor:
            arguments["cursor"] = cursor
        answer = await session.call_tool("read_list", arguments)
        assert not failed(answer), text(answer)
        head, table = text(answer).split("\n\n", 1)
        rows += table.splitlines()[1:]
        calls += 1
        if "next_cursor: " not in head:
            break
        cursor = head.split("next_cursor: ")[1].split()[0]
    assert calls == 3 and rows == [f"Lamp number {n}" for n in range(1, 41)], (calls, rows)
    answer = text(await session.call_tool("read_list", {"page": URL, "format": "markdown", "rows": 1}))
    assert answer.startswith("records 1-1 of 40, next_cursor: 1") and "|" in answer, answer
    answer = await session.call_tool("read_list", {"page": URL, "cursor": "x"})
    assert failed(answer), text(answer)
    answer = await session.call_tool("read_list", {"page": URL, "near": "nothing like this"})
    assert failed(answer) and "find_lists" in text(answer), text(answer)
    # files below the root
    answer = text(await session.call_tool("read_list", {"page": "list.html", "rows": 1}))
    assert "of 40" in answer, answer
    for page in ["../secret.html", "/etc/passwd", "missing.html"]:
        assert failed(await session.call_tool("read_list", {"page": page})), page
    answer = await session.call_tool("read_object", {"page": "object.html"})
    assert not failed(answer) and "Salt" in text(answer), text(answer)
    # wrappers and databases
    learned = await session.call_tool("learn_wrapper", {"name": "lamps", "pages": ["list.html"]})
    assert json.loads(text(learned))["version"] == 1, text(learned)
    answer = text(await session.call_tool("apply_wrapper", {"name": "lamps", "page": URL, "rows": 2}))
    assert "records 1-2 of 40" in answer and "Lamp number 2" in answer, answer
    answer = await session.call_tool("store_list", {"page": URL, "database": "lamps"})
    assert "40 records, 40 new" in text(answer), text(answer)
    assert failed(await session.call_tool("store_list", {"page": URL, "database": "../x"}))
    assert failed(await session.call_tool("apply_wrapper", {"name": "other", "page": URL}))


asyncio.run(with_session([], closed))
asyncio.run(with_session(["--allow-private", "--delay", "0", "--root", ROOT, "--dir", WORKSPACE], opened))
print("ok")
