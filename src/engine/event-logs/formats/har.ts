import type { HarEnd, HarHead } from '#contract/event-log-har.ts'
import type { LogHead } from '#contract/event-log.ts'
import type { FormatEnv, LogFormat } from '../formats.ts'
import { attemptEntry, deliveryEntry } from '../format-parts/har.ts'
import { redactionSentences } from '../format-parts/text.ts'
import type { LogItem } from '../items.ts'

/** HAR 1.2, with Tabscope's own data under `_tabscope` (`contract/event-log-har.ts`). One line per entry. */
const har: LogFormat = {
  id: 'har',
  label: 'HTTP Archive (HAR)',
  description:
    'Deliveries and attempts as requests and responses. For the network panel of a browser and other HTTP tools. You can import it again, without tokens and authorizations.',
  extension: 'har',
  mediaType: 'application/json',
  imports: 'partial',
  gzip: false,
  comfortable: 5000,
  single: true,
  write: writeHar,
}

function* writeHar(
  head: LogHead,
  items: Iterable<LogItem>,
  { target, removed }: FormatEnv,
): Generator<string, void, undefined> {
  const { kind: _kind, ...headFields } = head
  const harHead: HarHead = { ...headFields, format: 'tabscope-har' }
  yield '{"log":{"version":"1.2",'
  yield `"creator":${JSON.stringify({ name: 'Tabscope', version: head.app.replace(/^Tabscope /, '') })},`
  yield `"_tabscope":${JSON.stringify(harHead)},\n"entries":[`
  let deliveries = 0
  for (const item of items) {
    if (item.kind !== 'delivery') continue
    yield deliveries === 0 ? '\n' : ',\n'
    yield JSON.stringify(deliveryEntry(item, target))
    for (const attempt of item.delivery.attempts) {
      yield ',\n'
      yield JSON.stringify(attemptEntry(attempt, item.delivery.fields.id))
    }
    deliveries += 1
  }
  const end: HarEnd = { deliveries, removed: removed() }
  yield `\n],"_tabscopeEnd":${JSON.stringify(end)},`
  yield `"comment":${JSON.stringify(redactionSentences(head, removed()).join(' '))}}}\n`
}

export default har
