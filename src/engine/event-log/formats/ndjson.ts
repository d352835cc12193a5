import { createHash } from 'node:crypto'
import { eventLogVersion, type LogEnd, type LogHead } from '#contract/event-log.ts'
import type { FormatEnv, LogFormat } from '../format.ts'
import type { LogItem } from '../items.ts'
import { deliveryLines } from '../ndjson/delivery-lines.ts'

/** Lines are gathered until they are about so long, in characters: a piece costs more than a line. */
const pieceLength = 64 * 1024

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
  const hash = createHash('sha256')
  let text = ''
  let lines = 0
  let deliveries = 0
  const piece = (): Uint8Array => {
    const bytes = Buffer.from(text)
    text = ''
    hash.update(bytes)
    return bytes
  }
  const add = (line: string): void => {
    text += line
    text += '\n'
    lines += 1
  }
  add(JSON.stringify({ ...head, version: eventLogVersion }))
  for (const item of items) {
    if (item.kind !== 'delivery') add(JSON.stringify(item))
    else {
      deliveries += 1
      for (const line of deliveryLines(item.delivery)) {
        add(line)
        if (text.length >= pieceLength) yield piece()
      }
    }
    if (text.length >= pieceLength) yield piece()
  }
  if (text !== '') yield piece()
  const end: LogEnd = {
    kind: 'end',
    deliveries,
    lines,
    removed: { ...env.removed() },
    sha256: hash.digest('hex'),
  }
  yield Buffer.from(`${JSON.stringify(end)}\n`)
}

export default ndjson
