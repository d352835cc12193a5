import { existsSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import type { DeliverySummary } from '#contract/models.ts'
import { AppError } from '#engine/errors.ts'
import { storePath } from '#engine/store/data-folder.ts'
import { deliveryEvent, deliveryLine } from '../delivery-line.ts'
import { filterOf } from '../filter-option.ts'
import { failing } from '../in-session.ts'
import { folderOf, parse, wholeNumber } from '../options.ts'
import { say, writeJson, writeLine } from '../output.ts'
import { joinRunning, openSession, type Session } from '../session.ts'
import { counted } from '../text.ts'
import { durationOf, timeOf } from '../time-option.ts'
import { untilIndexed } from '../until-indexed.ts'

const longestTimeoutMs = 24 * 3_600_000
/** How often to look for a running Tabscope while there is none, in milliseconds. */
const lookEveryMs = 100
const pageSize = 500

/**
 * `wait [--filter F] [--count N] [--timeout 30s] [--since TIME]`: prints deliveries that match until there are `count` of them. Does not hold
 * the data folder while it waits, so that `listen` can be started after it. 0 when they arrived, 1 when not, 130 after Ctrl+C.
 */
export async function wait(args: string[]): Promise<number> {
  const { values } = parse(args, {
    filter: { type: 'string' },
    count: { type: 'string' },
    timeout: { type: 'string' },
    since: { type: 'string' },
  })
  const folder = folderOf(values)
  const filter = filterOf(values.filter)
  const count = wholeNumber('count', values.count, 1, 1_000_000) ?? 1
  const timeout = values.timeout ?? '30s'
  const timeoutMs = durationOf('timeout', timeout, longestTimeoutMs)
  const given = timeOf('since', values.since, Date.now())
  // Without --since from the start of this process: what arrives while it loads counts.
  const since = new Date(given ?? performance.timeOrigin).toISOString()
  const matches = new Matches(
    filter === '' ? `since:${since}` : `(${filter}) since:${since}`,
    count,
    (row) => (values.json ? writeJson(deliveryEvent(row)) : writeLine(deliveryLine(row))),
  )
  return failing(values.json, async () => {
    const end = new End(timeoutMs)
    await using session = await joinRunning(folder)
    if (session) await matches.follow(session, end)
    else {
      if (given !== null && existsSync(storePath(folder))) await lookOnce(folder, matches)
      if (!matches.complete) say(`Waiting for Tabscope to run on ${folder}.`)
    }
    while (!matches.complete && !end.reached) {
      await Promise.race([pause(lookEveryMs), end.promise])
      await using next = await joinRunning(folder)
      if (next) await matches.follow(next, end)
    }
    end.clear()
    if (matches.complete) return 0
    if (end.interrupted) return 130
    const message = `Only ${matches.count} of ${counted(count, 'delivery', 'deliveries')} matched within ${timeout}.`
    if (values.json) writeJson({ event: 'failed', code: 'timeout', message })
    say(message)
    return 1
  })
}

/** Looks through what is stored while no Tabscope runs. */
async function lookOnce(folder: string, matches: Matches): Promise<void> {
  await using session = await openSession(folder)
  await untilIndexed(session)
  await matches.look(session)
}

/** The end of the wait: the timeout, or Ctrl+C. */
class End {
  readonly promise: Promise<void>
  reached = false
  interrupted = false
  readonly #timer: NodeJS.Timeout
  readonly #stop: () => void

  constructor(timeoutMs: number) {
    const { promise, resolve } = Promise.withResolvers<void>()
    this.promise = promise
    const finish = (interrupted: boolean): void => {
      this.reached = true
      this.interrupted ||= interrupted
      resolve()
    }
    this.#stop = () => finish(true)
    this.#timer = setTimeout(() => finish(false), timeoutMs)
    process.once('SIGINT', this.#stop).once('SIGTERM', this.#stop)
  }

  clear(): void {
    clearTimeout(this.#timer)
    process.off('SIGINT', this.#stop).off('SIGTERM', this.#stop)
  }
}

/** The deliveries that match so far, each printed once. */
class Matches {
  readonly #filter: string
  readonly #wanted: number
  readonly #print: (row: DeliverySummary) => void
  readonly #seen = new Set<number>()
  /** The id up to which was looked. */
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

  /** Looks through all that is stored and was not looked at yet, oldest first. */
  async look(session: Session): Promise<void> {
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
        this.#print(row)
      }
      // Set back meanwhile: look again from there.
      if (this.#upTo !== after) continue
      if (upTo <= after) return
      this.#upTo = upTo
    }
  }

  /** Looks at what arrives until there are enough, `end` is reached or the engine of the session ends. */
  async follow(session: Session, end: End): Promise<void> {
    const gone = session.gone.then(() => 'gone' as const)
    let changed = Promise.withResolvers<void>()
    const lookFrom = (ids: readonly number[]): void => {
      // A delivery may match later than it arrives: by its tags, or by what was sent of it.
      this.#upTo = Math.min(this.#upTo, ...ids.map((id) => id - 1))
      changed.resolve()
    }
    const unlisten = [
      session.on('deliveries.arrived', () => changed.resolve()),
      session.on('deliveries.indexed', () => changed.resolve()),
      session.on('deliveries.changed', ({ rows }) => lookFrom(rows.map(({ id }) => id))),
      session.on('attempts.made', ({ rows }) =>
        lookFrom(rows.flatMap(({ deliveryId }) => deliveryId ?? [])),
      ),
    ]
    try {
      while (!this.complete && !end.reached) {
        changed = Promise.withResolvers()
        await this.look(session)
        if (this.complete) return
        if ((await Promise.race([changed.promise, end.promise, gone])) === 'gone') return
      }
      if (end.interrupted) return
      await untilIndexed(session)
      this.#upTo = 0
      await this.look(session)
    } catch (error) {
      // The engine has ended: another one may follow.
      if (!(error instanceof AppError && error.code === 'connection_lost')) throw error
    } finally {
      for (const stop of unlisten) stop()
    }
  }
}
