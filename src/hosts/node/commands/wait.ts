import { existsSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import { Option } from '@commander-js/extra-typings'
import { formatLimit, plural } from '#shared/text/format.ts'
import { AppError } from '#engine/platform/errors.ts'
import { action, defineCommand, type ExitCode } from '../command-line/command.ts'
import { dataFolder } from '../command-line/globals.ts'
import { duration, integer } from '../command-line/values.ts'
import { deliveryPrinter } from '../output/delivery-line.ts'
import { Interrupted, printMessage } from '../output/output.ts'
import { selectionOf, withSelection } from '../session/selection.ts'
import { End, Matches } from '../session/matches.ts'
import { joinRunning, openSession } from '../session/session.ts'
import { io } from '../command-line/io.ts'
import { untilIndexed } from '../session/delivery-ids.ts'

const pollMs = 100

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
  const { storePath } = await import('#engine/platform/store/data-folder.ts')
  if (!existsSync(storePath(folder))) return
  await using session = await openSession(folder)
  await untilIndexed(session)
  await matches.checkNew(session)
}
