import { existsSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import { Option } from '@commander-js/extra-typings'
import type { DeliverySummary } from '#contract/models.ts'
import { formatLimit, plural } from '#shared/text/format.ts'
import { AppError } from '#engine/platform/errors.ts'
import { action, defineCommand, type ExitCode } from '../command-line/command.ts'
import { dataFolder } from '../command-line/globals.ts'
import { duration, integer } from '../command-line/values.ts'
import { deliveryPrinter } from '../delivery-line.ts'
import { Interrupted, printMessage } from '../output.ts'
import { selectionOf, withSelection } from '../selection.ts'
import { joinRunning, openSession, type Session } from '../session.ts'
import { untilIndexed } from '../until-indexed.ts'
import { io, onInterrupt } from '../io.ts'

const pollMs = 100
const pageSize = 500

// Does not lock the data folder while it waits, so that `listen` can be started afterwards.
export const command = withSelection(
  defineCommand('wait', 'Wait for deliveries that match, and print them', [
    ['The next order', 'wait --type ORDER_PLACED'],
    [
      'Two deliveries with an invalid signature, including the last minute',
      'wait --verdict invalid --count 2 --since 1m --timeout 5m',
    ],
    [
      'For a test: start it in the background before the test sends anything',
      "wait --filter 'target:tab-1' --json",
    ],
  ]),
)
  .option(
    '--count <count>',
    'Number of deliveries to wait for',
    integer('--count', 1, 1_000_000),
    1,
  )
  .addOption(
    new Option('--timeout <duration>', 'Fail after this time')
      .argParser(duration('--timeout', { to: 24 * 3_600_000 }))
      .default(30_000, '30s'),
  )
  .action(
    action(async ({ count, timeout, since, ...selection }): Promise<ExitCode> => {
      const folder = dataFolder()
      // Default: since the start of this process, so that deliveries received while it loads count.
      const filter = await selectionOf({
        ...selection,
        since: since ?? Date.now() - io.uptime() * 1000,
      })
      const matches = new Matches(filter, count, await deliveryPrinter())
      const end = new End(timeout)
      await using session = await joinRunning(folder)
      if (session) await matches.follow(session, end)
      else {
        if (since !== undefined) await checkStored(folder, matches)
        if (!matches.complete) printMessage(`Waiting for Tabscope to start on ${folder}.`)
      }
      while (!matches.complete && !end.reached) {
        await Promise.race([pause(pollMs), end.promise])
        await using next = await joinRunning(folder)
        if (next) await matches.follow(next, end)
      }
      end.clear()
      if (matches.complete) return 0
      if (end.interrupted) throw new Interrupted()
      throw new AppError(
        'timeout',
        `Only ${matches.count} of ${plural(count, 'delivery', 'deliveries')} matched within ${formatLimit(timeout)}.`,
      )
    }),
  )

async function checkStored(folder: string, matches: Matches): Promise<void> {
  const { storePath } = await import('#engine/store/data-folder.ts')
  if (!existsSync(storePath(folder))) return
  await using session = await openSession(folder)
  await untilIndexed(session)
  await matches.checkNew(session)
}

/** The timeout, or Ctrl+C. */
class End {
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
async function diagnosed(session: Session, row: DeliverySummary): Promise<DeliverySummary> {
  await session.call('deliveries.diagnose', { id: row.id })
  const [stored] = await session.call('deliveries.since', { after: row.id - 1, limit: 1 })
  return stored?.id === row.id ? stored : row
}

class Matches {
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
  async checkNew(session: Session): Promise<void> {
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
  async follow(session: Session, end: End): Promise<void> {
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
