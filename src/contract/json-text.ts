/** Deeper ones are indented as far as this: a text of brackets alone would grow with the square of its length. */
const deepestIndent = 64

/**
 * A JSON text with one member a line, every value written exactly as it came: numbers keep their digits, strings their escapes, duplicate
 * names stay. Null for what is no JSON, or is neither an object nor an array.
 */
export function prettyJson(text: string): string | null {
  const trimmed = text.trim()
  if (!/^[{[]/.test(trimmed) || !isJson(trimmed)) return null
  const pieces: string[] = []
  let depth = 0
  let opened = false
  const line = (): string => `\n${'  '.repeat(Math.min(depth, deepestIndent))}`
  // A string is read in runs: an alternative for each character would need a stack as deep as it is long.
  for (const [token] of trimmed.matchAll(/"[^"\\]*(?:\\.[^"\\]*)*"|[{}[\],:]|[^\s{}[\],:"]+/g)) {
    const closes = token === '}' || token === ']'
    if (closes) depth -= 1
    // Nothing between the brackets: they stay together.
    if (opened !== closes) pieces.push(line())
    opened = token === '{' || token === '['
    if (opened) depth += 1
    pieces.push(token)
    if (token === ',') pieces.push(line())
    else if (token === ':') pieces.push(' ')
  }
  return pieces.join('')
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}
