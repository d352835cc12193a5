/** The common properties of a webhook body (API documentation, "Webhook payload"). Loose: what came is never trusted to fit. */
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

/** One common property, as the document's table has it. */
export interface CommonField {
  readonly key: keyof Payload
  readonly type: 'string' | 'object'
  readonly optional: boolean
  readonly description: string
  readonly label: string
}

export const commonFields: readonly CommonField[] = [
  {
    key: 'type',
    type: 'string',
    optional: false,
    description: 'Event type (see Events).',
    label: 'Type',
  },
  {
    key: 'targetUuid',
    type: 'string',
    optional: true,
    description:
      'UUID of the targeted resource, present only when the event targets a resource that has a UUID.',
    label: 'Target UUID',
  },
  {
    key: 'targetId',
    type: 'string',
    optional: true,
    description: 'ID of the target for events whose target has no UUID.',
    label: 'Target ID',
  },
  {
    key: 'locationUuid',
    type: 'string',
    optional: true,
    description: 'UUID of the location where the event occurred.',
    label: 'Location UUID',
  },
  {
    key: 'locationName',
    type: 'string',
    optional: true,
    description: 'Name of that location.',
    label: 'Location',
  },
  {
    key: 'locationId',
    type: 'string',
    optional: true,
    description: 'ID of that location.',
    label: 'Location ID',
  },
  {
    key: 'createdAt',
    type: 'string',
    optional: false,
    description: 'ISO 8601 timestamp of the exact creation time of the event.',
    label: 'Created',
  },
  {
    key: 'data',
    type: 'object',
    optional: false,
    description: 'Event-specific data; its shape depends on `type`.',
    label: 'Data',
  },
]

/** `value[key]` when value is a JSON object that has it, else undefined. */
export function field(value: unknown, key: string): unknown {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return undefined
  return Reflect.get(value, key)
}

/** Characters of one value that a line shows; the whole value is in the body. */
const longest = 60

/** Line breaks and control characters, and those that turn the direction of all that follows them in the list. */
const unprintable = /[\p{Cc}\p{Zl}\p{Zp}\u200e\u200f\u202a-\u202e\u2066-\u2069\s]+/gu

/** The value as text for a line in the list, cut when long: strings and numbers only, else the empty string. */
export function text(value: unknown): string {
  if (typeof value === 'number') return String(value)
  if (typeof value !== 'string') return ''
  // Cut before cleaning: a body may hold a string of many megabytes.
  const clean = value
    .slice(0, longest * 4)
    .replace(unprintable, ' ')
    .toWellFormed()
    .trim()
  const characters = Array.from(clean)
  if (characters.length <= longest) return clean
  return `${characters.slice(0, longest - 1).join('')}…`
}

/** An id as text for a line: the first eight characters when it is as long as a UUID, else whole. */
export function shortId(value: unknown): string {
  const id = text(value)
  return id.length > 16 ? `${id.slice(0, 8).toWellFormed()}…` : id
}

/** A number with two decimals, and no currency since the document gives none; else the empty string. */
export function amount(value: unknown): string {
  return typeof value === 'number' ? value.toFixed(2) : ''
}

/** The parts that are not empty, joined by commas. */
export function line(...parts: string[]): string {
  return parts.filter((part) => part !== '').join(', ')
}

/** The words that are not empty, joined by spaces. */
export function joinNonEmpty(...parts: string[]): string {
  return parts.filter((part) => part !== '').join(' ')
}

/** By what way a guest's handle reaches them, told from its form alone; empty when it has neither form. */
export function channel(handle: unknown): string {
  const value = text(handle)
  if (value.includes('@')) return 'by e-mail'
  return /^\+?[\d\s().-]{5,}$/.test(value) ? 'by phone' : ''
}
