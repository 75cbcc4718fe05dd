"""Calls every tool of an MCP server with the official Python SDK, and prints one line. Exits with 1 if an answer is wrong.

python test/tools/mcp-client.py http://127.0.0.1:3000/mcp
"""

import asyncio
import base64
import json
import sys

import httpx2
from mcp import ClientSession
from mcp.client import Client
from mcp.client.streamable_http import streamable_http_client

POST = "https://x.com/jack/status/20"
CALLS = [
    ("x_get_post", {"url": POST}),
    ("x_get_profile", {"handle": "ada_larsson", "limit": 3}),
    ("x_list_posts", {"handle": "ada_larsson", "limit": 3}),
    ("x_list_followers", {"handle": "ada_larsson", "limit": 3}),
    ("x_list_following", {"handle": "ada_larsson", "limit": 3}),
    ("x_search_posts", {"q": "tide", "limit": 3}),
    ("x_get_posts", {"ids": ["20", POST]}),
    ("x_list_replies", {"id": "2028036267832246272", "kind": "quotes"}),
]


async def call_tools(client) -> None:
    names = {tool.name for tool in (await client.list_tools()).tools}
    assert names == {name for name, _ in CALLS}, names
    for name, arguments in CALLS:
        result = await client.call_tool(name, arguments)
        assert not result.is_error and result.structured_content is None, name
        assert result.content[0].text.startswith("The quoted lines below come from X"), name
        result = await client.call_tool(name, {**arguments, "format": "json"})
        assert json.loads(result.content[0].text) == result.structured_content, name
    pictured = await client.call_tool("x_get_post", {"id": "2032048958469046864", "images": 1})
    assert [part.type for part in pictured.content] == ["text", "image"]
    assert base64.b64decode(pictured.content[1].data).startswith(b"\x89PNG"), pictured.content[1].mime_type
    failed = await client.call_tool("x_get_post", {"url": "https://x.com/jack"})
    assert failed.is_error and "x_get_profile" in failed.content[0].text


async def research(url: str) -> None:
    async with Client(f"{url}?tools=research") as client:
        assert [tool.name for tool in (await client.list_tools()).tools] == ["search", "fetch"]
        found = await client.call_tool("search", {"query": "tide"})
        assert json.loads(found.content[0].text)["results"]
        fetched = await client.call_tool("fetch", {"id": "20"})
        assert json.loads(fetched.content[0].text)["url"] == POST


async def refuse_key(url: str) -> bool:
    http_client = httpx2.AsyncClient(headers={"Authorization": "Bearer pstn_nonsense"})
    try:
        async with streamable_http_client(url, http_client=http_client) as streams:
            async with ClientSession(streams[0], streams[1]) as session:
                await session.initialize()
    except Exception:
        return True
    return False


async def main(url: str) -> None:
    async with streamable_http_client(url) as streams:
        async with ClientSession(streams[0], streams[1]) as session:
            version = (await session.initialize()).protocol_version
            await call_tools(session)
    async with Client(url) as client:
        await call_tools(client)
    await research(url)
    assert await refuse_key(url), "an unknown key was accepted"
    print(f"the Python SDK calls every tool, with a handshake of {version} and as it chooses")


asyncio.run(main(sys.argv[1]))
