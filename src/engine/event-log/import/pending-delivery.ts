import type { LogAttempt, LogBody, LogDelivery, LogPart } from '#contract/event-log.ts'
import type { DeliveryItem, ExportedAttempt } from '../items.ts'

/** No body that we capture is larger, in bytes. */
const mostBytes = 1024 * 1024 * 1024

interface Awaited {
  readonly parts: Buffer[]
  missing: number
}

/** A delivery whose large bodies follow in lines of their own. */
export class PendingDelivery {
  readonly #line: LogDelivery
  readonly #awaited = new Map<number, Awaited>()
  #bytes = 0

  constructor(line: LogDelivery) {
    this.#line = line
    const bodies = [
      line.body,
      ...line.attempts.flatMap(({ requestBody, answerBody }) => [requestBody, answerBody]),
    ]
    for (const body of bodies) {
      if (body && 'parts' in body) this.#awaited.set(body.key, { parts: [], missing: body.parts })
    }
  }

  get id(): number {
    return this.#line.id
  }

  get complete(): boolean {
    for (const { missing } of this.#awaited.values()) if (missing > 0) return false
    return true
  }

  /** Why the part does not belong here, as half a sentence; null: it is taken. */
  take({ delivery, key, index, base64 }: LogPart): string | null {
    const awaited = this.#awaited.get(key)
    if (delivery !== this.id || !awaited || awaited.missing === 0) {
      return 'it belongs to no delivery before it'
    }
    if (index !== awaited.parts.length) return 'parts before it are missing'
    const bytes = Buffer.from(base64, 'base64')
    this.#bytes += bytes.byteLength
    if (this.#bytes > mostBytes) return 'the body is larger than 1 GiB'
    awaited.parts.push(bytes)
    awaited.missing -= 1
    return null
  }

  /** What is there of it. */
  item(): DeliveryItem {
    const { kind: _kind, body, attempts, ...fields } = this.#line
    return {
      kind: 'delivery',
      delivery: {
        fields,
        body: this.#bytesOf(body) ?? new Uint8Array(),
        omitted: 'omitted' in body ? body.omitted : null,
        attempts: attempts.map((attempt) => this.#attempt(attempt)),
      },
    }
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
