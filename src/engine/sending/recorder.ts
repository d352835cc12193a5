import type { AttemptSummary } from '#contract/sending.ts'
import { systemClock, type Clock } from '../platform/clock.ts'
import type { SendWrites, Skip } from './messages.ts'
import type { SettledItem, AttemptFields } from './store/attempt-rows.ts'
import type { ThreadClient } from '../platform/rpc.ts'
import { isTemporaryStoreError } from './store/send-writes.ts'
import { delay } from '#shared/async/retry.ts'
import { throttle, type Throttle } from '#shared/async/throttle.ts'
import { handledLater } from '#shared/async/handled-later.ts'

/** For one write, so that the writer returns quickly to new deliveries. */
const groupCount = 500
const groupBytes = 8 * 1024 * 1024
/**
 * While at least `least` attempts end during one write, they are collected for up to `ms` or until there are `max`: a transaction of a few takes as
 * long as one of dozens. An attempt whose caller waits for it is not delayed.
 */
const collection = { least: 8, max: 100, ms: 5 } as const
const retryMs = 500
/** Beyond this, skips are not recorded. */
const maxWaiting = 10_000
/** At most this many stored attempts are published at a time, since a page shows no more. */
const publishEveryMs = 100
const publishedRows = 100
const closeMs = 5000

interface Entry {
  readonly what:
    | { readonly attempt: AttemptFields }
    | { readonly item: SettledItem }
    | { readonly skip: Skip }
  readonly needsSummary: boolean
  readonly bytes: number
  readonly done: Promise<AttemptSummary | null>
  readonly resolve: (summary: AttemptSummary | null) => void
  readonly reject: (error: unknown) => void
}

/** Writes attempts in groups, in order. */
export class Recorder {
  readonly #writes: Pick<ThreadClient<SendWrites>, 'call'>
  readonly #clock: Clock
  readonly #publishing: Throttle
  #ready: Entry[] = []
  #writing = false
  /** How many entries to write one by one, because one of them cannot be written. */
  #alone = 0
  #endCollection: (() => void) | null = null
  #unpublished: AttemptSummary[] = []
  readonly #ending = new AbortController()
  #closed = false

