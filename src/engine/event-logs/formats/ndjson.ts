import { eventLogVersion, hashedHead, type LogHead, type LogLine } from '#contract/event-log.ts'
import type { FormatEnv, LogFormat } from '../formats.ts'
import type { LogItem } from '../items.ts'
import { writeDelivery } from '../ndjson/delivery-lines.ts'
import { caseLines } from '../ndjson/rehearsal-lines.ts'
import { createLineWriter } from '../ndjson/line-writer.ts'

/** The native event log, as defined in `contract/event-log.ts`. The same deliveries give the same bytes. */
const ndjson: LogFormat = {
  id: 'ndjson',
  label: 'Event log',
  about: 'Everything, to import into another Tabscope. For support requests and backups.',
  extension: 'ndjson',
  mediaType: 'application/x-ndjson',
  returns: 'whole',
  gzip: true,
  rehearsals: true,
  comfortable: null,
  single: true,
  write,
}

function* write(
  head: LogHead,
  items: Iterable<LogItem>,
  env: FormatEnv,
): Generator<Uint8Array, void, undefined> {
  const writer = createLineWriter()
  let deliveries = 0
  const add = (line: LogLine): void => {
    writer.text(JSON.stringify(line))
    writer.endLine()
  }
  const headLine = JSON.stringify({ ...head, version: eventLogVersion } satisfies LogHead)
  yield writer.hashedAs(headLine, hashedHead(headLine))
  for (const item of items) {
    if (item.kind === 'delivery') {
      deliveries += 1
      for (const _ of writeDelivery(writer, item.delivery)) if (writer.full) yield writer.take()
    } else if (item.kind === 'rehearsal_case') {
      for (const line of caseLines(item)) {
        add(line)
        if (writer.full) yield writer.take()
      }
    } else {
      add(item)
      if (writer.full) yield writer.take()
    }
  }
  yield writer.take()
  const { lines } = writer
  add({ kind: 'end', deliveries, lines, removed: { ...env.removed() }, sha256: writer.sha256() })
  yield writer.take()
}

export default ndjson
