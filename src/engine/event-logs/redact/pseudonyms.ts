import { contactKinds, type RemovalKind } from './edits.ts'
import { isEmail, isPhone, phoneDigits } from './contacts.ts'
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

const letters = 'abcdefghijklmnopqrstuvwxyz234567'
/** Five bits each: 60 bits, so that two guests of a million are not taken for one. */
const length = 12
/** Pseudonyms that are remembered, which spares the hash; what is forgotten is computed again. */
const remembered = 20_000

/** Finds pseudonyms. What is one already stays what it is. */
export const pseudonymPattern = /redacted-(?:[a-z]{1,30}-){1,4}[a-z2-7]{12}/g
const whole = /^redacted-(?:[a-z]{1,30}-){1,4}[a-z2-7]{12}$/

export function isPseudonym(text: string): boolean {
  return text.startsWith('redacted-') && whole.test(text)
}

/**
 * Names for values under a key of one log (HMAC-SHA256, RFC 2104): the same value is always the same name, and without the key nobody comes
 * back from it. A contact is compared as it is dialled or mailed to, not as it is written.
 */
export class Pseudonyms {
  readonly #hashed: (text: string) => Buffer
  readonly #known = new Map<string, string>()

  constructor(key: Uint8Array) {
    this.#hashed = keyedHash(key)
  }

  of(kind: RemovalKind, value: string): string {
    const asked = `${kind}\n${value}`
    const known = this.#known.get(asked)
    if (known !== undefined) return known
    const name = this.#make(kind, value)
    if (this.#known.size >= remembered) this.#known.clear()
    this.#known.set(asked, name)
    return name
  }

  #make(kind: RemovalKind, value: string): string {
    const { kind: of, value: same } = contactKinds.has(kind) ? contact(value) : { kind, value }
    const digest = this.#hashed(same)
    let name = ''
    let bits = 0
    let held = 0
    for (let at = 0; name.length < length; at += 1) {
      held = (held << 8) | (digest[at] ?? 0)
      bits += 8
      while (bits >= 5 && name.length < length) {
        bits -= 5
        name += letters.charAt((held >> bits) & 31)
      }
      held &= (1 << bits) - 1
    }
    return `redacted-${of.replaceAll('_', '-')}-${name}`
  }
}

/** What kind of contact a value is, and in the form in which contacts are compared. */
export function contact(value: string): { kind: RemovalKind; value: string } {
  const trimmed = value.normalize('NFC').trim()
  if (isEmail(trimmed)) return { kind: 'email', value: `contact:${trimmed.toLowerCase()}` }
  if (isPhone(trimmed)) return { kind: 'phone', value: `contact:${phoneDigits(trimmed)}` }
  return { kind: 'handle', value: `contact:${trimmed.toLowerCase()}` }
}
