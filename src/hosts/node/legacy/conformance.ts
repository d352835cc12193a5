import type { TypeConformance } from '#contract/deliveries.ts'
import type { Severity } from '#contract/models.ts'
import { readSession } from '../in-session.ts'
import { logOf } from '../log-option.ts'
import { parse } from '../options.ts'
import { coloured, say, writeJson, writeLine } from '../output.ts'
import { formatTime } from '../text.ts'
import { timeOf } from '../time-option.ts'
import { printable } from '../../printable.ts'

const styles = { error: 'red', warning: 'yellow', info: 'gray' } as const satisfies Record<
  Severity,
  string
>

/** `conformance [--since TIME] [--before TIME]`: for each type how many, which findings, when first and last. */
export async function conformance(args: string[]): Promise<number> {
  const { values } = parse(args, {
    since: { type: 'string' },
    before: { type: 'string' },
    log: { type: 'string' },
  })
  const now = Date.now()
  const since = timeOf('since', values.since, now)
  const before = timeOf('before', values.before, now)
  return readSession(values, async (session) => {
    const log = await logOf(session, values.log)
    const { types } = await session.call('deliveries.conformance', { log, since, before })
    if (types.length === 0 && !values.json) say('There are no deliveries in that time.')
    for (const each of types) {
      if (values.json) writeJson({ event: 'type', ...each })
      else writeLine(typeText(each))
    }
    return 0
  })
}

function typeText({ type, count, firstAt, lastAt, findings }: TypeConformance): string {
  const width = Math.max(0, ...findings.map(({ count: times }) => String(times).length))
  const head = `${coloured('bold', printable(type ?? 'without a type'))}  ${count}, ${stretch(firstAt, lastAt)}`
  const lines = findings.map(
    (kind) =>
      `  ${String(kind.count).padStart(width)}  ${coloured(styles[kind.severity], kind.severity.padEnd(7))}  ${printable(kind.code)}  ${printable(kind.place)}  ${coloured('gray', stretch(kind.firstAt, kind.lastAt))}`,
  )
  return [head, ...lines].join('\n')
}

function stretch(first: number, last: number): string {
  return `first ${formatTime(first)}, last ${formatTime(last)}`
}
