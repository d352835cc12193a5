import { contactKinds, type RemovalKind } from './edits.ts'
import { isEmail, isPhone, phoneDigits } from './contacts.ts'
import { hash } from 'node:crypto'

/** SHA-256. */
const blockBytes = 64
const digestBytes = 32

/** In UTF-16 units. Longer texts are not hashed in the shared buffer. */
const maxShortText = 1024

/** HMAC-SHA256 (RFC 2104). For many short texts, this is more than ten times as fast as `createHmac`, which prepares the key for each text. */
export function keyedHash(key: Uint8Array): (text: string) => Buffer {
  const block = Buffer.alloc(blockBytes)
  block.set(key.byteLength > blockBytes ? hash('sha256', key, 'buffer') : key)
  const inner = Buffer.alloc(blockBytes + maxShortText * 3)
  inner.set(block.map((byte) => byte ^ 0x36))
  const outer = Buffer.alloc(blockBytes + digestBytes)
  outer.set(block.map((byte) => byte ^ 0x5c))
  const innerInput = (text: string): Buffer =>
    text.length > maxShortText
      ? Buffer.concat([inner.subarray(0, blockBytes), Buffer.from(text, 'utf8')])
      : inner.subarray(0, blockBytes + inner.write(text, blockBytes, 'utf8'))
  return (text) => {
    // `binary` is Latin-1: the hash returns a string in less than half the time of a buffer.
    outer.write(hash('sha256', innerInput(text), 'binary'), blockBytes, 'binary')
    return Buffer.from(hash('sha256', outer, 'binary'), 'binary')
  }
}

const alphabet = 'abcdefghijklmnopqrstuvwxyz234567'
/** 60 bits, so that among a million guests no two get the same pseudonym by chance. */
const pseudonymLength = 12
const cacheSize = 20_000

/** Existing pseudonyms are not replaced again. */
export const pseudonymPattern = /redacted-(?:[a-z]{1,30}-){1,4}[a-z2-7]{12}/g
const pseudonymOnly = /^redacted-(?:[a-z]{1,30}-){1,4}[a-z2-7]{12}$/

export function isPseudonym(text: string): boolean {
  return text.startsWith('redacted-') && pseudonymOnly.test(text)
}

/** With one key per log, the same value always gets the same pseudonym. Contacts are compared as a number to dial or an address to mail to. */
export class Pseudonyms {
  readonly #keyedHash: (text: string) => Buffer
  readonly #cache = new Map<string, string>()

  constructor(key: Uint8Array) {
    this.#keyedHash = keyedHash(key)
  }

  pseudonymFor(kind: RemovalKind, value: string): string {
    const cacheKey = `${kind}\n${value}`
    const cached = this.#cache.get(cacheKey)
    if (cached !== undefined) return cached
    const name = this.#make(kind, value)
    if (this.#cache.size >= cacheSize) this.#cache.clear()
    this.#cache.set(cacheKey, name)
    return name
  }

  /** 64 hex digits, like the digest of a body. */
  digestFor(digest: string): string {
    return this.#keyedHash(digest).toString('hex')
  }

  #make(kind: RemovalKind, value: string): string {
    const { kind: pseudonymKind, value: normalizedValue } = contactKinds.has(kind)
      ? normalizeContact(value)
      : { kind, value }
    const digest = this.#keyedHash(normalizedValue)
    let name = ''
    let bits = 0
    let buffer = 0
    for (let at = 0; name.length < pseudonymLength; at += 1) {
      buffer = (buffer << 8) | (digest[at] ?? 0)
      bits += 8
      while (bits >= 5 && name.length < pseudonymLength) {
        bits -= 5
        name += alphabet.charAt((buffer >> bits) & 31)
      }
      buffer &= (1 << bits) - 1
    }
    return `redacted-${pseudonymKind.replaceAll('_', '-')}-${name}`
  }
}

export function normalizeContact(value: string): { kind: RemovalKind; value: string } {
  const normalized = value.normalize('NFC').trim()
  if (isEmail(normalized)) return { kind: 'email', value: `contact:${normalized.toLowerCase()}` }
  if (isPhone(normalized)) return { kind: 'phone', value: `contact:${phoneDigits(normalized)}` }
  return { kind: 'handle', value: `contact:${normalized.toLowerCase()}` }
}
