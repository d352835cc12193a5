import type { AttemptSummary } from '#contract/sending.ts'
import type { Progress } from '../capture/progress.ts'
import { systemClock, type Clock } from '../platform/clock.ts'
import type { SendWrites } from './store/send-writes.ts'
import type { SettledItem } from './store/attempt-rows.ts'
import type { AttemptFields } from './store/attempt-rows.ts'
import type { ThreadClient } from '../platform/rpc.ts'
import { mayPass } from './store-trouble.ts'
import { delay } from '#shared/async/retry.ts'
import { throttle, type Throttle } from '#shared/async/throttle.ts'
import { packGroup, unpackRow } from './store/packed-group.ts'
import type { Recorder } from './parts.ts'

/** One write has at most so many attempts, and so many bytes of bodies: the writer is never long away from what arrives. */
const groupCount = 500
const groupBytes = 8 * 1024 * 1024
/** After a failed write the next try comes this much later, in milliseconds. */
const retryMs = 500
/** Attempts that are ahead of the store look so often whether it has come to them, in milliseconds. */
const heldMs = 5
/** What was stored is told so often, in milliseconds, and at most so many of it: more cannot be seen. */
const madeEveryMs = 100
const madeRows = 100
/** At the end this long is waited for a store that takes nothing, in milliseconds. */
const lastMs = 5000

interface Entry {
  readonly what: { readonly attempt: AttemptFields } | { readonly item: SettledItem }
  /** Whoever recorded it asks for its summary. */
  readonly asked: boolean
  readonly bytes: number
  readonly done: Promise<AttemptSummary | null>
  readonly resolve: (summary: AttemptSummary | null) => void
  readonly reject: (error: unknown) => void
}

/** Writes attempts in groups, behind one another, each once its delivery is in the store. `made` hears of those that were stored. */
export function createRecorder(
  writes: Pick<ThreadClient<SendWrites>, 'call'>,
  progress: Pick<Progress, 'storedId'>,
  made: (rows: AttemptSummary[]) => void,
  clock: Clock = systemClock,
): Recorder {
  return new GroupingRecorder(writes, progress, made, clock)
}

class GroupingRecorder implements Recorder {
  readonly #writes: Pick<ThreadClient<SendWrites>, 'call'>
  readonly #progress: Pick<Progress, 'storedId'>
  readonly #clock: Clock
  readonly #telling: Throttle
  /** In the order in which they are written. */
  #ready: Entry[] = []
  /** Of deliveries that the store does not have yet. */
  #held: Entry[] = []
  #writing = false
  /** So many are written one by one, since one of them cannot be: the others are not to suffer. */
  #alone = 0
  #looking = false
  #untold: AttemptSummary[] = []
  /** The wait for the next try, while the store cannot be written. */
  readonly #ending = new AbortController()
  #givenUp = false

