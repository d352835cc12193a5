import type { Payload } from '#catalogue/payload.ts'
import { isObject, type JsonObject } from '#shared/json/object.ts'

export type BodyKind = 'empty' | 'not_utf8' | 'not_json' | 'not_object' | 'object'

export interface ParsedObject {
  readonly kind: 'object'
  readonly payload: Payload & JsonObject
  /** Without a byte order mark. */
  readonly text: string
}

export type ParsedBody = ParsedObject | { readonly kind: Exclude<BodyKind, 'object'> }

/** `text` must have no byte order mark. Never throws. Does not depend on Node. */
export function parseText(text: string): ParsedBody {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return { kind: 'not_json' }
  }
  if (!isObject(value)) return { kind: 'not_object' }
  return { kind: 'object', payload: value, text }
}
