import os

import uvicorn
from fastapi import FastAPI, Request, Response
from webhooks import receive

app = FastAPI()
LIMIT = 10 * 1024 * 1024


@app.post("/webhooks")
async def webhooks(request: Request) -> Response:
    raw_body = bytearray()
    async for chunk in request.stream():
        raw_body += chunk
        if len(raw_body) > LIMIT:
            return Response(status_code=413)
    signature = request.headers.get("X-Service-Signature", "")
    return Response(status_code=receive(bytes(raw_body), signature))


if __name__ == "__main__":
    uvicorn.run(app, port=int(os.environ.get("PORT", "3000")))
