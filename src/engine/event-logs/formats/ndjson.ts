import { createHash } from 'node:crypto'
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
  const hash = createHash('sha256')
  let deliveries = 0
  const add = (line: LogLine): void => {
    writer.text(JSON.stringify(line))
    writer.endLine()
  }
  const hashed = (bytes: Uint8Array): Uint8Array => {
    hash.update(bytes)
    return bytes
  }
  const headLine = JSON.stringify({ ...head, version: eventLogVersion } satisfies LogHead)
  hash.update(`${hashedHead(headLine)}\n`)
  yield Buffer.from(`${headLine}\n`)
  for (const item of items) {
    if (item.kind === 'delivery') {
      deliveries += 1
      for (const _ of writeDelivery(writer, item.delivery)) {
        if (writer.full) yield hashed(writer.take())
      }
    } else if (item.kind === 'rehearsal_case') {
      for (const line of caseLines(item)) {
        add(line)
        if (writer.full) yield hashed(writer.take())
      }
    } else {
      add(item)
      if (writer.full) yield hashed(writer.take())
    }
  }
  yield hashed(writer.take())
  // The head is a line, too.
  const lines = 1 + writer.lines
  const sha256 = hash.digest('hex')
  add({ kind: 'end', deliveries, lines, removed: { ...env.removed() }, sha256 })
  yield writer.take()
}

export default ndjson
