import type { DeliverySummary } from '#contract/models.ts'
import { AppError } from '#engine/platform/errors.ts'
import { onInterrupt } from '../command-line/io.ts'
import type { Session } from './session.ts'
import { untilIndexed } from './delivery-ids.ts'

const pageSize = 500

export class End {
  readonly promise: Promise<void>
  reached = false
  interrupted = false
  readonly #timer: NodeJS.Timeout
  readonly #offInterrupt: () => void

  constructor(timeoutMs: number) {
    const { promise, resolve } = Promise.withResolvers<void>()
    this.promise = promise
    const finish = (interrupted: boolean): void => {
      this.reached = true
      this.interrupted ||= interrupted
      resolve()
    }
    this.#timer = setTimeout(() => finish(false), timeoutMs)
    this.#offInterrupt = onInterrupt(() => finish(true))
  }

  clear(): void {
    clearTimeout(this.#timer)
    this.#offInterrupt()
  }
}

/** Otherwise the command would end before the cause is known. */
export async function diagnosed(
  session: Pick<Session, 'call'>,
  row: DeliverySummary,
): Promise<DeliverySummary> {
  await session.call('deliveries.diagnose', { id: row.id })
  const [stored] = await session.call('deliveries.since', { after: row.id - 1, limit: 1 })
  return stored?.id === row.id ? stored : row
}

type Followed = Pick<Session, 'call' | 'on' | 'gone'>

/** Deliveries that match a filter, which `print` gets, until there are enough. */
export class Matches {
  readonly #filter: string
  readonly #wanted: number
  readonly #print: (row: DeliverySummary) => void
  readonly #seen = new Set<number>()
  #upTo = 0

  constructor(filter: string, wanted: number, print: (row: DeliverySummary) => void) {
    this.#filter = filter
    this.#wanted = wanted
    this.#print = print
  }

  get count(): number {
    return this.#seen.size
  }

  get complete(): boolean {
    return this.count >= this.#wanted
  }

  /** Oldest first. */
  async checkNew(session: Pick<Session, 'call'>): Promise<void> {
    while (!this.complete) {
      const after = this.#upTo
      const { rows, upTo } = await session.call('deliveries.newer', {
        filter: this.#filter,
        after,
        limit: pageSize,
      })
      for (const row of rows) {
        if (this.complete) return
        if (this.#seen.has(row.id)) continue
        this.#seen.add(row.id)
        this.#print(row.causes === null ? await diagnosed(session, row) : row)
      }
      // Another delivery has changed meanwhile: continue from there.
      if (this.#upTo !== after) continue
      if (upTo <= after) return
      this.#upTo = upTo
    }
  }

  /** Until enough match, `end` is reached or the engine of the session closes. */
  async follow(session: Followed, end: End): Promise<void> {
    const gone = session.gone.then(() => 'gone' as const)
    let changed = Promise.withResolvers<void>()
    const recheckFrom = (ids: readonly number[]): void => {
      // A delivery may match only after its arrival, when it is tagged or sent.
      this.#upTo = Math.min(this.#upTo, ...ids.map((id) => id - 1))
      changed.resolve()
    }
    const unlisten = [
      session.on('deliveries.arrived', () => changed.resolve()),
      session.on('deliveries.indexed', () => changed.resolve()),
      session.on('deliveries.changed', ({ rows }) => recheckFrom(rows.map(({ id }) => id))),
      session.on('attempts.made', ({ rows }) =>
        recheckFrom(rows.flatMap(({ deliveryId }) => deliveryId ?? [])),
      ),
    ]
    try {
      while (!this.complete && !end.reached) {
        changed = Promise.withResolvers()
        await this.checkNew(session)
        if (this.complete) return
        if ((await Promise.race([changed.promise, end.promise, gone])) === 'gone') return
      }
      if (end.interrupted) return
      await untilIndexed(session)
      this.#upTo = 0
      await this.checkNew(session)
    } catch (error) {
      // The engine has closed; another one may start.
      if (!(error instanceof AppError && error.code === 'connection_lost')) throw error
    } finally {
      for (const stop of unlisten) stop()
    }
  }
}
