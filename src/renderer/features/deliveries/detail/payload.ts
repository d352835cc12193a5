import type { Reading as ReadAs, Body } from '../../body/index.ts'

/** What a body is, as far as drawing it is concerned. */
export type Reading =
  | { readonly kind: 'waiting' }
  | { readonly kind: 'failed'; readonly message: string }
  | ReadAs

/** The body read as the service's payload, or what it is when it is none. */
export function readPayload(body: Pick<Body, 'phase' | 'message' | 'facts'>): Reading {
  if (body.phase === 'failed') return { kind: 'failed', message: body.message }
  return body.facts === null ? { kind: 'waiting' } : body.facts.reading
}

/** The longest text that is taken for an id: beyond it nobody copies or searches one. */
export const longestId = 200

const uuid = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i
const idName = /(?:^id|Id|ID|Uuid|UUID|_id|_uuid)$/

/** Whether a text that nothing is said about is to be taken for an id: by its form, or by what its key is called. */
export function looksLikeId(key: string, text: string): boolean {
  if (text === '' || text.length > longestId) return false
  return uuid.test(text) || (idName.test(key) && !/\s/.test(text))
}

const iso =
  /^\d{4}-\d{2}-\d{2}[Tt ]\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?<zone>[Zz]|[+-]\d{2}:?\d{2})?$/

/** A text as a time: milliseconds since the epoch, and whether it names its zone. Null: no ISO 8601 date and time. */
export function readTime(text: string): { at: number; zoned: boolean } | null {
  const match = text.length > 40 ? null : iso.exec(text)
  if (!match) return null
  const at = Date.parse(text)
  return Number.isNaN(at) ? null : { at, zoned: match.groups?.['zone'] !== undefined }
}
