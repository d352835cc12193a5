import type { FindingKind, TypeConformance } from '#contract/deliveries.ts'
import { declare } from '../command-line/declaration.ts'
import { globals } from '../command-line/globals.ts'
import { printMessage, writeJson, writeLine } from '../output/output.ts'
import { tableText, type Cells } from '../output/table.ts'
import { formatTime } from '../output/text.ts'

const styles = { error: 'red', warning: 'yellow', info: 'gray' } as const

export const command = declare('conformance', {
  does: 'Count deliveries and findings by event type',
  examples: [
    ['All deliveries', 'conformance'],
    ["Today's deliveries, as JSON", 'conformance --since today --json'],
    ['Deliveries of an event log', 'conformance --log friday.tabscope'],
  ],
  call: 'deliveries.conformance',
  usage: '--since <time> --before <time>',
  descriptions: {
    since: 'Only deliveries received since, such as 2h or tuesday',
    before: 'Only deliveries received before',
  },
  log: true,
  print: async ({ types }, { log }, session) => {
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
  },
})

interface Span {
  readonly type: string | null
  readonly count: number
  readonly firstId: number
  readonly firstAt: number
  readonly lastId: number
  readonly lastAt: number
}

const spanCells: Cells<Span> = {
  First: ({ firstAt }) => ['gray', formatTime(firstAt)],
  'First ID': ({ firstId }) => firstId,
  Last: ({ lastAt }) => ['gray', formatTime(lastAt)],
  'Last ID': ({ lastId }) => lastId,
}

function typeText({ type }: Pick<Span, 'type'>): string {
  return type ?? 'no type'
}

function typesText(types: readonly TypeConformance[]): string {
  return tableText(types, {
    Type: (row) => ['bold', typeText(row)],
    Deliveries: ({ count }) => count,
    ...spanCells,
  })
}

function findingsText(findings: readonly (FindingKind & Span)[]): string {
  return tableText(findings, {
    Type: (row) => ['bold', typeText(row)],
    Count: ({ count }) => count,
    Severity: ({ severity }) => [styles[severity], severity],
    Finding: ({ code }) => code,
    Location: ({ location }) => location,
    ...spanCells,
  })
}
