import { answer, canAnswer } from './answer.ts'
import { type ReceivedRequest, heldBytes, nowUs } from './received-request.ts'
import { inspect, type Inspection } from './inspect.ts'
import {
  type AnsweredRecord,
  answeredSizeBound,
  type AnswersRecord,
  answersSizeBound,
  type DeliveryMeta,
  deliverySizeBound,
  writeAnswered,
  writeAnswers,
  writeDelivery,
} from './journal-format.ts'
import type { HeldMemory } from './request-reader.ts'
import type { JournalWriter } from './journal-writer.ts'
import type { Plan } from './respond/rules.ts'
import { reasonOf } from '../platform/storage-failure.ts'

/** What goes to the journal in one write. */
interface GroupRecords {
  /** Late answers to deliveries of earlier groups. */
  readonly late: readonly AnsweredRecord[]
  /** Of the group before; null: there is none that is answered now. */
  readonly answers: AnswersRecord | null
  readonly pending: readonly Pending[]
  readonly firstId: number
}

/** Kept between groups; a group that needs more gets a buffer of its own, which is then let go. */
const arenaBytes = 1024 * 1024
const arena = Buffer.allocUnsafe(arenaBytes)

/** The bytes of all of it, and where the answers end in them. They hold until the next call. */
function encodeGroup({ late, answers, pending, firstId }: GroupRecords): {
  bytes: Uint8Array
  answersEnd: number
} {
  const texts = pending.map(({ meta }, index) => {
    meta[0] = firstId + index
    return JSON.stringify(meta)
  })
  let bound = answers ? answersSizeBound(answers) : 0
  for (const record of late) bound += answeredSizeBound(record)
  for (const [index, { headers, trailers, arrived }] of pending.entries()) {
    bound += deliverySizeBound(texts[index] ?? '', headers, trailers, arrived.body)
  }
  const buffer = bound <= arenaBytes ? arena : Buffer.allocUnsafe(bound)
  let at = 0
  for (const record of late) at = writeAnswered(buffer, at, record)
  if (answers) at = writeAnswers(buffer, at, answers)
  const answersEnd = at
  for (const [index, { headers, trailers, arrived }] of pending.entries()) {
    at = writeDelivery(buffer, at, texts[index] ?? '', headers, trailers, arrived.body)
  }
  return { bytes: buffer.subarray(0, at), answersEnd }
}

/** While the journal cannot be written, it is tried again so far apart, in milliseconds: deliveries may stay away meanwhile. */
const probeEveryMs = 1000

/** Who decides about answers that are not the usual one. */
export interface Planner {
  /** How a delivery of this type (null: it has none) is answered; null: with its usual status. */
  plan(arrived: ReceivedRequest, type: string | null): Plan | null
  /** The delivery is on the disk, under this id: answers, or sees to it that it is answered. */
  carryOut(plan: Plan, arrived: ReceivedRequest, id: number): void
}

export interface GroupCommitOptions {
  readonly journal: JournalWriter
  readonly firstId: number
  /** What waits for the disk counts as held: a slow disk must not fill the memory. */
  readonly held: HeldMemory
  readonly planner: Planner
  /** Everything up to this logical position and id is durable, and its answers are on their way. */
  readonly published: (position: number, lastId: number) => void
  /** The journal cannot be written (null: it can again). */
  readonly failing: (reason: string | null) => void
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
  #failing: string | null = null
  #probing: NodeJS.Timeout | null = null
  #late: AnsweredRecord[] = []
  #idle: (() => void)[] = []

  constructor(options: GroupCommitOptions) {
    this.#options = options
    this.#nextId = options.firstId
  }

  /** Inspects, and queues for the next group. */
  add(arrived: ReceivedRequest, fallbackBrand: string): void {
    const inspection = inspect(arrived, arrived.endpoint, fallbackBrand)
    const plan = this.#options.planner.plan(arrived, inspection.type)
    this.#options.held.bytes += costOf(arrived)
    this.#queue.push(pendingOf(arrived, inspection, plan, fallbackBrand))
    this.#schedule()
  }

  /** Notes an answer that went out after its group, with the next write. It need not be on the disk: the delivery is. */
  late(answered: AnsweredRecord): void {
    this.#late.push(answered)
    this.#schedule()
  }

