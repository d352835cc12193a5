import { sendStatus, canRespond } from './send-response.ts'
import { type ReceivedRequest, heldBytes, nowUs } from './received-request.ts'
import { inspect, type Inspection } from './inspect.ts'
import type { FindingData } from '#contract/models.ts'
import { FindingLists, toTuples } from '../platform/finding-lists.ts'
import {
  type AnsweredRecord,
  answeredSizeBound,
  type AnswersRecord,
  answersSizeBound,
  type DeliveryMeta,
  deliverySizeBound,
  type EncodedFindings,
  encodeMeta,
  writeAnswered,
  writeAnswers,
  writeDelivery,
} from './journal-format.ts'
import type { HeldMemory } from './request-reader.ts'
import type { JournalWriter } from './journal-writer.ts'
import type { Plan } from './respond/rules.ts'
import { reasonOf } from '../platform/storage-failure.ts'

interface GroupRecords {
  readonly late: readonly AnsweredRecord[]
  readonly answers: AnswersRecord | null
  readonly pending: readonly Pending[]
  readonly firstId: number
}

const arena = Buffer.allocUnsafe(1024 * 1024)

/**
 * Encodes all records, the first for the logical position `position`. Returns the bytes, valid until the next call, and the offset after the answers
 * record. `lists`: where in the current segment lists of findings are.
 */
function encodeGroup(
  { late, answers, pending, firstId }: GroupRecords,
  position: number,
  lists: FindingLists<number>,
): { bytes: Uint8Array; answersEnd: number } {
  let buffer = arena
  let at = 0
  const reserve = (bytes: number): void => {
    if (at + bytes <= buffer.byteLength) return
    const larger = Buffer.allocUnsafe(Math.max(at + bytes, buffer.byteLength * 2))
    buffer.copy(larger, 0, 0, at)
    buffer = larger
  }
  for (const record of late) {
    reserve(answeredSizeBound(record))
    at = writeAnswered(buffer, at, record)
  }
  if (answers) {
    reserve(answersSizeBound(answers))
    at = writeAnswers(buffer, at, answers)
  }
  const answersEnd = at
  for (const [index, { meta, headers, trailers, received }] of pending.entries()) {
    meta[0] = firstId + index
    const text = encodeMeta(meta, encodeFindings(meta[19], position + at, lists))
    reserve(deliverySizeBound(text, headers, trailers, received.body))
    at = writeDelivery(buffer, at, text, headers, trailers, received.body)
  }
  return { bytes: buffer.subarray(0, at), answersEnd }
}

/** If an earlier record of the segment has a list like this, only the differences are encoded. */
function encodeFindings(
  findings: readonly FindingData[],
  position: number,
  lists: FindingLists<number>,
): EncodedFindings {
  if (findings.length === 0) return []
  const known = lists.find(findings)
  if (known) return { like: known.at, but: known.differences }
  lists.add(findings, position)
  return toTuples(findings)
}

const probeEveryMs = 1000

/** After this time without deliveries, a segment of at least this size is closed, so that it can be deleted once it is stored. */
const idleMs = 2000
const idleSegmentBytes = 1024 * 1024

const delayCheckMs = 5

/** Decides on responses other than the default one. */
export interface Planner {
  /** `type` is null if the delivery has none. Returns null for the default status. */
  plan(request: ReceivedRequest, type: string | null): Plan | null
  /** Responds to the delivery, which is on disk under this ID, now or later. */
  execute(plan: Plan, request: ReceivedRequest, id: number): void
}

export interface GroupCommitOptions {
  readonly journal: JournalWriter
  readonly firstId: number
  /** Includes requests that wait for the disk, so that a slow disk does not exhaust memory. */
  readonly held: HeldMemory
  readonly planner: Planner
  /** Whether the store is so far behind that the next group must be delayed. `heldBytes`: memory of the requests that wait. */
  readonly delays: (heldBytes: number) => boolean
  /** Everything up to this logical position and ID is durable, and its responses are being sent. */
  readonly published: (position: number, lastId: number) => void
  /** Null: the journal is writable again. */
  readonly failing: (reason: string | null) => void
}

interface Group {
  readonly pending: readonly Pending[]
  readonly firstId: number
}

/**
 * Writes all requests received while the disk was busy as one group: one write, one sync, then the responses. The sync runs on another thread while
 * this one responds to the previous group and reads the next. No response is sent before its delivery is durable.
 */
