import type { JsonIndex } from '../body/json-index.ts'
import { keyOf, kindOf, sourceOf } from '../body/json-index.ts'

/** JSON laid out anew, two spaces a level: digits, escapes and double keys stay as they were written. */
export function formatJson(json: JsonIndex): string {
  const parts: string[] = []
  const open: { end: number; close: string; depth: number }[] = []
  for (let index = 0; index < json.count; index++) {
    for (let last = open.at(-1); last !== undefined && last.end <= index; last = open.at(-1)) {
      parts.push(`\n${'  '.repeat(last.depth)}${last.close}`)
      open.pop()
    }
    const depth = json.depths[index] ?? 0
    if (open.length > 0) parts.push(json.depths[index - 1] === depth - 1 ? '\n' : ',\n')
    parts.push('  '.repeat(depth))
    const key = keyOf(json, index)
    if (typeof key === 'string') parts.push(`"${key}": `)
    const kind = kindOf(json, index)
    const [start, close] = kind === 'array' ? ['[', ']'] : ['{', '}']
    if (kind !== 'array' && kind !== 'object') parts.push(sourceOf(json, index))
    else if (json.children[index] === 0) parts.push(`${start}${close}`)
    else {
      parts.push(start)
      open.push({ end: json.ends[index] ?? 0, close, depth })
    }
  }
  for (const last of open.toReversed()) parts.push(`\n${'  '.repeat(last.depth)}${last.close}`)
  return parts.join('')
}

/** Line and column of a place in a text, both from 1. */
export function placeIn(text: string, at: number): { line: number; column: number } {
  const before = text.slice(0, at)
  return { line: before.split('\n').length, column: at - before.lastIndexOf('\n') }
}
