import { Option } from '@commander-js/extra-typings'
import { AppError } from '#engine/platform/errors.ts'
import { action, defineCommand, type ExitCode } from '../command-line/command.ts'
import { dataFolder } from '../command-line/globals.ts'
import { integer, time } from '../command-line/values.ts'
import { filterOf } from '../command-line/filter-option.ts'
import { follow, printDeliveryHeader } from '../session/follow.ts'
import { onInterrupt } from '../command-line/io.ts'
import { printMessage } from '../output/output.ts'
import { joinRunning, type Session } from '../session/session.ts'

export const command = defineCommand(
  'tail',
  'Follow the deliveries of a running Tabscope, as listen prints them',
  [
    ['In another terminal than Tabscope', 'tail'],
    ['Only new deliveries with an invalid signature', "tail -n 0 --filter 'verdict:invalid'"],
    ['Those of the last hour first, as JSON', 'tail --since 1h --json'],
  ],
)
  .option('--filter <filter>', 'Only deliveries that match this filter')
  .addOption(
    new Option('-n, --lines <count>', 'Number of the newest deliveries to print first')
      .argParser(integer('--lines', 0, 500))
      .default(10)
      .conflicts('since'),
  )
  .option('--since <time>', 'Print first what was received since, such as 2h', time('--since'))
  // As people type it for other programs.
  .addOption(new Option('-f, --follow', 'Follow, as always').hideHelp())
  .action(
    action(async ({ filter: given, lines, since }): Promise<ExitCode> => {
      const term = since === undefined ? [] : [`since:${new Date(since).toISOString()}`]
      const own = filterOf(given).trim()
      const filter = [...(own === '' ? [] : [`(${own})`]), ...term].join(' ')
      const folder = dataFolder()
      await using session = await joinRunning(folder)
      if (!session) {
        throw new AppError(
          'listener_down',
          `Tabscope is not running on ${folder}. To start it: tabscope listen`,
        )
      }
      const stop = Promise.withResolvers<'stopped'>()
      const offInterrupt = onInterrupt(() => stop.resolve('stopped'))
      printDeliveryHeader()
      const after = since === undefined ? await beforeNewest(session, filter, lines) : 0
      await follow(session, { after, filter })
      if ((await Promise.race([stop.promise, session.gone])) === undefined) {
        printMessage('Tabscope has stopped.')
      }
      offInterrupt()
      return 0
    }),
  )

async function beforeNewest(session: Session, filter: string, count: number): Promise<number> {
  const { newestId } = await session.call('deliveries.stored', {})
  while (count > 0) {
    const input = { filter, upTo: newestId, offset: 0, limit: count }
    const { rows, complete } = await session.call('deliveries.page', input)
    if (complete || rows.length === count) return (rows.at(-1)?.id ?? newestId + 1) - 1
  }
  return newestId
}