  /** Resolves when nothing is queued and nothing waits for the disk. */
  async drained(): Promise<void> {
    if (this.#isSettled()) return
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
      else if (!this.#syncing && this.#late.length > 0) this.#writeLate()
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
    const late = this.#late
    this.#late = []
    let end = journal.position
    try {
      journal.rotate()
      const { bytes, answersEnd } = encodeGroup({ late, answers, ...group })
      journal.append(bytes)
      end += answersEnd
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
        // They are refused: what of them is in the journal must not come back as received.
        journal.takeBack(end)
        this.#nextId = group.firstId
        this.#refuse(group, error)
        if (!this.#isSettled()) this.#schedule()
      } else {
        this.#report(null)
        this.#synced(group)
      }
      this.#settle()
    })
    return end
  }

  /** Late answers alone. No sync is under way, so that all that is in the journal may be read up to its end. */
  #writeLate(): void {
    const end = this.#write(null)
    this.#options.published(end, this.#nextId - 1)
  }

  /** The next group goes to the disk before this one is answered: so the disk is never waited for without need. */
  #synced({ pending, firstId }: Group): void {
    this.#letGo(pending)
    const lost = pending.flatMap(({ arrived, plan }, index) =>
      plan?.status !== null && canAnswer(arrived) ? [] : [firstId + index],
    )
    const to = firstId + pending.length - 1
    const end = this.#write({ from: firstId, to, atUs: nowUs(), lost })
    this.#options.published(end, to)
    for (const [index, { arrived, plan }] of pending.entries()) {
      if (plan === null) answer(arrived.answerer, arrived.status)
      else this.#options.planner.carryOut(plan, arrived, firstId + index)
    }
  }

  #refuse({ pending }: Group, error: unknown): void {
    this.#letGo(pending)
    this.#report(error)
    for (const { arrived } of pending) refuse(arrived)
  }

  #letGo(pending: readonly Pending[]): void {
    for (const { arrived } of pending) this.#options.held.bytes -= costOf(arrived)
  }

  #report(error: unknown): void {
    const reason = error === null ? null : reasonOf(error)
    if (reason !== null) this.#probeLater()
    if (reason === this.#failing) return
    this.#failing = reason
    this.#options.failing(reason)
  }

  /** Senders that were refused may not come again for hours: the warning must not stay as long. */
  #probeLater(): void {
    if (this.#probing) return
    this.#probing = setTimeout(() => {
      this.#probing = null
      if (this.#failing === null) return
      // A sync that is under way says itself how it went.
      if (this.#syncing) return this.#probeLater()
      try {
        this.#options.journal.probe()
        this.#report(null)
      } catch (error) {
        this.#report(error)
      }
    }, probeEveryMs).unref()
  }

  #settle(): void {
    if (!this.#isSettled()) return
    const waiting = this.#idle
    this.#idle = []
    for (const resolve of waiting) resolve()
  }

  #isSettled(): boolean {
    return this.#queue.length === 0 && this.#late.length === 0 && !this.#syncing
  }
}

/** One that was refused to free memory no longer counts, or it would force out the next. */
function costOf({ rawHeaders, body, status }: ReceivedRequest): number {
  return status === 503 ? 0 : heldBytes(rawHeaders, body.byteLength)
}

/** What could not be kept is to be sent again, whatever a response rule says. */
function refuse({ answerer, status }: ReceivedRequest): void {
  if (answerer.kind !== 'none') answerer.connection.dropping = false
  answer(answerer, status === null ? null : 503)
}

/** One inspected request on its way into the journal: the text parts, ready to be written. */
interface Pending {
  readonly arrived: ReceivedRequest
  /** Null: it gets its usual status. */
  readonly plan: Plan | null
  readonly meta: DeliveryMeta
  readonly headers: string
  readonly trailers: string
}

/** Its id is 0 until it is written. */
function pendingOf(
  arrived: ReceivedRequest,
  inspection: Inspection,
  plan: Plan | null,
  fallbackBrand: string,
): Pending {
  const { endpoint, own, via } = arrived
  const meta: DeliveryMeta = [
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
    plan ? plan.reason : arrived.reason,
    arrived.bytes,
    plan ? plan.status : arrived.status,
    inspection.type,
    inspection.target,
    inspection.locationName,
    inspection.createdAt,
    inspection.verdict,
    inspection.secretName,
    inspection.findings,
  ]
  const answeredBy = plan?.answeredBy ?? null
  if (plan && plan.met.length > 0) {
    const applied = plan.how.kind === 'rule' ? plan.how.counted.rule.id : null
    meta.push(own, answeredBy, via, { met: plan.met, applied })
  } else if (via !== null) meta.push(own, answeredBy, via)
  else if (own !== null || answeredBy !== null) meta.push(own, answeredBy)
  return {
    arrived,
    plan,
    meta,
    headers: arrived.rawHeaders.join('\n'),
    trailers: arrived.rawTrailers.join('\n'),
  }
}
