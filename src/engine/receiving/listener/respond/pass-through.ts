import type { ForwardTarget } from '#contract/endpoint-rules.ts'
import type { Header } from '#contract/models.ts'
import { formatLimit } from '#shared/text/format.ts'
import { headerPairs } from '../../../platform/http/request-head.ts'
import type { PassResponse, PassRequest } from '../messages.ts'
import type { HttpResponseChannel } from '../received-request.ts'
import { prepareResponse, type PreparedResponse } from './rules.ts'

export interface PassThroughResult {
  readonly id: number
  readonly channel: HttpResponseChannel
  readonly prepared: PreparedResponse
  /** Why this is not the response of the target, as a sentence; null if it is. */
  readonly reason: string | null
}

export interface PassPort {
  post(question: PassRequest): void
}

export interface PassLimits {
  readonly deliveries: number
  /** How much longer than the timeout of the target to wait for the sender thread. */
  readonly graceMs: number
  /** How long a response may still take once its connection is being closed. */
  readonly closingMs: number
}

export const defaultPassLimits: PassLimits = {
  deliveries: 1000,
  graceMs: 5000,
  closingMs: 1500,
}

interface PendingResponse {
  readonly id: number
  readonly channel: HttpResponseChannel
  timer: NodeJS.Timeout
}

/**
 * Deliveries that wait for the response of a forward target. Each ends exactly once: with the target's response, with 502 and a reason if there is
 * none, with 504 after the timeout, or with 503 immediately if too many are waiting.
 */
export class PassThrough {
  readonly #port: PassPort
  readonly #limits: PassLimits
  readonly #done: (result: PassThroughResult) => void
  readonly #pending = new Map<number, PendingResponse>()
  #nextKey = 1
  #isSenderClosed = false

  constructor(
    port: PassPort,
    done: (result: PassThroughResult) => void,
    limits = defaultPassLimits,
  ) {
    this.#port = port
    this.#limits = limits
    this.#done = done
  }

  get size(): number {
    return this.#pending.size
  }

  /** The delivery must be on disk. */
  forward(target: ForwardTarget, channel: HttpResponseChannel, id: number): void {
    if (this.#isSenderClosed) {
      this.#done({ id, channel, ...failure(502, closingReason) })
      return
    }
    const { deliveries, graceMs } = this.#limits
    if (this.#pending.size >= deliveries) {
      this.#done({ id, channel, ...failure(503, busyReason) })
      return
    }
    const key = this.#nextKey
    this.#nextKey += 1
    const timeout = target.timeoutMs + graceMs
    const timer = setTimeout(() => this.#end(key, failure(504, lateReason(timeout))), timeout)
    this.#pending.set(key, { id, channel, timer })
    channel.connection.waiting += 1
    this.#port.post({ kind: 'pass', key, deliveryId: id, forwardId: target.id })
    if (channel.connection.closing) this.expedite()
  }

  /** Ignored if the delivery has already ended. */
  receive({ key, response, reason }: Omit<PassResponse, 'kind'>): void {
    if (response === null) {
      this.#end(key, failure(502, reason ?? noResponseReason))
    } else if (!isFinal(response.status)) {
      this.#end(
        key,
        failure(
          502,
          `The forward target responded with ${response.status}, which is not a final status.`,
        ),
      )
    } else {
      const prepared = prepareResponse(
        response.status,
        headerPairs(response.rawHeaders),
        response.body,
      )
      this.#end(key, { prepared, reason: null })
    }
  }

  /** Shortens the timeout of deliveries on connections that are being closed. */
  expedite(): void {
    const { closingMs } = this.#limits
    for (const [key, pending] of this.#pending) {
      if (!pending.channel.connection.closing) continue
      clearTimeout(pending.timer)
      pending.timer = setTimeout(
        () => this.#end(key, failure(504, listenerClosedReason)),
        closingMs,
      )
    }
  }

  senderClosed(): void {
    this.#isSenderClosed = true
    for (const key of this.#pending.keys()) this.#end(key, failure(502, closingReason))
  }

  #end(key: number, outcome: Pick<PassThroughResult, 'prepared' | 'reason'>): void {
    const pending = this.#pending.get(key)
    if (!pending) return
    const { id, channel, timer } = pending
    this.#pending.delete(key)
    clearTimeout(timer)
    channel.connection.waiting -= 1
    this.#done({ id, channel, ...outcome })
  }
}

const busyReason =
  'Too many deliveries are waiting for the forward target. Tabscope stored this one and did not forward it.'
const noResponseReason = 'The forward target did not respond.'
const closingReason = 'Tabscope is closing, so this delivery was not forwarded.'
const listenerClosedReason =
  'Tabscope stopped listening before the forward target responded. The delivery is stored.'

function lateReason(ms: number): string {
  return `The forward target did not respond within ${formatLimit(ms)}.`
}

/** A valid status that is not interim (RFC 9110, section 15.2). */
function isFinal(status: number): boolean {
  return Number.isInteger(status) && status >= 200 && status <= 999
}

function failure(status: number, reason: string): Pick<PassThroughResult, 'prepared' | 'reason'> {
  const type: Header = ['Content-Type', 'text/plain; charset=utf-8']
  return { prepared: prepareResponse(status, [type], Buffer.from(`${reason}\n`, 'utf8')), reason }
}
