import { isUtf8 } from 'node:buffer'
import type { Payload } from '#catalogue/payload.ts'

export type BodyKind = 'empty' | 'not_utf8' | 'not_json' | 'not_object' | 'object'

export type ParsedBody =
  | { readonly kind: 'object'; readonly payload: Payload }
  | { readonly kind: Exclude<BodyKind, 'object'> }

const decoder = new TextDecoder()

/** Reads a body as the payload that it should be. Never throws. */
export function parseBody(body: Uint8Array): ParsedBody {
  if (body.byteLength === 0) return { kind: 'empty' }
  if (!isUtf8(body)) return { kind: 'not_utf8' }
  let value: unknown
  try {
    // The decoder drops a byte order mark, as RFC 8259, 8.1 lets a parser do.
    value = JSON.parse(decoder.decode(body))
  } catch {
    return { kind: 'not_json' }
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    return { kind: 'not_object' }
  }
  return { kind: 'object', payload: value }
}
