import { JsonParser, jsonToken } from './tokenizer.ts'

/** Deeper ones are indented as far as this: a text of brackets alone would grow with the square of its length. */
const deepestIndent = 64

/**
 * A JSON text with one member a line, every value written exactly as it came: numbers keep their digits, strings their escapes, duplicate
 * names stay. Null for what is no JSON.
 */
export function formatJson(text: string): string | null {
  return withLayout(text, ': ', (depth) => `\n${'  '.repeat(Math.min(depth, deepestIndent))}`)
}

/** The same without any space between its parts. */
export function minifyJson(text: string): string | null {
  return withLayout(text, ':', () => '')
}

/** `formatJson` of an object or an array, whatever white space is around it. Null for all else, which is shown as it is. */
export function prettyJson(text: string): string | null {
  const trimmed = text.trim()
  return /^[{[]/.test(trimmed) ? formatJson(trimmed) : null
}

function withLayout(text: string, colon: string, lineAt: (depth: number) => string): string | null {
  const parser = new JsonParser(text, { strict: true })
  const pieces: string[] = []
  let before: number = jsonToken.end
  for (;;) {
    const kind = parser.next()
    if (kind === jsonToken.other) return null
    if (kind === jsonToken.end) return pieces.join('')
    const opened = before === jsonToken.objectOpen || before === jsonToken.arrayOpen
    const opens = kind === jsonToken.objectOpen || kind === jsonToken.arrayOpen
    const closes = kind === jsonToken.objectClose || kind === jsonToken.arrayClose
    if (before === jsonToken.key) pieces.push(colon)
    else if (before !== jsonToken.end) {
      if (!opened && !closes) pieces.push(',')
      // Nothing between the brackets: they stay together.
      if (!opened || !closes) pieces.push(lineAt(opens ? parser.depth - 1 : parser.depth))
    }
    pieces.push(parser.source)
    before = kind
  }
}

/** Line and column of a place in a text, both from 1. */
export function lineAndColumn(text: string, at: number): { line: number; column: number } {
  const before = text.slice(0, at)
  return { line: before.split('\n').length, column: at - before.lastIndexOf('\n') }
}
