import type { LogHead } from '#contract/event-log.ts'
import type { FormatEnv, LogFormat } from '../format.ts'
import { sentence, deliverySection } from '../format-parts/markdown.ts'
import { redactionSentences } from '../format-parts/text.ts'
import type { LogItem } from '../items.ts'

/** GitHub Flavored Markdown that chats can read as well: headings, lists, code. */
const markdown: LogFormat = {
  id: 'markdown',
  label: 'Markdown',
  about:
    'To be read in a chat or in an issue: facts, headers, the beginning of the body, attempts in brief.',
  extension: 'md',
  mediaType: 'text/markdown; charset=utf-8',
  returns: 'no',
  gzip: false,
  comfortable: 20,
  single: true,
  write: writeMarkdown,
}

function* writeMarkdown(
  head: LogHead,
  items: Iterable<LogItem>,
  { removed }: FormatEnv,
): Generator<string, void, undefined> {
  let deliveries = 0
  for (const item of items) {
    if (item.kind !== 'delivery') continue
    if (deliveries > 0) yield '\n---\n\n'
    yield deliverySection(item.delivery)
    deliveries += 1
  }
  if (deliveries === 0) yield 'No deliveries.\n'
  const words = redactionSentences(head, removed()).map(sentence)
  if (words.length > 0) yield `\n${words.join(' ')}\n`
}

export default markdown
