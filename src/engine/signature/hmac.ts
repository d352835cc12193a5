import { createHmac, hash } from 'node:crypto'

/** Bytes of a block of SHA-256 (RFC 6234, 5.1), and of its digest. */
const block = 64
const digest = 32
/** Up to this many bytes two one-shot hashes are faster than `createHmac`, which sets up its machinery for each message. */
const short = 16 * 1024

/** A secret with its two pads made once (RFC 2104, 2). */
export interface HmacKey {
  readonly secret: Buffer
  readonly inner: Buffer
  /** Room for the inner digest behind the pad. */
  readonly outer: Buffer
}

/** Takes the secret's bytes as they are. */
export function hmacKey(secret: Uint8Array): HmacKey {
  const bytes = Buffer.from(secret)
  const padded = Buffer.alloc(block)
  if (bytes.byteLength > block) padded.write(hash('sha256', bytes, 'hex'), 'hex')
  else bytes.copy(padded)
  const outer = Buffer.alloc(block + digest)
  outer.set(padded.map((byte) => byte ^ 0x5c))
  const inner = Buffer.from(padded.map((byte) => byte ^ 0x36))
  return { secret: bytes, inner, outer }
}

const scratch = Buffer.allocUnsafe(block + short)

/** Hex HMAC-SHA256 of the message (RFC 2104), 64 digits. */
export function hmac(message: Uint8Array, key: HmacKey): string {
  if (message.byteLength > short) {
    return createHmac('sha256', key.secret).update(message).digest('hex')
  }
  scratch.set(key.inner)
  scratch.set(message, block)
  const inner = hash('sha256', scratch.subarray(0, block + message.byteLength), 'hex')
  key.outer.write(inner, block, 'hex')
  return hash('sha256', key.outer, 'hex')
}
