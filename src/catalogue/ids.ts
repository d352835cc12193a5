import { eventTypeOf } from './catalogue.ts'
import { field, type Payload } from './payload.ts'

export interface MentionedId {
  readonly id: string
  /** `targetUuid`, `locationId`, `data.tabUuid`, `data.cause.targetUuid` ... */
  readonly field: string
}

const common = ['targetUuid', 'targetId', 'locationUuid', 'locationId'] as const

const maxIdLength = 300

/** Of an object: a body may contain a million keys. */
const maxKeys = 1000

/** More than any documented type has. */
const maxIds = 64

/**
 * The first IDs in a payload, in its order: targets and location, then fields of `data` that the catalogue declares as IDs or whose key ends in `Id` or
 * `Uuid`, including objects directly in `data` (`cause`). The same ID may occur in several fields. Numbers are converted to text.
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

/** Identifies an event by type, target, location and `createdAt`: the API documentation has no delivery ID. Null if one of them is missing. */
export function eventOf(payload: Payload): string | null {
  const { type, createdAt } = payload
  const target = asId(payload.targetUuid) ?? asId(payload.targetId)
  const location =
    asId(payload.locationUuid) ?? asId(payload.locationId) ?? asId(payload.locationName)
  if (typeof type !== 'string' || type === '' || target === null) return null
  if (typeof createdAt !== 'string' || createdAt === '') return null
  return JSON.stringify([type, target, location, createdAt])
}

/**
 * What a documented ID belongs to: `instance`, one order, tab, item or guest; `configuration`, such as a location or a product. Null: `place`, such as
 * `data.tabUuid`, is not documented as an ID, or the type is not documented.
 */
export function idKindOf(type: string | null, place: string): 'instance' | 'configuration' | null {
  if (place === 'locationUuid' || place === 'locationId') return 'configuration'
  const eventType = eventTypeOf(type)
  if (!eventType) return null
  const { tab = [], order = [], guest = [], others = [] } = eventType.facts ?? {}
  if ([tab, order, guest, others].some((places) => places.some((each) => each === place))) {
    return 'instance'
  }
  const isId =
    common.some((key) => key === place) ||
    eventType.data.some(({ key, format }) => format === 'id' && place === `data.${key}`)
  return isId ? 'configuration' : null
}

export function isIdKey(key: string): boolean {
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
