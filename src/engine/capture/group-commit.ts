import { inspect } from './inspect.ts'
import { answer, canAnswer } from './answer.ts'
import { nowUs, type Arrived } from './arrived.ts'
import {
  answersSizeBound,
  deliverySizeBound,
  writeAnswers,
  writeDelivery,
  type AnswersRecord,
  type DeliveryMeta,
} from './journal-format.ts'
import type { JournalWriter } from './journal-writer.ts'

/** Kept between groups; a group that needs more gets a buffer of its own, which is then let go. */
const arenaBytes = 1024 * 1024

export interface GroupCommitOptions {
  readonly journal: JournalWriter
  readonly firstId: number
  /** Everything up to this logical position and id is durable, and its answers are on their way. */
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

interface Group {
  readonly pending: readonly Pending[]
  readonly firstId: number
}

/**
 * All that arrived while the disk was busy goes to the journal as one group: one write, one sync, then the answers. The sync runs
 * on another thread, while this one answers the group before and reads the next. Nothing is answered before it is durable.
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
      if (!this.#syncing && this.#queue.length > 0) this.#write(null)
      this.#settle()
    })
  }

  /**
   * Writes what is queued behind the answers of the group before, in one go, and has it synced. Returns the logical position behind
   * those answers.
   */
  #write(answers: AnswersRecord | null): number {
    const { journal } = this.#options
    const group: Group = { pending: this.#queue, firstId: this.#nextId }
    this.#queue = []
    let end = journal.position
    try {
      journal.rotate()
      const { bytes, answersEnd } = this.#encode(answers, group)
      journal.append(bytes)
      end += answersEnd
      this.#report(null)
    } catch (error) {
      // The group before is safe all the same; only when it was answered is not known.
      this.#refuse(group, error)
      return end
    }
    if (group.pending.length === 0) return end
    this.#nextId += group.pending.length
    this.#syncing = true
    journal.sync((error) => {
      this.#syncing = false
      if (error) {
        this.#refuse(group, error)
        if (this.#queue.length > 0) this.#schedule()
      } else {
        this.#synced(group)
      }
      this.#settle()
    })
    return end
  }

  /** The next group goes to the disk before this one is answered: so the disk is never waited for without need. */
  #synced({ pending, firstId }: Group): void {
    const lost = pending.flatMap(({ arrived }, index) =>
      canAnswer(arrived) ? [] : [firstId + index],
    )
    const to = firstId + pending.length - 1
    const end = this.#write({ from: firstId, to, atUs: nowUs(), lost })
    this.#options.published(end, to)
    for (const { arrived } of pending) answer(arrived, arrived.status)
  }

  #encode(
    answers: AnswersRecord | null,
    { pending, firstId }: Group,
  ): { bytes: Uint8Array; answersEnd: number } {
    const texts = pending.map(({ meta }, index) => {
      meta[0] = firstId + index
      return JSON.stringify(meta)
    })
    let bound = answers ? answersSizeBound(answers) : 0
    for (const [index, { headers, trailers, arrived }] of pending.entries()) {
      bound += deliverySizeBound(texts[index] ?? '', headers, trailers, arrived.body)
    }
    const buffer = bound <= arenaBytes ? this.#arena : Buffer.allocUnsafe(bound)
    const answersEnd = answers ? writeAnswers(buffer, 0, answers) : 0
    let at = answersEnd
    for (const [index, { headers, trailers, arrived }] of pending.entries()) {
      at = writeDelivery(buffer, at, texts[index] ?? '', headers, trailers, arrived.body)
    }
    return { bytes: buffer.subarray(0, at), answersEnd }
  }

  #refuse({ pending }: Group, error: unknown): void {
    this.#report(error)
    for (const { arrived } of pending) answer(arrived, arrived.status === null ? null : 503)
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
