import type { Reading as ReadAs, Body } from '../../body/index.ts'

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
