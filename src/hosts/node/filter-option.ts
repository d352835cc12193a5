import { parseFilter } from '#contract/filter/parse.ts'
import { compileFilter } from '#engine/search/compile.ts'
import { printable } from '../printable.ts'
import { UsageError } from './usage-error.ts'

/** The filter is wrong: its text, a mark under the place, and what to write instead. The list of all commands would hide it. */
export class BadFilter extends Error {
  override readonly name = 'BadFilter'
}

/** The filter that `--filter` gives, empty where none is given. Throws `BadFilter`. */
export function filterOf(given: string | undefined): string {
  const text = given ?? ''
  if (text.length > longest) throw new UsageError(`--filter has more than ${longest} characters.`)
  const parsed = parseFilter(text)
  if (parsed.ok) return text
  const { from, to, message } = parsed.error
  const before = printable(text.slice(0, from))
  const marked = printable(text.slice(from, to))
  throw new BadFilter(
    [
      `${before}${marked}${printable(text.slice(to))}`,
      `${' '.repeat(before.length)}${'^'.repeat(Math.max(1, marked.length))}`,
      printable(message),
    ].join('\n'),
  )
}

/** Whether the filter finds nothing that is not in the search index. */
export function needsIndex(text: string): boolean {
  const parsed = parseFilter(text)
  const endings = { before: '', last: '', words: [] }
  const nowhere = { asOf: 0, endpoints: [], endings: () => endings }
  return parsed.ok && compileFilter(parsed.filter, nowhere).needsIndex
}

/** As the contract has it for every filter. */
const longest = 4000
