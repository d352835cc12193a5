import { eventLogVersion, hashedHead, type LogHead, type LogLine } from '#contract/event-log.ts'
import type { FormatEnv, LogFormat } from '../format.ts'
import type { LogItem } from '../items.ts'
import { writeDelivery } from '../ndjson/delivery-lines.ts'
import { createLineWriter } from '../ndjson/line-writer.ts'

/** The native log, as `contract/event-log.ts` says. The same deliveries make the same bytes. */
const ndjson: LogFormat = {
  id: 'ndjson',
  label: 'Event log',
  about: 'All of it, to be opened in another Tabscope: for support, or to keep.',
  extension: 'ndjson',
  mediaType: 'application/x-ndjson',
  returns: 'whole',
  gzip: true,
  comfortable: null,
  single: true,
  write,
}

function* write(
  head: LogHead,
  items: Iterable<LogItem>,
  env: FormatEnv,
): Generator<Uint8Array, void, undefined> {
  const to = createLineWriter()
  let deliveries = 0
  const add = (line: LogLine): void => {
    to.text(JSON.stringify(line))
    to.endLine()
  }
  const first = JSON.stringify({ ...head, version: eventLogVersion } satisfies LogHead)
  yield to.hashedAs(first, hashedHead(first))
  for (const item of items) {
    if (item.kind === 'delivery') {
      deliveries += 1
      for (const _ of writeDelivery(to, item.delivery)) if (to.full) yield to.take()
    } else {
      add(item)
      if (to.full) yield to.take()
    }
  }
  yield to.take()
  const { lines } = to
  add({ kind: 'end', deliveries, lines, removed: { ...env.removed() }, sha256: to.sha256() })
  yield to.take()
}

export default ndjson
