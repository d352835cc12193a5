/** Example code that verifies the signature of the raw body in one framework (API documentation, "Signature verification"). */
export interface RawBodyCheck {
  /** Equal to the file name. */
  readonly id: string
  readonly label: string
  readonly language: 'TypeScript' | 'Python' | 'Ruby' | 'Go' | 'PHP' | 'C#' | 'Java'
  readonly fileName: string
  /** How the raw bytes get lost in this framework, and how the code keeps them. */
  readonly note: string
  /**
   * The complete file. It reads the secret from `WEBHOOK_SECRET`, and listens on `PORT` (3000) if it starts a server. In Node.js and Python, a generated
   * handler has its own `checks`.
   */
  code(brand: string, checks?: Checks): string
}

/** Code that defines or imports `receive`, which verifies and processes a body and returns the status to respond with. */
export interface Checks {
  /** Import statements before those of the framework. */
  readonly imports: string
  readonly text: string
}

/** The catalogue collects the default exports of `raw-body-checks/`. */
export function defineRawBodyCheck(check: RawBodyCheck): RawBodyCheck {
  return check
}

const stopWithoutSecret = `if (secret === '') throw new Error('Set WEBHOOK_SECRET.')`

function nodeChecksThat(stop: 'at the start' | 'on a request'): Checks {
  return {
    imports: `import { createHmac, timingSafeEqual } from 'node:crypto'\n`,
    text: `
const secret = process.env.WEBHOOK_SECRET ?? ''
${stop === 'at the start' ? `${stopWithoutSecret}\n` : ''}
function isAuthentic(rawBody: Buffer, signature: string | null | undefined): boolean {
${stop === 'on a request' ? `  ${stopWithoutSecret}\n` : ''}  const expected = Buffer.from(createHmac('sha256', secret).update(rawBody).digest('hex'))
  const given = Buffer.from(signature ?? '')
  // timingSafeEqual throws when the lengths differ.
  return given.length === expected.length && timingSafeEqual(given, expected)
}

// In production, use a table with a unique key: this forgets everything at a restart.
const seen = new Set<string>()

type WebhookEvent = Record<string, unknown>

function parseEvent(rawBody: Buffer): WebhookEvent | null {
  try {
    const event = JSON.parse(rawBody.toString())
    return typeof event?.type === 'string' ? event : null
  } catch {
    return null
  }
}

function processEvent(event: WebhookEvent): void {
  // There is no event ID.
  const key = JSON.stringify([event.type, event.targetUuid ?? event.targetId, event.createdAt])
  if (seen.has(key)) return
  seen.add(key)
  switch (event.type) {
    case 'OPEN_TAB':
    case 'CLOSE_TAB':
    case 'ORDER_PLACED':
    case 'PRODUCT_UPDATED':
      console.log(event.type, event.targetUuid)
    // Ignore other types: new ones may be added.
  }
}

/** Returns the status to respond with. */
function receive(rawBody: Buffer, signature: string | null | undefined): 204 | 400 | 401 {
  if (!isAuthentic(rawBody, signature)) return 401
  const event = parseEvent(rawBody)
  if (!event) return 400
  setImmediate(processEvent, event) // Respond first, then process the event.
  return 204
}
`,
  }
}

export const nodeChecks = nodeChecksThat('at the start')

/** A build of Next.js loads routes without the secret. */
export const nextChecks = nodeChecksThat('on a request')

export const pythonChecks: Checks = {
  imports: `import hashlib
import hmac
import json
import os
import threading
`,
  text: `
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


def receive(raw_body: bytes, signature: str) -> int:
    """Returns the status to respond with."""
    if not is_authentic(raw_body, signature):
        return 401
    event = parse_event(raw_body)
    if event is None:
        return 400
    process_event(event)  # Long work belongs in a queue.
    return 204
`,
}
