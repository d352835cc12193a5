import type { JsonNode } from '../body/json-nodes.ts'

/** JSON laid out anew, two spaces a level: digits, escapes and double keys stay as they were written. */
export function formatJson(nodes: readonly JsonNode[]): string {
  const parts: string[] = []
  const open: { end: number; close: string; depth: number }[] = []
  nodes.forEach((node, index) => {
    for (let last = open.at(-1); last !== undefined && last.end <= index; last = open.at(-1)) {
      parts.push(`\n${'  '.repeat(last.depth)}${last.close}`)
      open.pop()
    }
    const first = index === 0 || open.at(-1)?.end === undefined
    if (!first) parts.push(isFirstChild(nodes, index) ? '\n' : ',\n')
    parts.push('  '.repeat(node.depth))
    if (typeof node.key === 'string') parts.push(`"${node.key}": `)
    const [start, close] = node.kind === 'array' ? ['[', ']'] : ['{', '}']
    if (node.kind !== 'array' && node.kind !== 'object') parts.push(node.text)
    else if (node.children === 0) parts.push(`${start}${close}`)
    else {
      parts.push(start)
      open.push({ end: node.end, close, depth: node.depth })
    }
  })
  for (const last of open.toReversed()) parts.push(`\n${'  '.repeat(last.depth)}${last.close}`)
  return parts.join('')
}

function isFirstChild(nodes: readonly JsonNode[], index: number): boolean {
  return nodes[index - 1]?.depth === (nodes[index]?.depth ?? 0) - 1
}

/** Line and column of a place in a text, both from 1. */
export function placeIn(text: string, at: number): { line: number; column: number } {
  const before = text.slice(0, at)
  return { line: before.split('\n').length, column: at - before.lastIndexOf('\n') }
}
