import { eventTypeOf } from './catalogue.ts'
import { field, type Payload } from './payload.ts'

/** An id that a payload mentions. */
export interface MentionedId {
  readonly id: string
  /** Where: `targetUuid`, `locationId`, `data.tabUuid`, `data.cause.targetUuid` ... */
  readonly field: string
}

const common = ['targetUuid', 'targetId', 'locationUuid', 'locationId'] as const

/** Longer than any id, in characters: a body may hold a string of many megabytes. */
const longestId = 300

/** A body may hold a million keys; of an object so many are looked at. */
const mostKeys = 1000

/** More than any type of the document mentions. */
const mostIds = 64

/**
 * The ids that a payload mentions, each with its field, in the order of the payload: targets and location, then of `data` what the
 * catalogue declares as an id and every key that ends in `Id` or `Uuid`, also of the objects directly in `data` (`cause`). One id may
 * come from several fields. Numbers are ids as well, as they would be written. At most 64.
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
  for (const key of Object.keys(data).slice(0, mostKeys)) {
    const value = field(data, key)
    if (declared.has(key) || namesAnId(key)) add(found, `data.${key}`, value)
    if (typeof value !== 'object' || value === null || Array.isArray(value)) continue
    for (const inner of Object.keys(value).slice(0, mostKeys)) {
      if (namesAnId(inner)) add(found, `data.${key}.${inner}`, field(value, inner))
    }
  }
  return found
}

/**
 * What tells an event from all others as far as the document goes, which has no delivery id: type, target, location and `createdAt`, as
 * one text to compare. Null where type, target or `createdAt` is missing: then nothing can be said.
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

function namesAnId(key: string): boolean {
  return key.endsWith('Id') || key.endsWith('Uuid')
}

function add(found: MentionedId[], name: string, value: unknown): void {
  const id = asId(value)
  if (id !== null && found.length < mostIds) found.push({ id, field: name })
}

function asId(value: unknown): string | null {
  if (typeof value === 'number') return String(value)
  if (typeof value !== 'string' || value === '' || value.length > longestId) return null
  return value
}
