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

/** Part of all Node.js examples. */
export const nodeIsAuthentic = `function isAuthentic(rawBody, signature) {
  const expected = Buffer.from(createHmac('sha256', secret).update(rawBody).digest('hex'))
  const given = Buffer.from(signature ?? '')
  // timingSafeEqual throws when the lengths differ.
  return given.length === expected.length && timingSafeEqual(given, expected)
}`

/** Part of all Node.js examples. */
export const nodeProcessEvent = `// In production, use a table with a unique key: this forgets everything at a restart.
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
