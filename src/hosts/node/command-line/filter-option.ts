import { parseFilter } from '#contract/filter/parse.ts'
import { escapeControls } from '#shared/text/visible.ts'
import { compileFilter } from '#engine/search/compile.ts'
import { UsageError } from './errors.ts'

/** Empty if not given. Throws `UsageError`; its message contains the filter, a mark under the error, and what to write instead. */
export function filterOf(given: string | undefined): string {
  const text = given ?? ''
  if (text.length > maxLength)
    throw new UsageError(`--filter has more than ${maxLength} characters.`)
  const parsed = parseFilter(text)
  if (parsed.ok) return text
  const { from, to, message } = parsed.error
  const before = escapeControls(text.slice(0, from))
  const marked = escapeControls(text.slice(from, to))
  throw new UsageError(
    [
      `${before}${marked}${escapeControls(text.slice(to))}`,
      `${' '.repeat(before.length)}${'^'.repeat(Math.max(1, marked.length))}`,
      escapeControls(message),
    ].join('\n'),
    'bad_filter',
  )
}

export function needsIndex(text: string): boolean {
  const parsed = parseFilter(text)
  const expansion = { before: '', last: '', words: [] }
  const emptyContext = { asOf: 0, endpoints: [], expandPrefix: () => expansion }
  return parsed.ok && compileFilter(parsed.filter, emptyContext).needsIndex
}

const maxLength = 4000
