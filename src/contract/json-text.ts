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
  for (const token of jsonTokens(trimmed)) {
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

/**
 * The index after the closing quote of the JSON string whose opening quote is at `from`; -1 when the string does not end. A loop, not an
 * expression: a repeated group needs a stack as deep as the string is long, and a string of some megabytes overflows it.
 */
export function stringEnd(text: string, from: number): number {
  for (let at = from + 1; ;) {
    const end = text.indexOf('"', at)
    if (end === -1) return -1
    let slashes = 0
    while (text.charCodeAt(end - 1 - slashes) === 0x5c) slashes += 1
    if (slashes % 2 === 0) return end + 1
    at = end + 1
  }
}

const tokenPattern = /[{}[\],:]|"|[^\s{}[\],:"]+/g

/** Strings, punctuation, and what stands between them, without white space. A string that does not end runs to the end of the text. */
export function* jsonTokens(text: string): Generator<string, void, undefined> {
  const pattern = new RegExp(tokenPattern)
  for (let match = pattern.exec(text); match; match = pattern.exec(text)) {
    if (match[0] !== '"') {
      yield match[0]
      continue
    }
    const end = stringEnd(text, match.index)
    pattern.lastIndex = end === -1 ? text.length : end
    yield text.slice(match.index, pattern.lastIndex)
  }
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}