export class GroupCommit {
  readonly #options: GroupCommitOptions
  #nextId: number
  #queue: Pending[] = []
  #scheduled = false
  #syncing = false
  #failing: string | null = null
  #probing: NodeJS.Timeout | null = null
  #delayed: NodeJS.Timeout | null = null
  #draining = false
  #idling: NodeJS.Timeout | null = null
  #late: AnsweredRecord[] = []
  #queuedBefore = 0
  /** A group of this many requests is written even if more arrive in each turn. */
  #fullGroup = 1
  #idle: (() => void)[] = []
  readonly #lists = new FindingLists<number>()

  constructor(options: GroupCommitOptions) {
    this.#options = options
    this.#nextId = options.firstId
  }

  add(received: ReceivedRequest, fallbackBrand: string): void {
    const inspection = inspect(received, received.endpoint, fallbackBrand)
    const plan = this.#options.planner.plan(received, inspection.type)
    this.#options.held.bytes += costOf(received)
    this.#queue.push(pendingOf(received, inspection, plan, fallbackBrand))
    this.#schedule()
  }

  /** The record of a late response need not be synced, because the delivery is. */
  addLate(answered: AnsweredRecord): void {
    this.#late.push(answered)
    this.#schedule()
  }

  /** Resolves when the queue is empty and nothing is being written or synced. No group is delayed from now on. */
  async drained(): Promise<void> {
    this.#draining = true
    if (this.#idling) clearTimeout(this.#idling)
    if (this.#isSettled()) return
    await new Promise<void>((resolve) => {
      this.#idle.push(resolve)
    })
  }

  #schedule(): void {
    if (this.#scheduled || this.#syncing) return
    this.#scheduled = true
    this.#queuedBefore = 0
    setImmediate(this.#turn)
  }

  /**
   * Runs after all currently readable sockets were read. The group grows while each turn of the event loop brings more requests, because a write and a
   * sync cost nearly the same for any size. It ends with a turn without new requests, so that none waits without need, or at half of the requests in
   * progress: the others are read during the sync.
   */
  readonly #turn = (): void => {
    const { length } = this.#queue
    if (length > this.#queuedBefore && length < this.#fullGroup) {
      this.#queuedBefore = length
      setImmediate(this.#turn)
      return
    }
    this.#scheduled = false
    const pending = this.#takeQueue()
    if (pending.length > 0) this.#write(null, pending)
    else if (this.#late.length > 0) this.#writeLate()
    this.#settle()
  }

  #scheduleLater(): void {
    if (this.#delayed) return
    this.#delayed = setTimeout(() => {
      this.#delayed = null
      this.#schedule()
    }, delayCheckMs)
  }

  /** Returns nothing while the group is delayed, and checks again later. */
  #takeQueue(): readonly Pending[] {
    const queue = this.#queue
    if (queue.length === 0) return queue
    if (!this.#draining && this.#options.delays(this.#options.held.bytes)) {
      this.#scheduleLater()
      return []
    }
    this.#queue = []
    return queue
  }

  /** Writes late responses and the next requests, whose sync it starts. Returns the logical position after those responses. */
  #write(answers: AnswersRecord | null, pending: readonly Pending[]): number {
    const { journal } = this.#options
    const group: Group = { pending, firstId: this.#nextId }
    const late = this.#late
    this.#late = []
    let end = journal.position
    try {
      // Records refer to lists of findings in the same segment only.
      if (journal.rotate()) this.#lists.clear()
      const records = { late, answers, ...group }
      const { bytes, answersEnd } = encodeGroup(records, journal.position, this.#lists)
      journal.append(bytes)
      end += answersEnd
    } catch (error) {
      this.#lists.clear()
      // The previous group is durable; only the time of its responses is lost.
      this.#reject(group, error)
      return end
    }
    if (group.pending.length === 0) return end
    this.#nextId += group.pending.length
    this.#syncing = true
    journal.sync((error) => {
      this.#syncing = false
      if (error) {
        // These requests are rejected, so their records must not be read as received deliveries.
        journal.discardAfter(end)
        this.#lists.clear()
        this.#nextId = group.firstId
        this.#reject(group, error)
        if (!this.#isSettled()) this.#schedule()
      } else {
        this.#report(null)
        this.#synced(group)
      }
      this.#settle()
    })
    return end
  }

  /** No sync is in progress, so the whole journal may be read. */
  #writeLate(): void {
    const end = this.#write(null, [])
    this.#options.published(end, this.#nextId - 1)
  }

  /** Records the responses to a group, which needs no sync, and sends them. */
  #synced({ pending, firstId }: Group): void {
    this.#release(pending)
    const lost = pending.flatMap(({ received, plan }, index) =>
      plan?.status !== null && canRespond(received) ? [] : [firstId + index],
    )
    const to = firstId + pending.length - 1
    this.#fullGroup = (pending.length + this.#queue.length) / 2
    const end = this.#write({ from: firstId, to, atUs: nowUs(), lost }, [])
    // Published first, so that a sender that gets its response can read the delivery.
    this.#options.published(end, to)
    for (const [index, { received, plan }] of pending.entries()) {
      if (plan === null) sendStatus(received.channel, received.status)
      else this.#options.planner.execute(plan, received, firstId + index)
    }
    if (!this.#isSettled()) this.#schedule()
  }

  #reject({ pending }: Group, error: unknown): void {
    this.#release(pending)
    this.#report(error)
    for (const { received } of pending) reject(received)
  }

  #release(pending: readonly Pending[]): void {
    for (const { received } of pending) this.#options.held.bytes -= costOf(received)
  }

