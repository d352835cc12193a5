import { hash } from 'node:crypto'

/** Of SHA-256, in bytes. */
const blockBytes = 64

/**
 * HMAC-SHA256 (RFC 2104) under one key, for many short texts: `createHmac` makes its key anew for each, which takes ten times as long as
 * the hash. A key over 64 bytes is hashed first, as the RFC says.
 */
export function keyedHash(key: Uint8Array): (text: string) => Buffer {
  const block = Buffer.alloc(blockBytes)
  block.set(key.byteLength > blockBytes ? hash('sha256', key, 'buffer') : key)
  const inner = Buffer.from(block.map((byte) => byte ^ 0x36))
  const outer = Buffer.from(block.map((byte) => byte ^ 0x5c))
  return (text) => {
    const first = hash('sha256', Buffer.concat([inner, Buffer.from(text, 'utf8')]), 'buffer')
    return hash('sha256', Buffer.concat([outer, first]), 'buffer')
  }
}
