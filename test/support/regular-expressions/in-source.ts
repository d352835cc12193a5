import { globSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { isObject } from '#shared/json/object.ts'
import { child, readSource } from '../syntax.ts'

const root = path.resolve(import.meta.dirname, '../../..')

export interface FoundExpression {
  readonly file: string
  readonly line: number
  /** As a literal, `/x+/g`; for one that is made while the program runs, the code that makes it. */
  readonly text: string
  /** Null: made while the program runs. */
  readonly pattern: { readonly source: string; readonly flags: string } | null
}

/** Those that recheck has found to be linear (`check.ts`). */
export const linearFile = path.join(import.meta.dirname, 'linear.json')

export function linearExpressions(): string[] {
  const listed: unknown = JSON.parse(readFileSync(linearFile, 'utf8'))
  return Array.isArray(listed) ? listed.map(String) : []
}

/** Every regular expression in `src`: literals, and calls of `RegExp`. */
export function expressionsInSource(): FoundExpression[] {
  return globSync('src/**/*.{ts,tsx,mjs,cjs}', { cwd: root })
    .toSorted()
    .flatMap((file) => expressionsIn(file, readFileSync(path.join(root, file), 'utf8')))
}

export function expressionsIn(file: string, text: string): FoundExpression[] {
  const source = readSource(file, text)
  return source.nodes.flatMap((node) => {
    const { regex, start, end } = node
    if (isObject(regex)) {
      const pattern = { source: String(regex['pattern']), flags: String(regex['flags']) }
      const written = `/${pattern.source}/${pattern.flags}`
      return { file, line: source.lineOf(node), text: written, pattern }
    }
    if (child(node, 'callee')?.['name'] !== 'RegExp') return []
    return {
      file,
      line: source.lineOf(node),
      text: text.slice(start, Number(end)).replaceAll(/\s+/g, ' '),
      pattern: null,
    }
  })
}

/** How a pattern repeats without a bound, if it does. */
export interface Repetition {
  readonly unbounded: boolean
  /** In a way for which V8 needs a stack as deep as the text is long: a group, more than three at least, or characters by their property. */
  readonly deep: boolean
}

/** V8 unrolls up to so many; what must be there more often is counted, and each count is kept on the stack. */
const unrolled = 3

export function repetitionIn(source: string): Repetition {
  let last: 'one' | 'property' | 'group' = 'one'
  let unbounded = false
  let deep = false
  const tokens =
    /(?<property>\\[pP]\{[^}]*\})|\\.|(?<set>\[(?:\\.|[^\]\\])*\])|(?<close>\))|(?<repeat>[*+]|\{(?<least>\d+),\})|[^]/gu
  for (const { groups = {} } of source.matchAll(tokens)) {
    const { property, set, close, repeat, least } = groups
    if (repeat === undefined) {
      const byProperty = property !== undefined || (set !== undefined && /\\[pP]\{/.test(set))
      last = close ? 'group' : byProperty ? 'property' : 'one'
      continue
    }
    unbounded = true
    deep ||= last !== 'one' || Number(least ?? 0) > unrolled
  }
  return { unbounded, deep }
}
