import { JsonParser, jsonToken } from './tokenizer.ts'

/** Without a limit, deeply nested brackets would grow the text quadratically. */
const maxIndentDepth = 64

/** One member per line. Numbers keep their digits, strings their escapes, and duplicate keys stay. Null for invalid JSON. */
export function formatJson(text: string): string | null {
  return withLayout(text, ': ', (depth) => `\n${'  '.repeat(Math.min(depth, maxIndentDepth))}`)
}

/** Removes white space between tokens. Null for invalid JSON. */
export function minifyJson(text: string): string | null {
  return withLayout(text, ':', () => '')
}

/** Like `formatJson`, but only for objects and arrays, with optional surrounding white space. Null for other text. */
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
      if (!opened || !closes) pieces.push(lineAt(opens ? parser.depth - 1 : parser.depth))
    }
    pieces.push(parser.source)
    before = kind
  }
}

export function lineAndColumn(text: string, at: number): { line: number; column: number } {
  const before = text.slice(0, at)
  return { line: before.split('\n').length, column: at - before.lastIndexOf('\n') }
}
