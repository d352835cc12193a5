/** Example code that verifies the signature of the raw body in one framework (API documentation, "Signature verification"). */
export interface RawBodyCheck {
  /** Equal to the file name. */
  readonly id: string
  readonly label: string
  readonly language: 'JavaScript' | 'TypeScript' | 'Python' | 'Ruby' | 'Go' | 'PHP' | 'C#' | 'Java'
  readonly fileName: string
  /** How the raw bytes get lost in this framework, and how the code keeps them. */
  readonly note: string
  /** The complete file. It listens on port 3000 if it starts a server, and reads the secret from `WEBHOOK_SECRET`. */
  code(brand: string): string
}

/** The catalogue collects the default exports of `raw-body-checks/`. */
export function defineRawBodyCheck(check: RawBodyCheck): RawBodyCheck {
  return check
}

/** The common part of the JavaScript examples. */
export const nodeChecks = `const secret = process.env.WEBHOOK_SECRET
if (!secret) throw new Error('Set WEBHOOK_SECRET.')

function isAuthentic(rawBody, signature) {
  const expected = Buffer.from(createHmac('sha256', secret).update(rawBody).digest('hex'))
  const given = Buffer.from(signature ?? '')
  // timingSafeEqual throws when the lengths differ.
  return given.length === expected.length && timingSafeEqual(given, expected)
}

// In production, use a table with a unique key: this forgets everything at a restart.
const seen = new Set()

function parseEvent(rawBody) {
  try {
    const event = JSON.parse(rawBody)
    return typeof event?.type === 'string' ? event : null
  } catch {
    return null
  }
}

function processEvent(event) {
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
}`

/** The common part of the Python examples. */
export const pythonChecks = `def is_authentic(raw_body: bytes, signature: str) -> bool:
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
        print(event["type"], target, flush=True)`
