/** The common properties of a webhook body (SPEC, "Webhook payload"). Loose: what came is never trusted to fit. */
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

/** The value as text for a line in the list: strings and numbers only, else the empty string. */
export function text(value: unknown): string {
  if (typeof value === 'string') return value
  if (typeof value === 'number') return String(value)
  return ''
}

/** A number with two decimals, and no currency since the document gives none; else the empty string. */
export function amount(value: unknown): string {
  return typeof value === 'number' ? value.toFixed(2) : ''
}

/** The parts that are not empty, joined. */
export function line(...parts: string[]): string {
  return parts.filter((part) => part !== '').join(', ')
}
