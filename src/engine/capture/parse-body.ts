import { isUtf8 } from 'node:buffer'
import { parseJson } from '#shared/json/object.ts'
import { parseText, type ParsedBody } from './parse-text.ts'

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