  /** `published` is called with those that were stored. */
  constructor(
    writes: Pick<ThreadClient<SendWrites>, 'call'>,
    published: (rows: AttemptSummary[]) => void,
    clock: Clock = systemClock,
  ) {
    this.#writes = writes
    this.#clock = clock
    this.#publishing = throttle(clock, publishEveryMs, () => {
      const rows = this.#unpublished
      this.#unpublished = []
      published(rows)
    })
  }

  /** Resolves to the stored summary, or null if the delivery was deleted. */
  record(attempt: AttemptFields): Promise<AttemptSummary | null> {
    return this.#take(attempt, true)
  }

  /** Like `record`, without the summary, which would cost as much as the rest. */
  note(attempt: AttemptFields): Promise<unknown> {
    return this.#take(attempt, false)
  }

  async settle(item: SettledItem): Promise<void> {
    const entry = entryOf({ item }, false, 100)
    this.#add(entry)
    await entry.done
  }

  /** Dropped while many are waiting for a store that cannot be written. */
  skip(skip: Skip): void {
    if (this.#ready.length >= maxWaiting) return
    // The writer reports why it cannot be stored.
    this.#add(entryOf({ skip }, false, 1000))
  }

  /** Resolves when everything is stored. Gives up after a few seconds, and rejects the rest. */
  async close(): Promise<void> {
    const cancelTimer = this.#clock.after(closeMs, () => this.#abandon())
    this.#endCollection?.()
    await Promise.allSettled(this.#ready.map(({ done }) => done))
    cancelTimer()
    this.#publishing.flush()
  }

  #take(attempt: AttemptFields, needsSummary: boolean): Promise<AttemptSummary | null> {
    const { requestBody, answerBody } = attempt
    const bytes = 1000 + (requestBody?.byteLength ?? 0) + (answerBody?.byteLength ?? 0)
    const entry = entryOf({ attempt: withCompact(attempt) }, needsSummary, bytes)
    this.#add(entry)
    return entry.done
  }

  #add(entry: Entry): void {
    this.#ready.push(entry)
    this.#proceed()
  }

  #proceed(): void {
    if (!this.#writing) void this.#write()
    else if (this.#endCollection && this.#isDue()) this.#endCollection()
  }

  #isDue(): boolean {
    const { length } = this.#ready
    return (
      length < collection.least ||
      length >= collection.max ||
      this.#ready.some(({ needsSummary }) => needsSummary)
    )
  }

  async #collect(): Promise<void> {
    if (this.#isDue()) return
    await new Promise<void>((resolve) => {
      const cancelTimer = this.#clock.after(collection.ms, () => this.#endCollection?.())
      this.#endCollection = () => {
        cancelTimer()
        this.#endCollection = null
        resolve()
      }
    })
  }

  /** Entries stay in `#ready` until they are stored, so that a failed write loses nothing. */
  async #write(): Promise<void> {
    this.#writing = true
    while (this.#ready.length > 0) {
      const group = firstGroup(this.#ready, this.#alone > 0 ? 1 : groupCount)
      this.#alone = Math.max(0, this.#alone - 1)
      const attempts = group.flatMap(({ what }) => ('attempt' in what ? [what.attempt] : []))
      const settled = group.flatMap(({ what }) => ('item' in what ? [what.item] : []))
      const skips = group.flatMap(({ what }) => ('skip' in what ? [what.skip] : []))
      try {
        const rows = await this.#writes.call('record', { attempts, settled, skips })
        this.#ready.splice(0, group.length)
        let next = 0
        for (const { what, resolve } of group) {
          resolve('attempt' in what ? (rows[next++] ?? null) : null)
        }
        this.#publish(rows)
        await this.#collect()
      } catch (error) {
        if (this.#closed) this.#rejectAll(error)
        else if (isTemporaryStoreError(error))
          await delay(this.#clock, retryMs, this.#ending.signal)
        else if (group.length > 1) this.#alone = group.length
        else this.#drop(error)
      }
    }
    this.#writing = false
  }

  #publish(rows: readonly (AttemptSummary | null)[]): void {
    this.#unpublished.push(...rows.filter((row) => row !== null))
    if (this.#unpublished.length === 0) return
    if (this.#unpublished.length > publishedRows)
      this.#unpublished = this.#unpublished.slice(-publishedRows)
    this.#publishing.wanted()
  }

  #drop(error: unknown): void {
    const [first] = this.#ready.splice(0, 1)
    first?.reject(error)
  }

  #abandon(): void {
    this.#closed = true
    this.#ending.abort()
    if (!this.#writing) this.#rejectAll(new Error('The delivery of the attempt was not stored.'))
  }

  #rejectAll(error: unknown): void {
    const entries = this.#ready
    this.#ready = []
    for (const { reject } of entries) reject(error)
  }
}

function entryOf(what: Entry['what'], needsSummary: boolean, bytes: number): Entry {
  const { promise, resolve, reject } = Promise.withResolvers<AttemptSummary | null>()
  handledLater(promise)
  return { what, needsSummary, bytes, done: promise, resolve, reject }
}

function firstGroup(entries: readonly Entry[], limit: number): readonly Entry[] {
  let bytes = 0
  let count = 0
  for (const entry of entries.slice(0, limit)) {
    bytes += entry.bytes
    if (count > 0 && bytes > groupBytes) break
    count += 1
  }
  return entries.slice(0, count)
}

function withCompact(attempt: AttemptFields): AttemptFields {
  const requestBody = compact(attempt.requestBody)
  const answerBody = compact(attempt.answerBody)
  if (requestBody === attempt.requestBody && answerBody === attempt.answerBody) return attempt
  return { ...attempt, requestBody, answerBody }
}

/** Copies a view of a larger buffer, which would otherwise be sent to the other thread as a whole. */
function compact(body: Uint8Array | null): Uint8Array | null {
  return body && body.buffer.byteLength > body.byteLength ? new Uint8Array(body) : body
}
