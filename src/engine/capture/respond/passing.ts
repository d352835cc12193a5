import type { ForwardTarget } from '#contract/answering.ts'
import type { Header } from '#contract/models.ts'
import { formatLimit } from '#shared/text/format.ts'
import type { PassResponse, PassRequest } from '../../sending/messages.ts'
import type { ReceivedRequest, ResponseAnswerer } from '../received-request.ts'
import { readyAnswer, type ReadyAnswer } from './rules.ts'

/** What comes of a delivery that was passed through. */
export interface Passed {
  readonly id: number
  readonly answerer: ResponseAnswerer
  readonly ready: ReadyAnswer
  /** Why it is not the answer of the target, as a sentence; null: it is. */
  readonly reason: string | null
}

/** To the sender thread. */
export interface PassPort {
  /** `owned` is the memory of the body, and is ours no more. */
  post(question: PassRequest, owned: ArrayBuffer): void
}

export interface PassLimits {
  /** Deliveries that wait for their target at once. */
  readonly questions: number
  /** Bytes of their bodies. */
  readonly bytes: number
  /** How much longer than the target may take we wait for word of it, in milliseconds. */
  readonly graceMs: number
  /** How long one may still take when its connection is to be closed, in milliseconds. */
  readonly closingMs: number
}

export const defaultPassLimits: PassLimits = {
  questions: 1000,
  bytes: 256 * 1024 * 1024,
  graceMs: 5000,
  closingMs: 1500,
}

interface Open {
  readonly id: number
  readonly answerer: ResponseAnswerer
  readonly bytes: number
  timer: NodeJS.Timeout
}

/**
 * Deliveries whose answer is to be that of a target, while the sender thread asks it. Each ends exactly once: with the target's answer,
 * with 502 and the reason when there is none, with 504 when no word came in time, or with 503 at once when too many wait.
 */
export class Passing {
  readonly #port: PassPort
  readonly #limits: PassLimits
  readonly #done: (passed: Passed) => void
  readonly #open = new Map<number, Open>()
  #bytes = 0
  #nextKey = 1
  #isGone = false

  constructor(port: PassPort, done: (passed: Passed) => void, limits = defaultPassLimits) {
    this.#port = port
    this.#limits = limits
    this.#done = done
  }

  get size(): number {
    return this.#open.size
  }

  /** Asks for the answer of the target. The delivery is on the disk. */
  ask(
    forward: ForwardTarget,
    arrived: ReceivedRequest,
    answerer: ResponseAnswerer,
    id: number,
  ): void {
    if (this.#isGone) {
      this.#done({ id, answerer, ...failure(502, goneReason) })
      return
    }
    const bytes = arrived.body.byteLength
    const { questions, bytes: mostBytes, graceMs } = this.#limits
    // One alone may be as large as it came.
    if (this.#open.size >= questions || (this.#bytes > 0 && this.#bytes + bytes > mostBytes)) {
      this.#done({ id, answerer, ...failure(503, busyReason) })
      return
    }
    const key = this.#nextKey
    this.#nextKey += 1
    const patience = forward.timeout + graceMs
    const timer = setTimeout(() => this.#end(key, failure(504, lateReason(patience))), patience)
    this.#open.set(key, { id, answerer, bytes, timer })
    this.#bytes += bytes
    answerer.connection.waiting += 1
    // A copy of its own: what it is a view of may hold what came behind it, and would go over with it.
    const body = new Uint8Array(arrived.body)
    const { method, path, rawHeaders, rawTrailers } = arrived
    this.#port.post(
      { key, deliveryId: id, forwardId: forward.id, method, path, rawHeaders, rawTrailers, body },
      body.buffer,
    )
    if (answerer.connection.closing) this.hasten()
  }

  /** What the sender thread has to say. Of a question that has ended, nothing comes of it. */
  take({ key, answer, reason }: PassResponse): void {
    if (answer === null) {
      this.#end(key, failure(502, reason ?? noAnswerReason))
    } else if (!isFinal(answer.status)) {
      this.#end(
        key,
        failure(502, `The forward target answered ${answer.status}, which is not a final status.`),
      )
    } else {
      const ready = readyAnswer(answer.status, pairs(answer.rawHeaders), answer.body)
      this.#end(key, { ready, reason: null })
    }
  }

  /** Those on connections that are to be closed do not wait much longer. */
  hasten(): void {
    const { closingMs } = this.#limits
    for (const [key, open] of this.#open) {
      if (!open.answerer.connection.closing) continue
      clearTimeout(open.timer)
      open.timer = setTimeout(() => this.#end(key, failure(504, closedReason)), closingMs)
    }
  }

  /** The sender thread is gone: no word will come any more. */
  gone(): void {
    this.#isGone = true
    for (const key of this.#open.keys()) this.#end(key, failure(502, goneReason))
  }

  #end(key: number, outcome: Pick<Passed, 'ready' | 'reason'>): void {
    const open = this.#open.get(key)
    if (!open) return
    const { id, answerer, bytes, timer } = open
    this.#open.delete(key)
    this.#bytes -= bytes
    clearTimeout(timer)
    answerer.connection.waiting -= 1
    this.#done({ id, answerer, ...outcome })
  }
}

const busyReason =
  'Too many deliveries are waiting for the forward target. Tabscope stored this one and did not forward it.'
const noAnswerReason = 'The forward target gave no answer.'
const goneReason = 'Tabscope is being closed, so that this delivery was not passed on.'
const closedReason =
  'Tabscope stopped listening before the forward target responded. The delivery is stored.'

function lateReason(ms: number): string {
  return `The forward target did not respond within ${formatLimit(ms)}.`
}

/** Not interim (RFC 9110, 15.2), and a status that HTTP has. */
function isFinal(status: number): boolean {
  return Number.isInteger(status) && status >= 200 && status <= 999
}

/** Our own words in place of an answer. */
function failure(status: number, reason: string): Pick<Passed, 'ready' | 'reason'> {
  const type: Header = ['Content-Type', 'text/plain; charset=utf-8']
  return { ready: readyAnswer(status, [type], Buffer.from(`${reason}\n`, 'utf8')), reason }
}

function pairs(rawHeaders: readonly string[]): Header[] {
  const headers: Header[] = []
  for (let i = 0; i + 1 < rawHeaders.length; i += 2) {
    headers.push([rawHeaders[i] ?? '', rawHeaders[i + 1] ?? ''])
  }
  return headers
}
