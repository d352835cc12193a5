import { createHash, createHmac, timingSafeEqual } from 'node:crypto'

/** No endpoint can have this slug. Without a leading dot, because many reverse proxies block such paths, and below `/hooks/`, which they allow. */
export const probePath = '/hooks/_probe'
export const probeHeader = 'X-Tabscope-Probe'

/** Describes the body of a probe as it was sent. */
export interface SignedProbe {
  readonly nonce: string
  readonly bytes: number
  /** Hex, of the body. */
  readonly sha256: string
}

/** Describes the body of a probe as the listener received it. */
export interface ProbeReply extends SignedProbe {
  /** `busy`: too many large bodies were received at once. `broken`: the body was incomplete. */
  readonly outcome: 'whole' | 'too_large' | 'busy' | 'broken'
  readonly limit: number
}

/** Different prefixes, so that a request and a response never have the same MAC. */
const requestPrefix = 'v1'
const responsePrefix = 'tabscope-probe-answer-v1'

const shape =
  /^(v1\.(?<nonce>[0-9a-f]{30})\.(?<bytes>0|[1-9][0-9]{0,9})\.(?<sha256>[0-9a-f]{64}))\.(?<mac>[0-9a-f]{64})$/

/** `v1.<nonce>.<bytes>.<sha256>.<hmac>`, with an HMAC-SHA256 over everything before it. */
export function signProbe(key: Uint8Array, { nonce, bytes, sha256 }: SignedProbe): string {
  const content = `${requestPrefix}.${nonce}.${bytes}.${sha256}`
  return `${content}.${mac(key, content)}`
}

/** Null if the header was not signed with this key. */
export function readProbe(key: Uint8Array, header: string): SignedProbe | null {
  const found = shape.exec(header)
  const { nonce, bytes, sha256, mac: given } = found?.groups ?? {}
  const content = found?.[1]
  if (!content || !nonce || !bytes || !sha256 || !given) return null
  return isEqual(mac(key, content), given) ? { nonce, bytes: Number(bytes), sha256 } : null
}

/** JSON with a proof that only an owner of the key can create. */
export function replyText(key: Uint8Array, response: ProbeReply): string {
  const { nonce, bytes, sha256, outcome, limit } = response
  const proof = proofOf(key, response)
  return JSON.stringify({ tabscope: 'probe', nonce, bytes, sha256, outcome, limit, proof })
}

/** Hex. */
export function sha256Of(body: Uint8Array): string {
  return createHash('sha256').update(body).digest('hex')
}

/** Hex. */
export function proofOf(
  key: Uint8Array,
  { nonce, bytes, sha256, outcome, limit }: ProbeReply,
): string {
  return mac(key, [responsePrefix, nonce, bytes, sha256, outcome, limit].join('.'))
}

function mac(key: Uint8Array, text: string): string {
  return createHmac('sha256', key).update(text).digest('hex')
}

/** Compares in constant time. */
export function isEqual(ours: string, theirs: string): boolean {
  const a = Buffer.from(ours)
  const b = Buffer.from(theirs)
  return a.byteLength === b.byteLength && timingSafeEqual(a, b)
}

/**
 * 14 hex digits of time and 16 random ones. Later nonces are greater as text, so a receiver that remembers only the latest ones can still reject older
 * ones. `now`: milliseconds of a clock that never goes back, in whatever thread; `chance`: 8 random bytes.
 */
export function newNonce(now: number, chance: Uint8Array): string {
  const time = Math.round(now * 1000)
    .toString(16)
    .padStart(14, '0')
  return time + Buffer.from(chance).toString('hex')
}

/** A nonce that is not later than a forgotten one counts as used. */
export class UsedNonces {
  readonly #most: number
  readonly #used = new Set<string>()
  #forgotten = ''

  constructor(most = 256) {
    this.#most = most
  }

  use(nonce: string): boolean {
    if (nonce <= this.#forgotten || this.#used.has(nonce)) return false
    this.#used.add(nonce)
    if (this.#used.size > this.#most) {
      const [oldest = ''] = this.#used
      this.#used.delete(oldest)
      if (oldest > this.#forgotten) this.#forgotten = oldest
    }
    return true
  }
}
