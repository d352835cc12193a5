import type { LogHead } from '#contract/event-log.ts'
import type { LogFormat } from '../format.ts'
import { columns } from '../format-parts/csv/columns.ts'
import type { LogItem } from '../items.ts'

/** RFC 4180, a row for each delivery. Times are ISO 8601, UTC. */
const csv: LogFormat = {
  id: 'csv',
  label: 'Table (CSV)',
  about: 'One row for each delivery, without headers and bodies: for a spreadsheet.',
  extension: 'csv',
  mediaType: 'text/csv; charset=utf-8',
  returns: 'no',
  gzip: false,
  // A sheet has 1,048,576 rows.
  comfortable: 1_000_000,
  single: false,
  write: writeCsv,
}

function* writeCsv(_head: LogHead, items: Iterable<LogItem>): Generator<string, void, undefined> {
  // By the byte order mark spreadsheets know that it is UTF-8.
  yield `\u{FEFF}${columns.map(([name]) => name).join(',')}\r\n`
  for (const item of items) {
    if (item.kind !== 'delivery') continue
    yield `${columns.map(([, cell]) => cell(item.delivery)).join(',')}\r\n`
  }
}

export default csv
