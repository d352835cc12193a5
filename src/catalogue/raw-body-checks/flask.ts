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
import threading

from flask import Flask, request

secret = os.environ.get("WEBHOOK_SECRET", "").encode()
if not secret:
    raise SystemExit("Set WEBHOOK_SECRET.")

app = Flask(__name__)
app.config["MAX_CONTENT_LENGTH"] = 10 * 1024 * 1024


def is_authentic(raw_body: bytes, signature: str) -> bool:
    expected = hmac.new(secret, raw_body, hashlib.sha256).hexdigest()
    # As bytes: compare_digest raises on text that is not ASCII.
    return hmac.compare_digest(expected.encode(), signature.encode())


# The types that you subscribe to.
TYPES = ["ORDER_PLACED", "OPEN_TAB", "CLOSE_TAB", "ITEM_ADDED", "ITEM_REMOVED", "PRODUCT_UPDATED"]

seen = set()  # In production, use a table with a unique key: this forgets everything at a restart.
lock = threading.Lock()


def parse_event(raw_body: bytes) -> dict | None:
    try:
        event = json.loads(raw_body)
    except (ValueError, RecursionError):
        return None
    return event if isinstance(event, dict) and isinstance(event.get("type"), str) else None


def process_event(event: dict) -> None:
    # There is no event ID.
    target = event.get("targetUuid") or event.get("targetId")
    key = json.dumps([event["type"], target, event.get("createdAt")])
    with lock:
        if key in seen:
            return
        seen.add(key)
    # Ignore other types: new ones may be added.
    if event["type"] in TYPES:
        print(event["type"], target, flush=True)


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
