import { isUtf8 } from 'node:buffer'
import type { Payload } from '#catalogue/payload.ts'
import { isObject, type JsonObject } from './json-object.ts'

export type BodyKind = 'empty' | 'not_utf8' | 'not_json' | 'not_object' | 'object'

export interface ParsedObject {
  readonly kind: 'object'
  readonly payload: Payload & JsonObject
  /** The body as text, without a byte order mark. */
  readonly text: string
}

export type ParsedBody = ParsedObject | { readonly kind: Exclude<BodyKind, 'object'> }

const decoder = new TextDecoder()

/** Reads a body as the payload that it should be. Never throws. */
export function parseBody(body: Uint8Array): ParsedBody {
  if (body.byteLength === 0) return { kind: 'empty' }
  if (!isUtf8(body)) return { kind: 'not_utf8' }
  // The decoder drops a byte order mark, as RFC 8259, 8.1 lets a parser do.
  const text = decoder.decode(body)
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return { kind: 'not_json' }
  }
  if (!isObject(value)) return { kind: 'not_object' }
  return { kind: 'object', payload: value, text }
}
