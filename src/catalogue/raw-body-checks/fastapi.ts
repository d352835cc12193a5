import { headerName } from '../headers.ts'
import { defineRawBodyCheck, pythonChecks } from '../raw-body-check.ts'

export default defineRawBodyCheck({
  id: 'fastapi',
  label: 'FastAPI',
  language: 'Python',
  fileName: 'main.py',
  note: 'A parameter that is a model or a dict is parsed, and its bytes are lost. request.stream() returns the received bytes; request.body() too, but without a limit.',
  code: (brand, { imports, text } = pythonChecks) => `${imports}
import uvicorn
from fastapi import FastAPI, Request, Response
${text}
app = FastAPI()
LIMIT = 10 * 1024 * 1024


@app.post("/webhooks")
async def webhooks(request: Request) -> Response:
    raw_body = bytearray()
    async for chunk in request.stream():
        raw_body += chunk
        if len(raw_body) > LIMIT:
            return Response(status_code=413)
    signature = request.headers.get("${headerName(brand, 'signature')}", "")
    return Response(status_code=receive(bytes(raw_body), signature))


if __name__ == "__main__":
    uvicorn.run(app, port=int(os.environ.get("PORT", "3000")))
`,
})
