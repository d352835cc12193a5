import type { CallOutput, ParsedInput } from '#contract/calls.ts'
import type { PageLog } from '../log/log.ts'

/** Answered at most. */
const most = 50
/** Names of headers are those of so many deliveries, the newest. */
const headerRows = 500

/** Values of a field that were seen and begin so, whatever their case, the most frequent first. */
export function suggestionsIn(
  log: PageLog,
  { field, prefix }: ParsedInput<'filters.suggest'>,
): CallOutput<'filters.suggest'> {
  const counts = new Map<string, number>()
  for (const value of valuesOf(log, field)) counts.set(value, (counts.get(value) ?? 0) + 1)
  return [...counts]
    .filter(([value]) => value.toLowerCase().startsWith(prefix.toLowerCase()))
    .toSorted(([a, often], [b, seldom]) => seldom - often || (a < b ? -1 : 1))
    .slice(0, most)
    .map(([value]) => value)
}

function valuesOf(log: PageLog, field: ParsedInput<'filters.suggest'>['field']): string[] {
  switch (field) {
    case 'location':
      return log.rows.flatMap(({ locationName }) => locationName ?? [])
    case 'type':
      return log.rows.flatMap(({ type }) => type ?? [])
    case 'status':
      return log.rows.flatMap(({ status }) => (status === null ? [] : String(status)))
    case 'tag':
      return log.rows.flatMap(({ tags }) => tags)
    case 'finding':
      return log.rows.flatMap(({ findings }) => findings.map(({ code }) => code))
    case 'header':
      return log.rows.slice(-headerRows).flatMap(({ id }) => headerNames(log, id))
  }
}

function headerNames(log: PageLog, id: number): string[] {
  try {
    return log.content(id).fields.headers.map(([name]) => name.toLowerCase())
  } catch {
    // A damaged block is told of where it is opened.
    return []
  }
}
