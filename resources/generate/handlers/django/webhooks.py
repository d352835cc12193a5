import hashlib
import hmac
import json
import logging
import os
import threading
from queue import Queue

from event_handlers import handle
from webhook_events import UnknownEvent, WebhookEvent, parse_event

secret = os.environ.get("WEBHOOK_SECRET", "").encode()
previous_secret = os.environ.get("WEBHOOK_PREVIOUS_SECRET", "").encode()
if not secret:
    raise RuntimeError("Set WEBHOOK_SECRET.")


def receive(raw_body: bytes, signature: str) -> int:
    """Verifies the bytes of a request as received. Returns the status to respond with."""
    is_authentic = matches(secret, raw_body, signature) or (
        previous_secret != b"" and matches(previous_secret, raw_body, signature)
    )
    if not is_authentic:
        return 401
    event = parse_event(raw_body)
    if event is None:
        return 400
    if isinstance(event, UnknownEvent):
        print(f"Ignored an event of the type {event.type!r}: it is not known.", flush=True)
    else:
        accept(event)
    return 204


def matches(key: bytes, raw_body: bytes, signature: str) -> bool:
    expected = hmac.new(key, raw_body, hashlib.sha256).hexdigest()
    # As bytes: compare_digest raises on text that is not ASCII. aiohttp has surrogates in it.
    return hmac.compare_digest(expected.encode(), signature.encode(errors="replace"))


# In production, use a table with a unique key instead: this forgets everything at a restart.
seen: dict[str, None] = {}
MAX_SEEN = 100_000
lock = threading.Lock()

# In production, use a queue that survives a restart.
queue: Queue[tuple[str, WebhookEvent]] = Queue()


def accept(event: WebhookEvent) -> None:
    # There is no event ID.
    target = event.target_uuid or event.target_id
    location = event.location_uuid or event.location_id
    key = json.dumps([event.type, target, location, event.created_at], default=str)
    with lock:
        if key in seen:
            return
        seen[key] = None
        if len(seen) > MAX_SEEN:
            del seen[next(iter(seen))]
        queue.put((key, event))


def process_events() -> None:
    while True:
        key, event = queue.get()
        try:
            handle(event)
            print(f"Processed {key}", flush=True)
        except Exception:
            with lock:
                seen.pop(key, None)  # It is processed if it is sent again.
            logging.exception("Failed to process %s", key)


threading.Thread(target=process_events, daemon=True).start()
