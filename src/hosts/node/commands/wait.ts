import { existsSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import { Option } from '@commander-js/extra-typings'
import { AppError } from '#engine/errors.ts'
import { exits, leaf, type ExitCode } from '../command-line/command.ts'
import { dataFolder } from '../command-line/globals.ts'
import { duration, integer } from '../command-line/values.ts'
import { deliveryLine, deliveryOutput } from '../delivery-line.ts'
import { Interrupted, print, say } from '../output.ts'
import { selectionOf, withSelection } from '../selection.ts'
import { joinRunning, openSession, type Session } from '../session.ts'
import { counted } from '../text.ts'
import { untilIndexed } from '../until-indexed.ts'

/** How often to look for a running Tabscope while there is none, in milliseconds. */
const lookEveryMs = 100
const pageSize = 500

// Does not hold the data folder while it waits, so that `listen` can be started after it.
export const command = withSelection(
  leaf('wait', 'Wait for deliveries that match, and print them', [
    ['The next order', 'wait --type ORDER_PLACED'],
    [
      'Two with a wrong signature, also those of the last minute',
      'wait --verdict invalid --count 2 --since 1m --timeout 5m',
    ],
    [
      'Of a test, in the background, before it sends anything',
      "wait --filter 'target:tab-1' --json",
    ],
  ]),
)
  .option('--count <count>', 'How many must match', integer('--count', 1, 1_000_000), 1)
  .addOption(
    new Option('--timeout <duration>', 'Fail after this time, such as 30s or 5m')
      .argParser(duration('--timeout', { to: 24 * 3_600_000 }))
      .default(30_000, '30s'),
  )
  .action(
    exits(async ({ count, timeout, since, ...selection }): Promise<ExitCode> => {
      const folder = dataFolder()
      // Without --since from the start of this process: what is received while it loads counts.
      const filter = await selectionOf({ ...selection, since: since ?? performance.timeOrigin })
      const matches = new Matches(filter, count)
      const end = new End(timeout)
      await using session = await joinRunning(folder)
      if (session) await matches.follow(session, end)
      else {
        if (since !== undefined) await lookOnce(folder, matches)
        if (!matches.complete) say(`Waiting for Tabscope to run on ${folder}.`)
      }
      while (!matches.complete && !end.reached) {
        await Promise.race([pause(lookEveryMs), end.promise])
        await using next = await joinRunning(folder)
        if (next) await matches.follow(next, end)
      }
      end.clear()
      if (matches.complete) return 0
      if (end.interrupted) throw new Interrupted()
      throw new AppError(
        'timeout',
        `Only ${matches.count} of ${counted(count, 'delivery', 'deliveries')} matched within ${timeout / 1000} s.`,
      )
    }),
  )

/** Looks through what is stored while no Tabscope runs. */
async function lookOnce(folder: string, matches: Matches): Promise<void> {
  const { storePath } = await import('#engine/store/data-folder.ts')
  if (!existsSync(storePath(folder))) return
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
  readonly #seen = new Set<number>()
  /** The id up to which was looked. */
  #upTo = 0

  constructor(filter: string, wanted: number) {
    this.#filter = filter
    this.#wanted = wanted
  }

  get count(): number {
    return this.#seen.size
  }

  get complete(): boolean {
    return this.count >= this.#wanted
  }

  /** Looks through all that is stored and not looked at yet, oldest first. */
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
        print(deliveryOutput(row), () => deliveryLine(row))
      }
      // Set back meanwhile: look again from there.
      if (this.#upTo !== after) continue
      if (upTo <= after) return
      this.#upTo = upTo
    }
  }

  /** Looks at what is received until there are enough, `end` is reached or the engine of the session ends. */
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
