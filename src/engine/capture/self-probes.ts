import {
  replyText,
  probeHeader,
  probePath,
  readProbe,
  sha256Of,
  type ProbeReply,
  type SignedProbe,
  UsedNonces,
} from '../tunnel/probe/format.ts'
import { sendPrepared } from './send-response.ts'
import type { ReceivedRequest } from './received-request.ts'

/** The response must not be cached or transformed (RFC 9111, section 5.2.2). */
const rawHeaders = ['Content-Type', 'application/json', 'Cache-Control', 'no-store, no-transform']
const headerName = probeHeader.toLowerCase()

/** Responds to our own probes of the tunnel. Shared by all listeners, so that each nonce is used only once. */
export class SelfProbes {
  readonly #key: Uint8Array
  readonly #used = new UsedNonces()

  constructor(key: Uint8Array) {
    this.#key = key
  }

  /** Responds to the request and returns true if it is one of our probes. A probe that is received a second time is a delivery. */
  take(received: ReceivedRequest, bodyLimit: number): boolean {
    if (received.path !== probePath) return false
    const signed = this.#signed(received.rawHeaders)
    if (signed === null || !this.#used.use(signed.nonce)) return false
    const { status, channel } = received
    if (channel.kind !== 'response' || status === null) return true
    const outcome = outcomeOf(received)
    const text = replyText(this.#key, {
      nonce: signed.nonce,
      bytes: received.bytes,
      sha256: outcome === 'whole' ? sha256Of(received.body) : '',
      outcome,
      limit: bodyLimit,
    })
    const ready = { rawHeaders, body: Buffer.from(text) }
    sendPrepared(channel, { status: outcome === 'whole' ? 200 : status, ...ready })
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

function outcomeOf({ arrival, status }: ReceivedRequest): ProbeReply['outcome'] {
  if (arrival === 'complete') return 'whole'
  if (arrival !== 'too_large') return 'broken'
  return status === 413 ? 'too_large' : 'busy'
}