  #report(error: unknown): void {
    const reason = error === null ? null : reasonOf(error)
    if (reason !== null) this.#probeLater()
    if (reason === this.#failing) return
    this.#failing = reason
    this.#options.failing(reason)
  }

  /** Probes the journal: rejected senders may not retry for hours, and the warning should end before that. */
  #probeLater(): void {
    if (this.#probing) return
    this.#probing = setTimeout(() => {
      this.#probing = null
      if (this.#failing === null) return
      // A sync in progress reports its own result.
      if (this.#syncing) return this.#probeLater()
      try {
        this.#options.journal.probe()
        this.#report(null)
      } catch (error) {
        this.#report(error)
      }
    }, probeEveryMs).unref()
  }

  #rotateWhenIdle(): void {
    if (this.#idling !== null || this.#draining) return
    const { journal } = this.#options
    const { position } = journal
    this.#idling = setTimeout(() => {
      this.#idling = null
      if (!this.#isSettled() || journal.position !== position) return this.#rotateWhenIdle()
      try {
        if (journal.rotate(idleSegmentBytes)) this.#lists.clear()
      } catch {
        // The next group reports why the journal is not writable.
      }
    }, idleMs).unref()
  }

  #settle(): void {
    if (!this.#isSettled()) return
    this.#rotateWhenIdle()
    const waiting = this.#idle
    this.#idle = []
    for (const resolve of waiting) resolve()
  }

  #isSettled(): boolean {
    return this.#queue.length === 0 && this.#late.length === 0 && !this.#syncing
  }
}

/** A request that was rejected to free memory no longer counts; otherwise the next one would be rejected, too. */
function costOf({ rawHeaders, body, status }: ReceivedRequest): number {
  return status === 503 ? 0 : heldBytes(rawHeaders, body.byteLength)
}

/** Responds with 503, regardless of response rules, so that the sender retries. */
function reject({ channel, status }: ReceivedRequest): void {
  if (channel.kind !== 'none') channel.connection.dropping = false
  sendStatus(channel, status === null ? null : 503)
}

interface Pending {
  readonly received: ReceivedRequest
  /** Null: the default status. */
  readonly plan: Plan | null
  readonly meta: DeliveryMeta
  readonly headers: string
  readonly trailers: string
}

/** The ID in `meta` is 0 until it is written. */
function pendingOf(
  received: ReceivedRequest,
  inspection: Inspection,
  plan: Plan | null,
  fallbackBrand: string,
): Pending {
  const { endpoint, own, via } = received
  const meta: DeliveryMeta = [
    0,
    received.receivedUs,
    received.method,
    received.path,
    received.httpVersion,
    received.remoteAddress,
    endpoint?.id ?? null,
    endpoint?.name ?? null,
    endpoint?.brand ?? fallbackBrand,
    received.arrival,
    plan ? plan.reason : received.reason,
    received.bytes,
    plan ? plan.status : received.status,
    inspection.type,
    inspection.target,
    inspection.locationName,
    inspection.createdAt,
    inspection.verdict,
    inspection.secretName,
    inspection.findings,
  ]
  const answeredBy = plan?.answeredBy ?? null
  if (plan && plan.matched.length > 0) {
    const applied = plan.action.kind === 'rule' ? plan.action.counted.rule.id : null
    meta.push(own, answeredBy, via, { met: plan.matched, applied })
  } else if (via !== null) meta.push(own, answeredBy, via)
  else if (own !== null || answeredBy !== null) meta.push(own, answeredBy)
  return {
    received,
    plan,
    meta,
    headers: received.rawHeaders.join('\n'),
    trailers: received.rawTrailers.join('\n'),
  }
}
