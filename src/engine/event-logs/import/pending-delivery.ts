import type {
  LogAttempt,
  LogAttemptLine,
  LogBody,
  LogDelivery,
  LogPart,
} from '#contract/event-log.ts'
import type { DeliveryItem, ExportedAttempt } from '../items.ts'
import { assertFits } from './memory.ts'

/** No body that we capture is larger, in bytes. */
const mostBytes = 1024 * 1024 * 1024
/** A part counts for so many bytes at least: empty ones without end take memory too. */
const leastPart = 4096

interface Awaited {
  readonly parts: Buffer[]
  missing: number
}

/** A delivery whose large bodies follow in lines of their own. */
export class PendingDelivery {
  readonly #line: LogDelivery
  readonly #attempts: LogAttempt[]
  readonly #awaited = new Map<number, Awaited>()
  #missingAttempts: number
  #bytes = 0
  /** What its attempts take of it, in bytes. */
  #heap = 0

  constructor(line: LogDelivery) {
    this.#line = line
    this.#attempts = [...line.attempts]
    this.#missingAttempts = line.moreAttempts ?? 0
    this.#await(line.body)
    for (const attempt of line.attempts) this.#awaitOf(attempt)
  }

  get id(): number {
    return this.#line.id
  }

  get complete(): boolean {
    if (this.#missingAttempts > 0) return false
    for (const { missing } of this.#awaited.values()) if (missing > 0) return false
    return true
  }

  /**
   * Why the attempt does not belong here, as half a sentence; null: it is taken. `heap`: what the line takes of it, in bytes. Throws
   * `log_unreadable` where all attempts of the delivery together would take too much memory.
   */
  takeAttempt({ delivery, attempt }: LogAttemptLine, heap: number): string | null {
    if (delivery !== this.id || this.#missingAttempts === 0) {
      return 'it belongs to no delivery before it'
    }
    this.#heap += heap
    assertFits(this.#heap)
    this.#missingAttempts -= 1
    this.#attempts.push(attempt)
    this.#awaitOf(attempt)
    return null
  }

  /** Why the part does not belong here, as half a sentence; null: it is taken. */
  take({ delivery, key, index, base64 }: LogPart): string | null {
    const awaited = this.#awaited.get(key)
    if (delivery !== this.id || !awaited || awaited.missing === 0) {
      return 'it belongs to no delivery before it'
    }
    if (index !== awaited.parts.length) return 'parts before it are missing'
    const bytes = Buffer.from(base64, 'base64')
    this.#bytes += Math.max(bytes.byteLength, leastPart)
    if (this.#bytes > mostBytes) return 'the body is larger than 1 GiB'
    awaited.parts.push(bytes)
    awaited.missing -= 1
    return null
  }

  /** What is there of it. */
  item(): DeliveryItem {
    const { kind: _kind, body, attempts: _, moreAttempts: __, ...fields } = this.#line
    return {
      kind: 'delivery',
      delivery: {
        fields,
        body: this.#bytesOf(body) ?? new Uint8Array(),
        omitted: 'omitted' in body ? body.omitted : null,
        attempts: this.#attempts.map((attempt) => this.#attempt(attempt)),
      },
    }
  }

  #awaitOf({ requestBody, answerBody }: LogAttempt): void {
    if (requestBody) this.#await(requestBody)
    if (answerBody) this.#await(answerBody)
  }

  #await(body: LogBody): void {
    if ('parts' in body) this.#awaited.set(body.key, { parts: [], missing: body.parts })
  }

  #attempt({ requestBody, answerBody, ...fields }: LogAttempt): ExportedAttempt {
    return {
      fields,
      requestBody: requestBody && this.#bytesOf(requestBody),
      answerBody: answerBody && this.#bytesOf(answerBody),
    }
  }

  #bytesOf(body: LogBody): Uint8Array | null {
    if ('text' in body) return Buffer.from(body.text, 'utf8')
    if ('base64' in body) return Buffer.from(body.base64, 'base64')
    if ('parts' in body) return Buffer.concat(this.#awaited.get(body.key)?.parts ?? [])
    return new Uint8Array()
  }
}
