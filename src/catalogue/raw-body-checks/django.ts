import { headerName } from '../headers.ts'
import { defineRawBodyCheck } from '../raw-body-check.ts'

export default defineRawBodyCheck({
  id: 'django',
  label: 'Django',
  language: 'Python',
  fileName: 'views.py',
  note: 'request.body returns the received bytes, unless something has read the request as a stream before. In urls.py: path("webhooks", views.webhooks). Bodies over DATA_UPLOAD_MAX_MEMORY_SIZE (2.5 MB) are rejected. Under WSGI, Django ignores bodies without Content-Length: use ASGI, or a proxy that buffers.',
  code: (brand) => `import hashlib
import hmac
import json
import os
import threading

from django.http import HttpResponse
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_POST

secret = os.environ.get("WEBHOOK_SECRET", "").encode()
if not secret:
    raise RuntimeError("Set WEBHOOK_SECRET.")


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


@csrf_exempt  # The signature says who sends, not a cookie.
@require_POST
def webhooks(request):
    raw_body = request.body
    if not is_authentic(raw_body, request.headers.get("${headerName(brand, 'signature')}", "")):
        return HttpResponse(status=401)
    event = parse_event(raw_body)
    if event is None:
        return HttpResponse(status=400)
    process_event(event)  # Long work belongs in a queue.
    return HttpResponse(status=204)
`,
})
