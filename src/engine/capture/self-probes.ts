import {
  answerText,
  probeHeader,
  probePath,
  readProbe,
  sha256Of,
  type ProbeAnswer,
  type SignedProbe,
  UsedNonces,
} from '../tunnel/probe/format.ts'
import { answerReady } from './answer.ts'
import type { ReceivedRequest } from './received-request.ts'

/** Nothing on the way may keep an answer, or change it (RFC 9111, 5.2.2). */
const rawHeaders = ['Content-Type', 'application/json', 'Cache-Control', 'no-store, no-transform']
const headerName = probeHeader.toLowerCase()

/** Tells our own probes of the tunnel from deliveries, and answers them. One for all ways in: a nonce is used once. */
export class SelfProbes {
  readonly #key: Uint8Array
  readonly #used = new UsedNonces()

  constructor(key: Uint8Array) {
    this.#key = key
  }

  /**
   * True when it was one of ours: then it is answered, where it can be, and is nobody else's concern. All else is a delivery like any other,
   * also what was signed by us and comes a second time.
   */
  take(arrived: ReceivedRequest, bodyLimit: number): boolean {
    if (arrived.path !== probePath) return false
    const signed = this.#signed(arrived.rawHeaders)
    if (signed === null || !this.#used.use(signed.nonce)) return false
    const { status, answerer } = arrived
    if (answerer.kind !== 'response' || status === null) return true
    const outcome = outcomeOf(arrived)
    const text = answerText(this.#key, {
      nonce: signed.nonce,
      bytes: arrived.bytes,
      sha256: outcome === 'whole' ? sha256Of(arrived.body) : '',
      outcome,
      limit: bodyLimit,
    })
    const ready = { rawHeaders, body: Buffer.from(text) }
    answerReady(answerer, { status: outcome === 'whole' ? 200 : status, ...ready })
    return true
  }

  #signed(rawHeaders: readonly string[]): SignedProbe | null {
    let value: string | null = null
    for (let at = 0; at + 1 < rawHeaders.length; at += 2) {
      if (rawHeaders[at]?.toLowerCase() !== headerName) continue
      if (value !== null) return null
      value = rawHeaders[at + 1] ?? ''
    }
    return value === null ? null : readProbe(this.#key, value)
  }
}

function outcomeOf({ arrival, status }: ReceivedRequest): ProbeAnswer['outcome'] {
  if (arrival === 'complete') return 'whole'
  if (arrival !== 'too_large') return 'broken'
  return status === 413 ? 'too_large' : 'busy'
}
