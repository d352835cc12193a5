import { isUtf8 } from 'node:buffer'

/** The body as JSON; undefined: it is none. A byte order mark is dropped (RFC 8259, 8.1). */
export function readJson(body: Uint8Array): unknown {
  if (!isUtf8(body)) return undefined
  try {
    const text = Buffer.from(body.buffer, body.byteOffset, body.byteLength).toString()
    const value: unknown = JSON.parse(text.startsWith('\u{FEFF}') ? text.slice(1) : text)
    return value
  } catch {
    return undefined
  }
}
