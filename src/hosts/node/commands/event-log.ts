import { action, defineCommand, group } from '../command-line/command.ts'
import { declare, removed } from '../command-line/declaration.ts'
import { withSession } from '../session/in-session.ts'
import { eventLogText, importedLog, stateText } from '../session/log-option.ts'
import { printDetails } from '../output/output.ts'
import { printList } from '../output/table.ts'
import { formatTime } from '../output/text.ts'

const which = 'ID or name of an imported event log'

const list = declare('list', {
  does: 'List imported event logs, newest import first',
  examples: [
    ['List all imported event logs', 'event-log list'],
    ['Their IDs only', 'event-log list --quiet'],
  ],
  call: 'logs.list',
  access: 'read',
  print: ({ logs }) =>
    printList(
      'event_log',
      logs,
      {
        ID: ({ id }) => id,
        Deliveries: ({ deliveries }) => deliveries,
        Imported: ({ importedAt }) => formatTime(importedAt),
        State: ({ state }) => stateText(state),
        Redacted: ({ redacted }) => (redacted === null ? 'unknown' : redacted ? 'yes' : 'no'),
        Name: ({ name }) => name,
      },
      'No event logs. To import one: tabscope import FILE',
    ),
})

const show = defineCommand('show', 'Show an imported event log, and what is missing from it', [
  ['By ID', 'event-log show 3'],
  ['By file name', 'event-log show friday.tabscope'],
])
  .argument('<log>', which)
  .action(
    action((word) =>
      withSession('read', async (session) => {
        const log = await importedLog(session, word)
        printDetails('event_log', log, () => eventLogText(log))
      }),
    ),
  )

const remove = declare('remove', {
  does: 'Remove an imported event log; the original file is kept',
  examples: [
    ['By ID', 'event-log remove 3'],
    ['By file name', 'event-log rm friday.tabscope'],
  ],
  call: 'logs.remove',
  usage: '<log>',
  descriptions: { id: which },
  names: 'event_log',
  print: removed('event_log'),
})

const formats = defineCommand('formats', 'List the formats that export writes and import reads', [
  ['List the formats', 'event-log formats'],
]).action(
  action(async () => {
    const { logFormatViews } = await import('#engine/event-logs/formats.ts')
    printList('format', logFormatViews(), {
      Format: ({ id }) => id,
      Extension: ({ extension }) => `.${extension}`,
      Description: ({ label, description }) => `${label}: ${description}`,
    })
  }),
)

export const command = group('event-log', 'List, show and remove imported event logs', [
  list,
  show,
  remove,
  formats,
])
