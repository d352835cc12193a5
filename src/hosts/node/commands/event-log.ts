import type { EventLog } from '#contract/logs.ts'
import { AppError } from '#engine/platform/errors.ts'
import { action, group, defineCommand } from '../command-line/command.ts'
import { withSession } from '../in-session.ts'
import { eventLogText, stateText } from '../log-text.ts'
import { print, printDetails, printMessage } from '../output.ts'
import type { Session } from '../session.ts'
import { printTable } from '../table.ts'
import { formatTime } from '../text.ts'

const list = defineCommand('list', 'List imported event logs, newest import first', [
  ['List all imported event logs', 'event-log list'],
  ['Their IDs only', 'event-log list --quiet'],
]).action(
  action(() =>
    withSession('read', async (session) => {
      const { logs } = await session.call('logs.list', {})
      if (logs.length === 0) printMessage('No event logs. To import one: tabscope import FILE')
      printTable(
        'event_log',
        logs,
        [
          { title: 'ID', value: ({ id }) => String(id), align: 'right' },
          { title: 'Deliveries', value: ({ deliveries }) => String(deliveries), align: 'right' },
          { title: 'Imported', value: ({ importedAt }) => formatTime(importedAt) },
          { title: 'State', value: ({ state }) => stateText(state) },
          {
            title: 'Redacted',
            value: ({ redacted }) => (redacted === null ? 'unknown' : redacted ? 'yes' : 'no'),
          },
          { title: 'Name', value: ({ name }) => name },
        ],
        (log) => log,
      )
    }),
  ),
)

const show = defineCommand('show', 'Show an imported event log, and what is missing from it', [
  ['By ID', 'event-log show 3'],
  ['By file name', 'event-log show friday.tabscope'],
])
  .argument('<log>', 'ID or name of an imported event log')
  .action(
    action((log) =>
      withSession('read', async (session) => {
        const found = await logNamed(session, log)
        printDetails('event_log', found, () => eventLogText(found))
      }),
    ),
  )

const remove = defineCommand('remove', 'Remove an imported event log; the original file is kept', [
  ['By ID', 'event-log remove 3'],
  ['By file name', 'event-log rm friday.tabscope'],
])
  .argument('<log>', 'ID or name of an imported event log')
  .action(
    action((log) =>
      withSession('change', async (session) => {
        const { id } = await logNamed(session, log)
        await session.call('logs.remove', { id })
        print('removed', { kind: 'event_log', id }, () => `Removed event log ${id}.`)
      }),
    ),
  )

const formats = defineCommand('formats', 'List the formats that export writes and import reads', [
  ['List the formats', 'event-log formats'],
  ['As JSON', 'event-log formats --json'],
]).action(
  action(async () => {
    const { logFormatViews } = await import('#engine/event-logs/formats.ts')
    printTable(
      'format',
      logFormatViews(),
      [
        { title: 'Format', value: ({ id }) => id },
        { title: 'Extension', value: ({ extension }) => `.${extension}` },
        { title: 'Description', value: ({ label, description }) => `${label}: ${description}` },
      ],
      (format) => format,
    )
  }),
)

export const command = group('event-log', 'List, show and remove imported event logs', [
  list,
  show,
  remove,
  formats,
])

/** By its ID or its name. Throws `not_found`. */
async function logNamed(session: Session, word: string): Promise<EventLog> {
  const { logs } = await session.call('logs.list', {})
  const log = logs.find(({ id, name }) => String(id) === word || name === word)
  if (log) return log
  const names = logs.map(({ id }) => id).join(', ') || 'none'
  throw new AppError('not_found', `Event log "${word}" does not exist. Available: ${names}.`)
}
