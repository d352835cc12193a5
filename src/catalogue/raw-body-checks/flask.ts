import { headerName } from '../headers.ts'
import { defineRawBodyCheck, pythonChecks } from '../raw-body-check.ts'

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
import threading

from flask import Flask, request

secret = os.environ.get("WEBHOOK_SECRET", "").encode()
if not secret:
    raise SystemExit("Set WEBHOOK_SECRET.")

app = Flask(__name__)
app.config["MAX_CONTENT_LENGTH"] = 10 * 1024 * 1024


${pythonChecks}


@app.post("/webhooks")
def webhooks():
    raw_body = request.get_data()
    if not is_authentic(raw_body, request.headers.get("${headerName(brand, 'signature')}", "")):
        return "", 401
    event = parse_event(raw_body)
    if event is None:
        return "", 400
    process_event(event)  # Long work belongs in a queue.
    return "", 204


if __name__ == "__main__":
    app.run(port=3000)
`,
})
