import { isUtf8 } from 'node:buffer'
import { parseJson, isObject, type JsonObject } from '#shared/json/object.ts'
import type { Payload } from '#catalogue/payload.ts'

const decoder = new TextDecoder()

/** Never throws. */
export function parseBody(body: Uint8Array): ParsedBody {
  if (body.byteLength === 0) return { kind: 'empty' }
  if (!isUtf8(body)) return { kind: 'not_utf8' }
  // TextDecoder removes a byte order mark, which RFC 8259, section 8.1 allows.
  return parseText(decoder.decode(body))
}

/** Any value, also in a list. Undefined if it is not JSON. */
export function readJson(body: Uint8Array): unknown {
  return isUtf8(body) ? parseJson(decoder.decode(body)) : undefined
}

export type BodyKind = 'empty' | 'not_utf8' | 'not_json' | 'not_object' | 'object'

export interface ParsedObject {
  readonly kind: 'object'
  readonly payload: Payload & JsonObject
  /** Without a byte order mark. */
  readonly text: string
}

export type ParsedBody = ParsedObject | { readonly kind: Exclude<BodyKind, 'object'> }

/** `text` must have no byte order mark. Never throws. Does not depend on Node. */
function parseText(text: string): ParsedBody {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return { kind: 'not_json' }
  }
  if (!isObject(value)) return { kind: 'not_object' }
  return { kind: 'object', payload: value, text }
}
