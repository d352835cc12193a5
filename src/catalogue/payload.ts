/** API documentation, "Webhook payload". Values are `unknown`, because received data is not trusted. */
export interface Payload {
  readonly type?: unknown
  readonly targetUuid?: unknown
  readonly targetId?: unknown
  readonly locationUuid?: unknown
  readonly locationName?: unknown
  readonly locationId?: unknown
  readonly createdAt?: unknown
  readonly data?: unknown
}

export interface CommonField {
  readonly key: keyof Payload
  readonly type: 'string' | 'object'
  readonly optional: boolean
  readonly description: string
  readonly label: string
}

export const commonFields: readonly CommonField[] = [
  common('type', false, 'Type', 'Event type (see Events).'),
  common(
    'targetUuid',
    true,
    'Target UUID',
    'UUID of the targeted resource, present only when the event targets a resource that has a UUID.',
  ),
  common('targetId', true, 'Target ID', 'ID of the target for events whose target has no UUID.'),
  common('locationUuid', true, 'Location UUID', 'UUID of the location where the event occurred.'),
  common('locationName', true, 'Location', 'Name of that location.'),
  common('locationId', true, 'Location ID', 'ID of that location.'),
  common(
    'createdAt',
    false,
    'Created',
    'ISO 8601 timestamp of the exact creation time of the event.',
  ),
  common('data', false, 'Data', 'Event-specific data; its shape depends on `type`.'),
]

function common(
  key: keyof Payload,
  optional: boolean,
  label: string,
  description: string,
): CommonField {
  return { key, type: key === 'data' ? 'object' : 'string', optional, description, label }
}

/** Undefined unless `value` is a JSON object with this own key. */
export function field(value: unknown, key: string): unknown {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return undefined
  return Reflect.get(value, key)
}

/** A number that is shown as it was sent, because a JavaScript number would change its digits. */
export class ExactNumber {
  readonly source: string

  constructor(source: string) {
    this.source = source
  }
}

/** An ExactNumber if the number is too large or has too many digits to be converted back to its source text. */
export function exactNumber(value: number, source: string): number | ExactNumber {
  const [digits = ''] = source.toLowerCase().replaceAll(/[-.]/g, '').split('e')
  const isExact = digits.length <= 15 && Math.abs(value) <= Number.MAX_SAFE_INTEGER
  const isUnderflow = value === 0 && /[1-9]/.test(digits)
  return isExact && !isUnderflow ? value : new ExactNumber(source)
}

const maxCharacters = 60

/** Line breaks, control characters and bidirectional controls would change the display of the list. */
const unprintable = /[\p{Cc}\p{Zl}\p{Zp}\u200e\u200f\u202a-\u202e\u2066-\u2069\s]+/gu

/** A string or number for a summary, truncated if long; empty for other values. */
export function text(value: unknown): string {
  if (typeof value === 'number') return String(value)
  if (value instanceof ExactNumber) return shortened(value.source)
  if (typeof value !== 'string') return ''
  return shortened(cleanText(value, maxCharacters * 4))
}

/** Without line breaks and controls. `max`: in characters, since a body may contain very long strings. */
export function cleanText(value: string, max: number): string {
  const start = value.slice(0, max)
  // Nearly every text, in a tenth of the time.
  if (!/[^\x20-\x7e]| {2}/.test(start)) return start.trim()
  return start.replace(unprintable, ' ').toWellFormed().trim()
}

function shortened(text: string): string {
  const characters = Array.from(text.slice(0, maxCharacters * 4))
  if (characters.length <= maxCharacters) return text
  return `${characters.slice(0, maxCharacters - 1).join('')}…`
}

/** For a summary: the first eight characters of a long ID such as a UUID. */
export function shortId(value: unknown): string {
  const id = text(value)
  return id.length > 16 ? `${id.slice(0, 8).toWellFormed()}…` : id
}

/** Two decimals, without a currency because the API documentation gives none. Empty for other values; an ExactNumber as it was sent. */
export function amount(value: unknown): string {
  if (value instanceof ExactNumber) return text(value)
  return typeof value === 'number' ? value.toFixed(2) : ''
}

export function line(...parts: string[]): string {
  return parts.filter((part) => part !== '').join(' · ')
}

const maxNames = 3

/** "Pale Ale, Fries, IPA and 2 more" */
export function someOf(names: unknown): string {
  if (!Array.isArray(names)) return ''
  const shown = names
    .slice(0, maxNames)
    .map(text)
    .filter((name) => name !== '')
  const more = names.length - maxNames
  return shown.join(', ') + (more > 0 && shown.length > 0 ? ` and ${more} more` : '')
}

export function joinNonEmpty(...parts: string[]): string {
  return parts.filter((part) => part !== '').join(' ')
}

/** Guessed from the format of a guest's handle; empty if unknown. */
export function channel(handle: unknown): string {
  const value = text(handle)
  if (value.includes('@')) return 'by e-mail'
  return /^\+?[\d\s().-]{5,}$/.test(value) ? 'by phone' : ''
}
