import { eventTypeOf } from './catalogue.ts'
import { field, type Payload } from './payload.ts'

/** An id in a payload. */
export interface MentionedId {
  readonly id: string
  /** Path of the field: `targetUuid`, `locationId`, `data.tabUuid`, `data.cause.targetUuid` ... */
  readonly field: string
}

const common = ['targetUuid', 'targetId', 'locationUuid', 'locationId'] as const

/** Maximum length of an id in characters, because a body may contain very long strings. */
const maxIdLength = 300

/** Maximum number of examined keys of an object, because a body may contain a million keys. */
const maxKeys = 1000

/** Maximum number of ids; more than any documented type has. */
const maxIds = 64

/**
 * Returns the ids in a payload with their fields, in the order of the payload: targets and location, then fields of `data` that the
 * catalogue declares as ids or whose key ends in `Id` or `Uuid`, including objects directly in `data` (`cause`). The same id may
 * occur in several fields. Numbers are converted to text. At most 64 ids.
 */
export function idsOf(payload: Payload): MentionedId[] {
  const found: MentionedId[] = []
  for (const key of common) add(found, key, payload[key])
  const { data } = payload
  if (typeof data !== 'object' || data === null || Array.isArray(data)) return found
  const declared = new Set(
    eventTypeOf(payload.type)
      ?.data.filter(({ format }) => format === 'id')
      .map(({ key }) => key),
  )
  for (const key of Object.keys(data).slice(0, maxKeys)) {
    const value = field(data, key)
    if (declared.has(key) || isIdKey(key)) add(found, `data.${key}`, value)
    if (typeof value !== 'object' || value === null || Array.isArray(value)) continue
    for (const inner of Object.keys(value).slice(0, maxKeys)) {
      if (isIdKey(inner)) add(found, `data.${key}.${inner}`, field(value, inner))
    }
  }
  return found
}

/**
 * Returns a key that identifies an event: type, target, location and `createdAt`. The API documentation has no delivery id.
 * Null if type, target or `createdAt` is missing.
 */
export function eventOf(payload: Payload): string | null {
  const { type, createdAt } = payload
  const target = asId(payload.targetUuid) ?? asId(payload.targetId)
  const location =
    asId(payload.locationUuid) ?? asId(payload.locationId) ?? asId(payload.locationName)
  if (typeof type !== 'string' || type === '' || target === null) return null
  if (typeof createdAt !== 'string' || createdAt === '') return null
  return JSON.stringify([type, target, location, createdAt])
}

function isIdKey(key: string): boolean {
  return key.endsWith('Id') || key.endsWith('Uuid')
}

function add(found: MentionedId[], name: string, value: unknown): void {
  const id = asId(value)
  if (id !== null && found.length < maxIds) found.push({ id, field: name })
}

function asId(value: unknown): string | null {
  if (typeof value === 'number') return String(value)
  if (typeof value !== 'string' || value === '' || value.length > maxIdLength) return null
  return value
}
