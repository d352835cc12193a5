import type {
  LogAttempt,
  LogAttemptLine,
  LogBody,
  LogDelivery,
  LogPart,
} from '#contract/event-log.ts'
import type { DeliveryItem, ExportedAttempt } from '../items.ts'

/** Tabscope captures no larger bodies. */
const maxBodyBytes = 1024 * 1024 * 1024
/** Each part counts as at least this much, because endless empty parts would use memory too. */
const minPartBytes = 4096

/** Of their lines. All attempts of a delivery are in memory at once. */
const maxAttemptBytes = 128 * 1024 * 1024

interface AwaitedBody {
  readonly parts: Buffer[]
  missing: number
}

/** A delivery whose large bodies and further attempts follow in separate lines. */
export class PendingDelivery {
  readonly #line: LogDelivery
  readonly #attempts: LogAttempt[]
  readonly #awaited = new Map<number, AwaitedBody>()
  #missingAttempts: number
  #bytes = 0
  #attemptBytes = 0

  constructor(line: LogDelivery) {
    this.#line = line
    this.#attempts = [...line.attempts]
    this.#missingAttempts = line.moreAttempts ?? 0
    this.#awaitBody(line.body)
    for (const attempt of line.attempts) this.#awaitBodies(attempt)
  }

  get id(): number {
    return this.#line.id
  }

  get complete(): boolean {
    if (this.#missingAttempts > 0) return false
    for (const { missing } of this.#awaited.values()) if (missing > 0) return false
    return true
  }

  /** Returns why the attempt is skipped, as the end of a sentence, or null. */
  addAttempt({ delivery, attempt }: LogAttemptLine, lineBytes: number): string | null {
    if (delivery !== this.id || this.#missingAttempts === 0) {
      return 'it does not belong to the delivery before it'
    }
    this.#attemptBytes += lineBytes
    if (this.#attemptBytes > maxAttemptBytes) return 'the attempts are larger than 128 MiB'
    this.#missingAttempts -= 1
    this.#attempts.push(attempt)
    this.#awaitBodies(attempt)
    return null
  }

  /** Returns why the part does not belong here, as the end of a sentence, or null. */
  addPart({ delivery, key, index, base64 }: LogPart): string | null {
    const awaitedBody = this.#awaited.get(key)
    if (delivery !== this.id || !awaitedBody || awaitedBody.missing === 0) {
      return 'it does not belong to the delivery before it'
    }
    if (index !== awaitedBody.parts.length) return 'earlier parts are missing'
    const bytes = Buffer.from(base64, 'base64')
    this.#bytes += Math.max(bytes.byteLength, minPartBytes)
    if (this.#bytes > maxBodyBytes) return 'the body is larger than 1 GiB'
    awaitedBody.parts.push(bytes)
    awaitedBody.missing -= 1
    return null
  }

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

  #awaitBodies({ requestBody, responseBody }: LogAttempt): void {
    if (requestBody) this.#awaitBody(requestBody)
    if (responseBody) this.#awaitBody(responseBody)
  }

  #awaitBody(body: LogBody): void {
    if ('parts' in body) this.#awaited.set(body.key, { parts: [], missing: body.parts })
  }

  #attempt({ requestBody, responseBody, ...fields }: LogAttempt): ExportedAttempt {
    return {
      fields,
      requestBody: requestBody && this.#bytesOf(requestBody),
      answerBody: responseBody && this.#bytesOf(responseBody),
    }
  }

  #bytesOf(body: LogBody): Uint8Array | null {
    if ('text' in body) return Buffer.from(body.text, 'utf8')
    if ('base64' in body) return Buffer.from(body.base64, 'base64')
    if ('parts' in body) return Buffer.concat(this.#awaited.get(body.key)?.parts ?? [])
    return new Uint8Array()
  }
}