  constructor(
    writes: Pick<ThreadClient<SendWrites>, 'call'>,
    progress: Pick<Progress, 'storedId'>,
    made: (rows: AttemptSummary[]) => void,
    clock: Clock,
  ) {
    this.#writes = writes
    this.#progress = progress
    this.#clock = clock
    this.#telling = throttle(clock, madeEveryMs, () => {
      const rows = this.#untold
      this.#untold = []
      made(rows)
    })
  }

  record(attempt: AttemptFields): Promise<AttemptSummary | null> {
    return this.#take(attempt, true)
  }

  note(attempt: AttemptFields): Promise<unknown> {
    return this.#take(attempt, false)
  }

  async settle(item: SettledItem): Promise<void> {
    const entry = entryOf({ item }, false, 100)
    this.#add(entry)
    await entry.done
  }

  async flush(): Promise<void> {
    await Promise.allSettled([...this.#ready, ...this.#held].map(({ done }) => done))
  }

  async close(): Promise<void> {
    const callOff = this.#clock.after(lastMs, () => this.#giveUp())
    await this.flush()
    callOff()
    this.#telling.flush()
  }

  #take(attempt: AttemptFields, asked: boolean): Promise<AttemptSummary | null> {
    const { requestBody, answerBody } = attempt
    const bytes = 1000 + (requestBody?.byteLength ?? 0) + (answerBody?.byteLength ?? 0)
    const entry = entryOf({ attempt: withCompact(attempt) }, asked, bytes)
    if (this.#isAhead(entry)) this.#hold(entry)
    else this.#add(entry)
    return entry.done
  }

  #add(entry: Entry): void {
    // One of the same delivery may have been held: it goes first.
    this.#release()
    this.#ready.push(entry)
    if (!this.#writing) void this.#write()
  }

  #hold(entry: Entry): void {
    this.#held.push(entry)
    this.#look()
  }

  #look(): void {
    if (this.#looking || this.#held.length === 0) return
    this.#looking = true
    this.#clock.after(heldMs, () => {
      this.#looking = false
      this.#release()
      this.#look()
    })
  }

  #isAhead({ what }: Entry): boolean {
    return 'attempt' in what && (what.attempt.deliveryId ?? 0) > this.#progress.storedId
  }

  #release(): void {
    if (this.#held.length === 0) return
    const ahead = this.#held.filter((entry) => this.#isAhead(entry))
    if (ahead.length === this.#held.length) return
    this.#ready.push(...this.#held.filter((entry) => !ahead.includes(entry)))
    this.#held = ahead
    if (!this.#writing) void this.#write()
  }

  /** What is being written stays in `#ready` until the store has it: nothing is lost by a write that fails. */
  async #write(): Promise<void> {
    this.#writing = true
    while (this.#ready.length > 0) {
      const group = firstGroup(this.#ready, this.#alone > 0 ? 1 : groupCount)
      this.#alone = Math.max(0, this.#alone - 1)
      const attempts = group.flatMap(({ what }) => ('attempt' in what ? [what.attempt] : []))
      const settled = group.flatMap(({ what }) => ('item' in what ? [what.item] : []))
      try {
        const packed = await this.#writes.call('recordPacked', packGroup({ attempts, settled }))
        this.#ready.splice(0, group.length)
        const untold = attempts.length - madeRows
        const rows: (AttemptSummary | null)[] = []
        let next = 0
        for (const { what, asked, resolve } of group) {
          if ('item' in what) resolve(null)
          else {
            const row = asked || next >= untold ? unpackRow(what.attempt, packed, next) : null
            if (next >= untold) rows.push(row)
            next += 1
            resolve(row)
          }
        }
        this.#tell(rows)
      } catch (error) {
        if (this.#givenUp) this.#refuse(error)
        else if (mayPass(error)) await delay(this.#clock, retryMs, this.#ending.signal)
        else if (group.length > 1) this.#alone = group.length
        else this.#drop(error)
      }
    }
    this.#writing = false
  }

  #tell(rows: readonly (AttemptSummary | null)[]): void {
    this.#untold.push(...rows.filter((row) => row !== null))
    if (this.#untold.length === 0) return
    if (this.#untold.length > madeRows) this.#untold = this.#untold.slice(-madeRows)
    this.#telling.wanted()
  }

  #drop(error: unknown): void {
    const [first] = this.#ready.splice(0, 1)
    first?.reject(error)
  }

  #giveUp(): void {
    this.#givenUp = true
    this.#ending.abort()
    if (!this.#writing) this.#refuse(new Error('The store has not come to its delivery.'))
  }

  #refuse(error: unknown): void {
    const entries = [...this.#ready, ...this.#held]
    this.#ready = []
    this.#held = []
    for (const { reject } of entries) reject(error)
  }
}

function entryOf(what: Entry['what'], asked: boolean, bytes: number): Entry {
  const { promise, resolve, reject } = Promise.withResolvers<AttemptSummary | null>()
  // Whoever records need not wait for it.
  promise.catch(() => undefined)
  return { what, asked, bytes, done: promise, resolve, reject }
}

function firstGroup(entries: readonly Entry[], most: number): readonly Entry[] {
  let bytes = 0
  let count = 0
  for (const entry of entries.slice(0, most)) {
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

/** A part of a larger buffer would be sent to the other thread with all of it. */
function compact(body: Uint8Array | null): Uint8Array | null {
  return body && body.buffer.byteLength > body.byteLength ? new Uint8Array(body) : body
}
