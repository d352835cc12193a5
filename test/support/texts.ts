// `npm run texts`: lists all user-facing texts of the source with file and line, for review.
import { globSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { child, readSource, type Node } from './syntax.ts'

const root = path.resolve(import.meta.dirname, '../..')

/** Banned words and phrases, and what to write instead. */
export const bannedWords: readonly (readonly [banned: RegExp, instead: string])[] = [
  [/\b(?:what came of|what became of|came of it)\b/i, 'result'],
  [/\bto the byte\b/i, 'exactly'],
  [/\bmend(?:s|ed|ing)?\b/i, 'fix'],
  [/\b(?:tells?|told)\b/i, 'reports, shows'],
  [/\bis said\b|\bsaid to\b|\bthat is said\b/i, 'is reported, is shown'],
  [/\banew\b/i, 'again'],
  [/\b(?:goes|go|went) on\b/i, 'continue, resume'],
  [/\bonce more\b/i, 'again'],
  [/\b(?:laid|lay|lays) (?:out|beside)\b/i, 'format, show'],
  [/\b(?:un)?folds?\b|\bunfolded\b/i, 'expand, collapse'],
  [/\btak(?:e|es|en|ing) (?:away|out|in)\b|\btook (?:away|out|in)\b/i, 'remove, redact, capture'],
  [/\bh(?:eld|old|olds) back\b/i, 'redact, mask'],
  [/\bof (?:now|today)\b/i, 'current'],
  [/\bof one’s own\b/i, 'your own'],
  [
    /\b(?:alarm|insist|patience|look-out|happenings|standing|voice)\b/i,
    'deadline, retry, timeout …',
  ],
  [/\b(?:gives?|gave) up\b|\bcall(?:s|ed)? off\b/i, 'stop, cancel'],
  [/\b(?:came|comes?) back\b|\bcoming back\b/i, 'returned, reconnected'],
  [/\bchoose none\b|\bcalled so\b/i, 'clear selection, no results'],
  [/\bthe document\b|\bservice's document\b/i, 'the API documentation'],
  [/\bSPEC\b/, 'the API documentation'],
  [/\bby (?:which|what) way\b|\bthe way of\b/i, 'path, in transit'],
  [/\bone too many\b|\bis no end\b/i, 'unexpected'],
]

export interface Text {
  readonly file: string
  readonly line: number
  /** The text, with `{}` for each inserted value. */
  readonly text: string
}

/** Returns texts of the interface, the command line, errors, findings and the sandbox. Excludes names, keys, class names and SQL. */
export function textsInSource(layer = '*'): Text[] {
  return globSync(`src/${layer}/**/*.{ts,tsx}`, { cwd: root, exclude: ['**/migrations/**'] })
    .toSorted()
    .flatMap((file) => textsIn(file, readFileSync(path.join(root, file), 'utf8')))
}

export function textsIn(file: string, source: string): Text[] {
  const read = readSource(file, source)
  const hidden = new Set(read.nodes.flatMap(namesIn))
  return read.nodes.flatMap((node) => {
    const text = hidden.has(node) ? null : textOf(node)
    return text !== null && isProse(text) ? [{ file, line: read.lineOf(node), text }] : []
  })
}

/** Nodes without user-facing text: module names, and attributes for code. */
function namesIn(node: Node): Node[] {
  if (/^(?:Import|Export)\w*Declaration$/.test(node.type))
    return [child(node, 'source')].filter((one) => one !== undefined)
  if (node.type !== 'JSXAttribute') return []
  const name = child(node, 'name')?.['name']
  const value = child(node, 'value')
  return value !== undefined && (name === 'className' || name === 'key' || name === 'id')
    ? [value]
    : []
}

function textOf(node: Node): string | null {
  const { value } = node
  if (node.type === 'Literal' && typeof value === 'string') return value
  if (node.type === 'JSXText' && typeof value === 'string')
    return value.replaceAll(/\s+/g, ' ').trim()
  if (node.type !== 'TemplateLiteral' || !Array.isArray(node['quasis'])) return null
  return node['quasis']
    .map(
      (quasi: { readonly value: { readonly cooked: string | null } }) => quasi.value.cooked ?? '',
    )
    .join('{}')
}

/** Whether a text is user-facing: several words, or one capitalized word as on a button; not a column list or class names. */
function isProse(text: string): boolean {
  if (/^\s*(?:SELECT|INSERT|UPDATE|DELETE|CREATE|WITH|PRAGMA|ALTER|DROP|BEGIN|--)\b/.test(text))
    return false
  if (/^cm-|^[a-z_]+(?:, [a-z_]+)+$/.test(text)) return false
  return /[a-z]{2,}[,.:;’"”)]* .*[a-z]{2,}|^[A-Z][a-z]+$/.test(text)
}

if (process.argv[1] === import.meta.filename) {
  let last = ''
  for (const { file, line, text } of textsInSource()) {
    if (file !== last) process.stdout.write(`\n${file}\n`)
    last = file
    process.stdout.write(`  ${line}: ${text.replaceAll('\n', '⏎')}\n`)
  }
}
