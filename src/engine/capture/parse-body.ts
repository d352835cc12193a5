import { isUtf8 } from 'node:buffer'
import { parseText, type ParsedBody } from './parse-text.ts'

const decoder = new TextDecoder()

/** Reads a body as the payload that it should be. Never throws. */
export function parseBody(body: Uint8Array): ParsedBody {
  if (body.byteLength === 0) return { kind: 'empty' }
  if (!isUtf8(body)) return { kind: 'not_utf8' }
  // The decoder drops a byte order mark, as RFC 8259, 8.1 lets a parser do.
  return parseText(decoder.decode(body))
}
