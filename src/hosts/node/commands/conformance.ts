import type { FindingKind, TypeConformance } from '#contract/deliveries.ts'
import { action, defineCommand } from '../command-line/command.ts'
import { globals } from '../command-line/globals.ts'
import { time } from '../command-line/values.ts'
import { logDescription, withLog } from '../log-option.ts'
import { printMessage, writeJson, writeLine } from '../output.ts'
import { Table, type Column } from '../table.ts'
import { formatTime } from '../text.ts'

const styles = { error: 'red', warning: 'yellow', info: 'gray' } as const

export const command = defineCommand('conformance', 'Count deliveries and findings by event type', [
  ['All deliveries', 'conformance'],
  ["Today's deliveries, as JSON", 'conformance --since today --json'],
  ['Deliveries of an event log', 'conformance --log friday.tabscope'],
])
  .option(
    '--since <time>',
    'Only deliveries received since, such as 2h or tuesday',
    time('--since'),
  )
  .option('--before <time>', 'Only deliveries received before', time('--before'))
  .option('--log <log>', logDescription)
  .action(
    action(({ since = null, before = null, log: word }) =>
      withLog(word, async (session, log) => {
        const { types } = await session.call('deliveries.conformance', { log, since, before })
        if (globals.json) {
          const found = await session.call('deliveries.fields', { log })
          for (const each of types) {
            const { payloads = 0, fields = [] } =
              found.types.find(({ type }) => type === each.type) ?? {}
            writeJson('conformance', { ...each, payloads, fields })
          }
          for (const each of found.notices) writeJson('notice', each)
        } else if (types.length === 0) {
          printMessage('No deliveries in this period. To list all: tabscope delivery list')
        } else if (globals.quiet) {
          for (const each of types) writeLine(typeText(each))
        } else {
          writeLine(typesText(types))
          const findings = types.flatMap(({ type, findings: found }) =>
            found.map((each) => ({ ...each, type })),
          )
          if (findings.length > 0) writeLine(`\n${findingsText(findings)}`)
        }
      }),
    ),
  )

interface Span {
  readonly firstId: number
  readonly firstAt: number
  readonly lastId: number
  readonly lastAt: number
}

function typeText({ type }: { readonly type: string | null }): string {
  return type ?? 'no type'
}

function countText({ count }: { readonly count: number }): string {
  return String(count)
}

const spanColumns: readonly Column<Span>[] = [
  { title: 'First', value: ({ firstAt }) => formatTime(firstAt), style: () => 'gray' },
  { title: 'ID', value: ({ firstId }) => String(firstId), align: 'right' },
  { title: 'Last', value: ({ lastAt }) => formatTime(lastAt), style: () => 'gray' },
  { title: 'ID', value: ({ lastId }) => String(lastId), align: 'right' },
]

function typesText(types: readonly TypeConformance[]): string {
  return tableText(
    new Table(
      [
        { title: 'Type', value: typeText, style: () => 'bold' },
        { title: 'Deliveries', value: countText, align: 'right' },
        ...spanColumns,
      ],
      types,
    ),
    types,
  )
}

type TypedFinding = FindingKind & Pick<TypeConformance, 'type'>

function findingsText(findings: readonly TypedFinding[]): string {
  return tableText(
    new Table(
      [
        { title: 'Type', value: typeText, style: () => 'bold' },
        { title: 'Count', value: countText, align: 'right' },
        {
          title: 'Severity',
          value: ({ severity }) => severity,
          style: ({ severity }) => styles[severity],
        },
        { title: 'Finding', value: ({ code }) => code },
        { title: 'Location', value: ({ location }) => location },
        ...spanColumns,
      ],
      findings,
    ),
    findings,
  )
}

function tableText<T>(table: Table<T>, rows: readonly T[]): string {
  return [table.header(), ...rows.map((row) => table.row(row))].join('\n')
}
