import { headerName } from '../headers.ts'
import { defineRawBodyCheck } from '../raw-body-check.ts'

export default defineRawBodyCheck({
  id: 'flask',
  label: 'Flask',
  language: 'Python',
  fileName: 'app.py',
  note: 'request.json returns the parsed body, and json.dumps() writes it with different bytes. request.get_data() returns the received bytes.',
  code: (brand) => `import hashlib
import hmac
import json
import os

from flask import Flask, request

secret = os.environ.get("WEBHOOK_SECRET", "").encode()
if not secret:
    raise SystemExit("Set WEBHOOK_SECRET.")

app = Flask(__name__)


def is_authentic(raw_body: bytes, signature: str) -> bool:
    expected = hmac.new(secret, raw_body, hashlib.sha256).hexdigest()
    # As bytes: compare_digest raises on text that is not ASCII.
    return hmac.compare_digest(expected.encode(), signature.encode())


@app.post("/webhooks")
def webhooks():
    raw_body = request.get_data()
    if not is_authentic(raw_body, request.headers.get("${headerName(brand, 'signature')}", "")):
        return "", 401
    event = json.loads(raw_body)
    print(event["type"])  # Long work belongs in a queue.
    return "", 204


if __name__ == "__main__":
    app.run(port=3000)
`,
})
