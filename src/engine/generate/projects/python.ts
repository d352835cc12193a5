import type { Checks } from '#catalogue/raw-body-check.ts'
import type { GeneratedFile } from '#contract/generate.ts'
import dataclasses from '../languages/python-dataclasses.ts'
import type { PayloadModel } from '../model.ts'
import { snakeCase } from '../names.ts'
import { eventComment, lineComment } from '../source-text.ts'
import { readme } from './readme.ts'

interface PythonProject {
  readonly label: string
  /** For the code of a check: imports `receive`. */
  files(receiver: Checks): readonly GeneratedFile[]
  readonly requirements: readonly string[]
  /** File that starts the server. */
  readonly server: string
  readonly note?: string
}

const receiver: Checks = { imports: 'import os\n', text: 'from webhooks import receive\n' }

export function pythonProject(model: PayloadModel, project: PythonProject): GeneratedFile[] {
  const { label, requirements, server, note = '' } = project
  const types = dataclasses.types(model)
  return [
    { path: 'requirements.txt', text: `${requirements.join('\n')}\n` },
    { path: '.gitignore', text: '.venv\n__pycache__\n.env\n*.log\n' },
    ...project.files(receiver),
    { path: 'webhooks.py', text: webhooks },
    { path: 'event_handlers.py', text: eventHandlers(model) },
    types,
    readme(model, {
      label,
      commands: [
        'python3 -m venv .venv',
        '.venv/bin/pip install -r requirements.txt',
        `.venv/bin/python ${server}`,
      ],
      eventHandlers: 'event_handlers.py',
      receiver: 'webhooks.py',
      types: { path: types.path, language: dataclasses.id },
      note,
    }),
  ]
}

function eventHandlers({ events }: PayloadModel): string {
  return `from functools import singledispatch

from webhook_events import (
${[...events.map(({ name }) => name), 'WebhookEvent']
  .toSorted()
  .map((name) => `    ${name},\n`)
  .join('')})


@singledispatch
def handle(event: WebhookEvent) -> None:
    """Called once for each event, after the response, in the order in which events
    were received. An error is logged."""
    raise NotImplementedError(event.type)
${events
  .map(
    (event) => `

${lineComment(eventComment(event), '# ', 88)}@handle.register
def on_${snakeCase(event.type)}(event: ${event.name}) -> None:
    pass
`,
  )
  .join('')}`
}

const webhooks = `import hashlib
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
    # As bytes: compare_digest raises on text that is not ASCII.
    return hmac.compare_digest(expected.encode(), signature.encode())


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
`
