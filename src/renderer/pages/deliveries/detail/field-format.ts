import type { FieldFormat } from '#catalogue/define.ts'
import { ExactNumber } from '#catalogue/payload.ts'
import { truncate } from '#kit/text/visible.ts'
import type { Reading as ReadAs } from '#parts/body/reading.ts'
import type { Body } from '#parts/body/use-body.ts'

/** The display format of a common property. */
export function formatOf(key: string): FieldFormat {
  switch (key) {
    case 'targetUuid':
    case 'targetId':
    case 'locationUuid':
    case 'locationId':
      return 'id'
    case 'createdAt':
      return 'time'
    case 'data':
      return 'object'
    default:
      return 'text'
  }
}

/** Guesses the display format of an undocumented value from its type, and for IDs from its key. */
export function guessFormat(value: unknown, key: string): FieldFormat {
  switch (typeof value) {
    case 'boolean':
      return 'flag'
    case 'number':
      return 'count'
    case 'string':
      if (readTime(value)) return 'time'
      return looksLikeId(key, value) ? 'id' : 'text'
    case 'object':
      if (value instanceof ExactNumber) return 'count'
      return Array.isArray(value) && value.every((part) => typeof part === 'string')
        ? 'tags'
        : 'object'
    default:
      return 'text'
  }
}

/** A short text for any JSON value, at most `length` characters. Never throws. */
export function brief(value: unknown, length: number): string {
  if (typeof value === 'string') return truncate(value, length)
  if (typeof value === 'number' || typeof value === 'boolean') return String(value)
  if (value instanceof ExactNumber) return truncate(value.source, length)
  return briefObject(value, length)
}

function briefObject(value: unknown, length: number): string {
  if (value === null) return 'null'
  if (Array.isArray(value)) return value.length === 0 ? '[]' : `array of ${value.length}`
  if (typeof value !== 'object' || value === null) return ''
  const parts = Object.entries(value)
    .slice(0, 6)
    .map(([key, part]: [string, unknown]) => `${key}: ${leaf(part)}`)
  return parts.length === 0 ? '{}' : truncate(`{ ${parts.join(', ')} }`, length)
}

/** Formats one level only: deeper values are shown in the Request tab, and deeply nested hostile input stays cheap. */
function leaf(value: unknown): string {
  if (typeof value === 'string') return JSON.stringify(truncate(value, 60))
  if (value === null) return 'null'
  if (Array.isArray(value)) return `[${value.length}]`
  if (typeof value === 'number' || typeof value === 'boolean') return String(value)
  if (value instanceof ExactNumber) return truncate(value.source, 60)
  return '{…}'
}

/** The state of reading a body as a payload. */
export type Reading =
  | { readonly kind: 'waiting' }
  | { readonly kind: 'failed'; readonly message: string }
  | ReadAs

/** Reads the body as the service's payload, or returns why it is not one. */
export function readPayload(body: Pick<Body, 'phase' | 'message' | 'facts'>): Reading {
  if (body.phase === 'failed') return { kind: 'failed', message: body.message }
  return body.facts === null ? { kind: 'waiting' } : body.facts.reading
}

/** The maximum length of a text that is treated as an ID. */
export const longestId = 200

const uuid = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i
const idName = /(?:^id|Id|ID|Uuid|UUID|_id|_uuid)$/

/** Whether an undocumented text looks like an ID, by its form or by the name of its key. */
export function looksLikeId(key: string, text: string): boolean {
  if (text === '' || text.length > longestId) return false
  return uuid.test(text) || (idName.test(key) && !/\s/.test(text))
}

const iso =
  /^\d{4}-\d{2}-\d{2}[Tt ]\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?<zone>[Zz]|[+-]\d{2}:?\d{2})?$/

/** Parses an ISO 8601 date and time into milliseconds since the epoch, and whether it has a time zone. Null if it is none. */
export function readTime(text: string): { at: number; zoned: boolean } | null {
  const match = text.length > 40 ? null : iso.exec(text)
  if (!match) return null
  const at = Date.parse(text)
  return Number.isNaN(at) ? null : { at, zoned: match.groups?.['zone'] !== undefined }
}
