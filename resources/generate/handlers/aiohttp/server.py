import asyncio
import os

from aiohttp import web
from webhooks import receive

LIMIT = 10 * 1024 * 1024


async def webhooks(request: web.Request) -> web.Response:
    raw_body = await request.read()
    signature = request.headers.get("X-Service-Signature", "")
    return web.Response(status=receive(raw_body, signature))


# It responds with 413 beyond client_max_size.
app = web.Application(client_max_size=LIMIT)
app.add_routes([web.post("/webhooks", webhooks)])


async def main() -> None:
    port = int(os.environ.get("PORT", "3000"))
    # Otherwise a compressed body is decompressed. web.run_app() has no such option before 3.12.
    runner = web.AppRunner(app, auto_decompress=False)
    await runner.setup()
    await web.TCPSite(runner, port=port).start()
    print(f"Listening on http://127.0.0.1:{port}/webhooks", flush=True)
    await asyncio.Event().wait()


if __name__ == "__main__":
    asyncio.run(main())
