import type { LogHead } from '#contract/event-log.ts'
import type { FormatEnv, LogFormat } from '../formats.ts'
import { sentence, deliverySection } from '../format-parts/markdown.ts'
import { redactionSentences } from '../format-parts/text.ts'
import type { LogItem } from '../items.ts'

/** GitHub Flavored Markdown, limited to what chats also support: headings, lists, code. */
const markdown: LogFormat = {
  id: 'markdown',
  label: 'Markdown',
  description: 'For a chat or an issue: facts, headers, the start of the body, a line per attempt.',
  extension: 'md',
  mediaType: 'text/markdown; charset=utf-8',
  imports: 'none',
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
  const sentences = redactionSentences(head, removed()).map(sentence)
  if (sentences.length > 0) yield `\n${sentences.join(' ')}\n`
}

export default markdown
