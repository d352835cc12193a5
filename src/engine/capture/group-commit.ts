import { inspect } from './inspect.ts'
import { answer } from './answer.ts'
import { nowUs, type Arrived } from './arrived.ts'
import {
  deliverySizeBound,
  recordHead,
  writeAnswers,
  writeDelivery,
  type DeliveryMeta,
} from './journal-format.ts'
import type { JournalWriter } from './journal-writer.ts'

/** Kept between groups; a group that needs more gets a buffer of its own, which is then let go. */
const arenaBytes = 1024 * 1024

export interface GroupCommitOptions {
  readonly journal: JournalWriter
  readonly firstId: number
  /** Everything up to this logical position and id is durable and answered. */
  readonly published: (position: number, lastId: number) => void
  /** The journal cannot be written (null: it can again). */
  readonly failing: (reason: string | null) => void
}

/** One inspected request on its way into the journal: the text parts, ready to be written. */
interface Pending {
  readonly arrived: Arrived
  readonly meta: DeliveryMeta
  readonly headers: string
  readonly trailers: string
}

/**
 * All that arrived while the disk was busy goes to the journal as one group: one write, one sync, then the answers. The sync runs
 * on another thread, so that the next group is read and inspected meanwhile. Nothing is answered before it is durable.
 */
export class GroupCommit {
  readonly #options: GroupCommitOptions
  #nextId: number
  #queue: Pending[] = []
  #scheduled = false
  #syncing = false
  #failing = false
  readonly #arena = Buffer.allocUnsafe(arenaBytes)
  #idle: (() => void)[] = []

  constructor(options: GroupCommitOptions) {
    this.#options = options
    this.#nextId = options.firstId
  }

  /** Inspects, and queues for the next group. */
  add(arrived: Arrived, fallbackBrand: string): void {
    const { endpoint } = arrived
    const inspection = inspect(arrived, endpoint, fallbackBrand)
    this.#queue.push({
      arrived,
      meta: [
        0,
        arrived.receivedUs,
        arrived.method,
        arrived.path,
        arrived.httpVersion,
        arrived.remoteAddress,
        endpoint?.id ?? null,
        endpoint?.name ?? null,
        endpoint?.brand ?? fallbackBrand,
        arrived.arrival,
        arrived.reason,
        arrived.bytes,
        arrived.status,
        inspection.type,
        inspection.target,
        inspection.locationName,
        inspection.createdAt,
        inspection.verdict,
        inspection.secretName,
        inspection.findings,
      ],
      headers: arrived.rawHeaders.join('\n'),
      trailers: arrived.rawTrailers.join('\n'),
    })
    this.#schedule()
  }

  /** Resolves when nothing is queued and nothing waits for the disk. */
  async drained(): Promise<void> {
    if (this.#queue.length === 0 && !this.#syncing) return
    await new Promise<void>((resolve) => {
      this.#idle.push(resolve)
    })
  }

  #schedule(): void {
    if (this.#scheduled || this.#syncing) return
    this.#scheduled = true
    // After all sockets that are readable now have been read: the group is then as large as it can be without waiting.
    setImmediate(() => {
      this.#scheduled = false
      this.#flush()
    })
  }

  #flush(): void {
    const group = this.#queue
    if (group.length === 0) return this.#settle()
    this.#queue = []
    const { journal } = this.#options
    const firstId = this.#nextId
    try {
      journal.rotate()
      journal.append(this.#encode(group, firstId))
    } catch (error) {
      this.#refuse(group, error)
      return
    }
    this.#nextId += group.length
    this.#syncing = true
    journal.sync((error) => {
      this.#syncing = false
      if (error) this.#refuse(group, error)
      else this.#answer(group, firstId)
      if (this.#queue.length > 0) this.#flush()
      else this.#settle()
    })
  }

  #encode(group: readonly Pending[], firstId: number): Uint8Array {
    const texts = group.map(({ meta }, index) => {
      meta[0] = firstId + index
      return JSON.stringify(meta)
    })
    let bound = 0
    for (const [index, { headers, trailers, arrived }] of group.entries()) {
      bound += deliverySizeBound(texts[index] ?? '', headers, trailers, arrived.body)
    }
    const buffer = bound <= arenaBytes ? this.#arena : Buffer.allocUnsafe(bound)
    let at = 0
    for (const [index, { headers, trailers, arrived }] of group.entries()) {
      at = writeDelivery(buffer, at, texts[index] ?? '', headers, trailers, arrived.body)
    }
    return buffer.subarray(0, at)
  }

  #answer(group: readonly Pending[], firstId: number): void {
    const lost: number[] = []
    for (const [index, { arrived }] of group.entries()) {
      if (!answer(arrived, arrived.status)) lost.push(firstId + index)
    }
    const lastId = firstId + group.length - 1
    const { journal } = this.#options
    const record = { from: firstId, to: lastId, atUs: nowUs(), lost }
    const buffer = Buffer.allocUnsafe(recordHead + 128 + lost.length * 17)
    try {
      journal.append(buffer.subarray(0, writeAnswers(buffer, 0, record)))
      this.#report(null)
    } catch (error) {
      // The deliveries are safe; only when they were answered is not known.
      this.#report(error)
    }
    this.#options.published(journal.position, lastId)
  }

  #refuse(group: readonly Pending[], error: unknown): void {
    this.#report(error)
    for (const { arrived } of group) {
      if (arrived.status !== null) answer(arrived, 503)
    }
    this.#settle()
  }

  #report(error: unknown): void {
    if (error === null && !this.#failing) return
    this.#failing = error !== null
    this.#options.failing(
      error === null ? null : error instanceof Error ? error.message : 'unknown reason',
    )
  }

  #settle(): void {
    if (this.#queue.length > 0 || this.#syncing) return
    const waiting = this.#idle
    this.#idle = []
    for (const resolve of waiting) resolve()
  }
}
