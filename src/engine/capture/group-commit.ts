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

/** The records of one write to the journal. */
interface GroupRecords {
  /** Late responses to deliveries of earlier groups. */
  readonly late: readonly AnsweredRecord[]
  /** Responses to the previous group; null: there is none. */
  readonly answers: AnswersRecord | null
  readonly pending: readonly Pending[]
  readonly firstId: number
}

/** Reused between groups; a larger group gets a temporary buffer. */
const arena = Buffer.allocUnsafe(1024 * 1024)

/**
 * Encodes all records, of which the first will be at the logical position `position`. Returns the bytes, valid until the next call, and the offset
 * after the answers record. `lists`: where in the current segment lists of findings are.
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

/** Encodes the findings of the record at `position`: if an earlier record of the segment has a list like this, only the differences. */
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

/** Interval for retrying while the journal is not writable, in milliseconds. */
const probeEveryMs = 1000

/** After this time without deliveries, a segment of this size is closed, so that it can be deleted once it is stored. In milliseconds and bytes. */
const idleMs = 2000
const idleSegmentBytes = 1024 * 1024

/** How often a delayed group is checked, in milliseconds. */
const delayCheckMs = 5

/** Decides on responses other than the default one. */
export interface Planner {
  /** Returns how to respond to a delivery of this type (null: it has none); null: with its default status. */
  plan(request: ReceivedRequest, type: string | null): Plan | null
  /** Responds to the delivery, which is on disk under this ID, or ensures that it gets its response later. */
  execute(plan: Plan, request: ReceivedRequest, id: number): void
}

export interface GroupCommitOptions {
  readonly journal: JournalWriter
  readonly firstId: number
  /** Requests that wait for the disk count as held memory, so that a slow disk does not exhaust it. */
  readonly held: HeldMemory
  readonly planner: Planner
  /** Whether to delay the next group, because the store is too far behind. `heldBytes`: memory of the requests that wait. */
  readonly delays: (heldBytes: number) => boolean
  /** Everything up to this logical position and ID is durable, and its responses are being sent. */
  readonly published: (position: number, lastId: number) => void
  /** The journal is not writable; null: it is writable again. */
  readonly failing: (reason: string | null) => void
}

interface Group {
  readonly pending: readonly Pending[]
  readonly firstId: number
}

/**
 * Writes all requests received while the disk was busy to the journal as one group: one write, one sync, then the responses. The sync runs on
 * another thread while this one responds to the previous group and reads the next. No response is sent before its delivery is durable. While the
 * store is too far behind, the next group is delayed, and with it its responses.
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
  /** Length of the queue in the previous turn of the event loop. */
  #queuedBefore = 0
  /** Number of requests from which a group is written even if more arrive in each turn. */
  #fullGroup = 1
  #idle: (() => void)[] = []
  /** Logical positions of lists of findings in the current segment. */
  readonly #lists = new FindingLists<number>()

  constructor(options: GroupCommitOptions) {
    this.#options = options
    this.#nextId = options.firstId
  }

  /** Inspects a request and queues it for the next group. */
  add(received: ReceivedRequest, fallbackBrand: string): void {
    const inspection = inspect(received, received.endpoint, fallbackBrand)
    const plan = this.#options.planner.plan(received, inspection.type)
    this.#options.held.bytes += costOf(received)
    this.#queue.push(pendingOf(received, inspection, plan, fallbackBrand))
    this.#schedule()
  }

  /** Records, with the next write, a response that was sent after its group. It need not be synced, because the delivery is. */
  addLate(answered: AnsweredRecord): void {
    this.#late.push(answered)
    this.#schedule()
  }

  /** Resolves when the queue is empty and no write or sync is in progress. Delays no group from now on. */
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
   * Runs after all currently readable sockets were read. While each turn of the event loop brings more requests, the group grows, because the cost of a
   * write and a sync hardly depends on its size. A turn without new requests ends this, so that no request waits without need, or half of the requests in
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

  /** Empties the queue for the next group. Returns nothing while it is delayed, and checks it again later. */
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

  /** Writes responses to earlier groups, and the requests of the next one, whose sync it starts. Returns the logical position after those responses. */
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
        // They are rejected, so their records in the journal must not be read as received deliveries.
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

  /** Writes late responses only. No sync is in progress, so the whole journal may be read. */
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
    // Before the responses: whoever gets one can read the delivery.
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

  /** Checks the journal periodically: rejected senders may not retry for hours, and the warning should end before that. */
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

  /** Closes the segment if nothing is received for some time. */
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

/** Rejects a delivery that could not be stored with 503, regardless of response rules, so that the sender retries. */
function reject({ channel, status }: ReceivedRequest): void {
  if (channel.kind !== 'none') channel.connection.dropping = false
  sendStatus(channel, status === null ? null : 503)
}

/** An inspected request that is queued for the journal, with its text parts encoded. */
interface Pending {
  readonly received: ReceivedRequest
  /** Null: it gets its default status. */
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
  if (plan && plan.met.length > 0) {
    const applied = plan.action.kind === 'rule' ? plan.action.counted.rule.id : null
    meta.push(own, answeredBy, via, { met: plan.met, applied })
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
