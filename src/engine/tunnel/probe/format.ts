import { createHash, createHmac, timingSafeEqual, randomFill } from 'node:crypto'
import { setImmediate as turn } from 'node:timers/promises'
import { promisify } from 'node:util'

/**
 * Where self-probes go. No endpoint can have such a slug, what lets only `/hooks/*` through lets it through too, and it does not begin with a
 * dot, since many reverse proxies hold back what does.
 */
export const probePath = '/hooks/_probe'
export const probeHeader = 'X-Tabscope-Probe'

/** What a signed header says of the probe: the body as it was sent. */
export interface SignedProbe {
  readonly nonce: string
  readonly bytes: number
  /** Hex, of the body. */
  readonly sha256: string
}

/** What the listener says of a probe: the body as it arrived. */
export interface ProbeAnswer extends SignedProbe {
  /** `busy`: too many large bodies came at once. `broken`: the body did not come to its end. */
  readonly outcome: 'whole' | 'too_large' | 'busy' | 'broken'
  /** The largest body that the listener takes, in bytes. */
  readonly limit: number
}

/** A question and an answer never have the same MAC, whatever they say. */
const askedPrefix = 'v1'
const answeredPrefix = 'tabscope-probe-answer-v1'

const shape =
  /^(v1\.(?<nonce>[0-9a-f]{30})\.(?<bytes>0|[1-9][0-9]{0,9})\.(?<sha256>[0-9a-f]{64}))\.(?<mac>[0-9a-f]{64})$/

/** The value of the header `X-Tabscope-Probe`: `v1.<nonce>.<bytes>.<sha256>.<hmac>`, the HMAC-SHA256 over all that is before it. */
export function signProbe(key: Uint8Array, { nonce, bytes, sha256 }: SignedProbe): string {
  const said = `${askedPrefix}.${nonce}.${bytes}.${sha256}`
  return `${said}.${mac(key, said)}`
}

/** What a header says; null: it was not signed with this key. */
export function readProbe(key: Uint8Array, header: string): SignedProbe | null {
  const found = shape.exec(header)
  const { nonce, bytes, sha256, mac: given } = found?.groups ?? {}
  const said = found?.[1]
  if (!said || !nonce || !bytes || !sha256 || !given) return null
  return isEqual(mac(key, said), given) ? { nonce, bytes: Number(bytes), sha256 } : null
}

/** The body of an answer, as JSON, with a proof that only who has the key can give. */
export function answerText(key: Uint8Array, answer: ProbeAnswer): string {
  const { nonce, bytes, sha256, outcome, limit } = answer
  const proof = proofOf(key, answer)
  return JSON.stringify({ tabscope: 'probe', nonce, bytes, sha256, outcome, limit, proof })
}

/** Hex. */
export function sha256Of(body: Uint8Array): string {
  return createHash('sha256').update(body).digest('hex')
}

/** Hex. */
export function proofOf(
  key: Uint8Array,
  { nonce, bytes, sha256, outcome, limit }: ProbeAnswer,
): string {
  return mac(key, [answeredPrefix, nonce, bytes, sha256, outcome, limit].join('.'))
}

function mac(key: Uint8Array, text: string): string {
  return createHmac('sha256', key).update(text).digest('hex')
}

/** In a time that says nothing of where they differ. */
export function isEqual(ours: string, theirs: string): boolean {
  const a = Buffer.from(ours)
  const b = Buffer.from(theirs)
  return a.byteLength === b.byteLength && timingSafeEqual(a, b)
}

/**
 * A name for one probe, used once: 14 hex digits of the time and 16 of chance. Later ones are greater as text, so that who remembers only the
 * last of them can still refuse those of before. `now` in milliseconds since the epoch, of a clock that never goes back; `chance`: 8 bytes.
 */
export function newNonce(now: number, chance: Uint8Array): string {
  const time = Math.round(now * 1000)
    .toString(16)
    .padStart(14, '0')
  return time + Buffer.from(chance).toString('hex')
}

/** Which nonces were used. It remembers the last ones; what is no later than one that it forgot counts as used. */
export class UsedNonces {
  readonly #most: number
  readonly #used = new Set<string>()
  #forgotten = ''

  constructor(most = 256) {
    this.#most = most
  }

  /** False when it was used already. */
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

/** A body to be sent, and by what it is known again. */
export interface ProbeBody {
  readonly content: Uint8Array
  /** Hex. */
  readonly sha256: string
}

/** For small ones: it is hashed at once. */
export function probeBody(content: Uint8Array): ProbeBody {
  return { content, sha256: sha256Of(content) }
}

/** Hashed at once, without letting anything else run: some 0.3 ms. */
const slice = 256 * 1024

/** Bytes that nobody can compress. Made on another thread and hashed in slices, so that 10 MiB hold nothing up. */
export async function randomBody(bytes: number): Promise<ProbeBody> {
  const content = new Uint8Array(bytes)
  await promisify<Uint8Array>(randomFill)(content)
  const hash = createHash('sha256')
  for (let at = 0; at < bytes; at += slice) {
    hash.update(content.subarray(at, at + slice))
    await turn()
  }
  return { content, sha256: hash.digest('hex') }
}
