import { globSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { child, children, nameOf, readSource, type Node, type Source } from '../syntax.ts'

const root = path.resolve(import.meta.dirname, '../../..')

export interface FoundExpression {
  readonly file: string
  readonly line: number
  /** As a literal, `/x+/g`; for one that is made while the program runs and cannot be known here, the code that makes it. */
  readonly text: string
  /** Null: it cannot be known here. */
  readonly pattern: { readonly source: string; readonly flags: string } | null
}

/** Those that recheck has found to be linear (`check.ts`). */
export const linearFile = path.join(import.meta.dirname, 'linear.json')

export function linearExpressions(): string[] {
  const listed: unknown = JSON.parse(readFileSync(linearFile, 'utf8'))
  return Array.isArray(listed) ? listed.map(String) : []
}

/** Every regular expression in `src`: literals, and what is given to `RegExp`. */
export function expressionsInSource(): FoundExpression[] {
  return globSync('src/**/*.{ts,tsx,mjs,cjs}', { cwd: root })
    .toSorted()
    .flatMap((file) => expressionsIn(readSource(file, readFileSync(path.join(root, file), 'utf8'))))
}

export function expressionsIn(source: Source): FoundExpression[] {
  return source.nodes.flatMap((node) => {
    const pattern = literalOf(node) ?? madeBy(node, source)
    if (pattern === undefined) return []
    return {
      file: source.file,
      line: source.lineOf(node),
      text: pattern ? `/${pattern.source}/${pattern.flags}` : codeOf(node, source),
      pattern,
    }
  })
}

function literalOf(node: Node): FoundExpression['pattern'] | undefined {
  const regex = node.type === 'Literal' ? node['regex'] : undefined
  if (typeof regex !== 'object' || regex === null) return undefined
  return 'pattern' in regex && 'flags' in regex
    ? { source: String(regex.pattern), flags: String(regex.flags) }
    : undefined
}

/** Undefined: it makes none, or copies one that is listed where it stands. */
function madeBy(node: Node, source: Source): FoundExpression['pattern'] | undefined {
  const isCall = node.type === 'NewExpression' || node.type === 'CallExpression'
  if (!isCall || nameOf(child(node, 'callee')) !== 'RegExp') return undefined
  const [pattern, flags] = children(node, 'arguments')
  if (pattern?.type === 'Identifier' && literalOf(constant(pattern, source) ?? pattern))
    return undefined
  const text = constantText(pattern, source)
  const letters = flags ? constantText(flags, source) : ''
  return text === null || letters === null ? null : { source: text, flags: letters }
}

/** Text that is put together from constants of the same file; null: it is not known here. */
function constantText(node: Node | undefined, source: Source): string | null {
  if (node?.type === 'Literal') return typeof node['value'] === 'string' ? node['value'] : null
  if (node?.type === 'Identifier') return constantText(constant(node, source), source)
  const isRaw = node?.type === 'TaggedTemplateExpression' && nameOf(child(node, 'tag')) === 'raw'
  const template = isRaw ? child(node, 'quasi') : node
  if (template?.type !== 'TemplateLiteral') return null
  const filled = children(template, 'expressions').map((one) => constantText(one, source))
  if (filled.includes(null)) return null
  return children(template, 'quasis')
    .map((quasi, at) => writtenIn(quasi, isRaw) + (filled[at] ?? ''))
    .join('')
}

function writtenIn(quasi: Node, isRaw: boolean): string {
  const value = quasi['value']
  if (typeof value !== 'object' || value === null) return ''
  return String(Reflect.get(value, isRaw ? 'raw' : 'cooked'))
}

function constant(name: Node, { nodes }: Source): Node | undefined {
  const found = nodes.find(
    (node) => node.type === 'VariableDeclarator' && nameOf(child(node, 'id')) === nameOf(name),
  )
  return child(found, 'init')
}

function codeOf(node: Node, source: Source): string {
  const end = node['end']
  return source.text
    .slice(node.start, typeof end === 'number' ? end : node.start)
    .replaceAll(/\s+/g, ' ')
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
