import { isUtf8 } from 'node:buffer'

/** Bytes as text, exactly, a byte order mark included; null: they are not UTF-8. */
export function exactText(body: Uint8Array): string | null {
  return isUtf8(body) ? asBuffer(body).toString('utf8') : null
}

export function base64Of(body: Uint8Array): string {
  return asBuffer(body).toString('base64')
}

/** The same memory, not a copy. */
export function asBuffer(body: Uint8Array): Buffer {
  return Buffer.from(body.buffer, body.byteOffset, body.byteLength)
}
