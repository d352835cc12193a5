/** How a handler in one framework checks the signature over the raw body (API documentation, "Signature verification"). */
export interface RawBodyCheck {
  /** Stable, and the name of its file. */
  readonly id: string
  /** What the framework is called. */
  readonly label: string
  readonly language: 'JavaScript' | 'TypeScript' | 'Python' | 'Ruby' | 'Go' | 'PHP'
  /** Where the code belongs. */
  readonly fileName: string
  /** What takes the raw bytes away in this framework, and how the code keeps them. */
  readonly note: string
  /** The whole file. It listens on port 3000 where it listens itself, and takes the secret from `WEBHOOK_SECRET`. */
  code(brand: string): string
}

/** Says that a file declares a check; the catalogue collects the default exports of `raw-body-checks/`. */
export function defineRawBodyCheck(check: RawBodyCheck): RawBodyCheck {
  return check
}

/** The function that those for Node.js share, as they print it. */
export const nodeIsAuthentic = `function isAuthentic(rawBody, signature) {
  const expected = Buffer.from(createHmac('sha256', secret).update(rawBody).digest('hex'))
  const given = Buffer.from(signature ?? '')
  // timingSafeEqual throws when the lengths differ.
  return given.length === expected.length && timingSafeEqual(given, expected)
}`
