import { type Comparison, type FilterValue, type Span, quote, refuse } from './ast.ts'
import { fieldOf, nearestField, type FilterField } from './fields.ts'

export interface FieldToken extends Span {
  readonly kind: 'field'
  readonly field: FilterField
  readonly path: readonly string[]
  readonly comparison: Comparison
  readonly comparisonAt: Span
  /** Empty only for a header term without a value. */
  readonly values: readonly FilterValue[]
}

export type Token =
  | ({ readonly kind: 'open' | 'close' | 'minus' | 'and' | 'or' | 'not' } & Span)
  | ({ readonly kind: 'text'; readonly text: string; readonly quoted: boolean } & Span)
  | FieldToken

/** Throws `Refused`. */
export function lex(text: string): Token[] {
  const tokens: Token[] = []
  for (let at = skipSpace(text, 0); at < text.length; at = skipSpace(text, at)) {
    const token = next(text, at)
    tokens.push(token)
    at = token.to
  }
  return tokens
}

function next(text: string, from: number): Token {
  switch (text[from]) {
    case '(':
      return { kind: 'open', from, to: from + 1 }
    case ')':
      return { kind: 'close', from, to: from + 1 }
    case '-':
      if (endsTerm(text, from + 1)) {
        refuse(from, from + 1, 'Write a term directly after "-". To search for "-", quote it.')
      }
      return { kind: 'minus', from, to: from + 1 }
    case '"': {
      const quoted = readQuoted(text, from)
      requireEnd(text, from, quoted.to)
      return { kind: 'text', ...quoted }
    }
    default:
      return readWord(text, from)
  }
}

/** Ends before one of `stops`, a space or a bracket. */
function runTo(text: string, from: number, stops: string): number {
  let at = from
  while (at < text.length && !endsTerm(text, at) && text[at] !== '(') {
    if (stops.includes(text[at] ?? '')) break
    at += 1
  }
  return at
}

function readWord(text: string, from: number): Token {
  const path = readPath(text, from)
  if (path) return readField(text, from, path.name, path.parts, path.to)
  const compared = /^[a-z]+(?=[<>])/i.exec(text.slice(from, from + 20))?.[0]
  if (compared !== undefined && fieldOf(compared)?.comparisons.includes('>')) {
    return readField(text, from, compared, [], from + compared.length)
  }
  const to = runTo(text, from, '":')
  const word = text.slice(from, to)
  if (text[to] === ':') return readField(text, from, word, [], to)
  requireEnd(text, from, to)
  const lower = word.toLowerCase()
  if (lower === 'and' || lower === 'or' || lower === 'not') return { kind: lower, from, to }
  return { kind: 'text', text: word, quoted: false, from, to }
}

/** `data.total:` or `body."odd key".x:`. */
function readPath(
  text: string,
  from: number,
): { name: string; parts: string[]; to: number } | null {
  const name = /^(?:data|body)(?=\.)/i.exec(text.slice(from, from + 5))?.[0]
  if (name === undefined) return null
  const parts: string[] = []
  let empty: number | null = null
  let quoted = false
  let at = from + name.length
  while (text[at] === '.') {
    if (text[at + 1] === '"') {
      const part = readQuoted(text, at + 1)
      parts.push(part.text)
      quoted = true
      at = part.to
    } else {
      const to = runTo(text, at + 1, '":.<>')
      if (to === at + 1) empty ??= at
      parts.push(text.slice(at + 1, to))
      at = to
    }
  }
  if (!':<>'.includes(text[at] ?? ' ')) {
    if (!quoted) return null
    refuse(from, at, `Write a colon and a value after the path: ${name}.total:>100`)
  }
  if (empty !== null) refuse(empty, empty + 1, 'A part of the path is missing after this dot.')
  return { name, parts, to: at }
}

function readField(
  text: string,
  from: number,
  name: string,
  path: readonly string[],
  end: number,
): FieldToken {
  const field = fieldOf(name) ?? unknown(name, from, end)
  const comparisonAt = text[end] === ':' ? end + 1 : end
  if (field.kind === 'json' && path.length === 0) {
    refuse(from, comparisonAt, `${field.name} requires a path: ${field.example}`)
  }
  if (field.kind === 'header') return readHeader(text, from, field, comparisonAt)
  const written = /^(?:>=|<=|!=|[<>=])/.exec(text.slice(comparisonAt, comparisonAt + 2))?.[0] ?? ''
  const valuesAt = comparisonAt + written.length
  const values = readValues(text, from, field, valuesAt)
  return {
    kind: 'field',
    field,
    path,
    comparison: comparisonOf(written),
    comparisonAt: { from: comparisonAt, to: valuesAt },
    values,
    from,
    to: values.at(-1)?.to ?? valuesAt,
  }
}

function unknown(name: string, from: number, colon: number): never {
  const nearest = nearestField(name)
  const quoted = 'To search for text with a colon, quote it.'
  if (name === '') refuse(from, colon + 1, `Write a field before the colon. ${quoted}`)
  refuse(
    from,
    colon,
    nearest === null
      ? `There is no field ${quote(name)}. For a value in the body, write data.${name}: or body.${name}:. ${quoted}`
      : `There is no field ${quote(name)}. Did you mean ${nearest.name}, as in ${nearest.example}? ${quoted}`,
  )
}

function readHeader(text: string, from: number, field: FilterField, nameAt: number): FieldToken {
  let nameTo = runTo(text, nameAt, '",=:')
  if (text[nameTo] === '=' && text[nameTo - 1] === '!' && nameTo - 1 > nameAt) nameTo -= 1
  const name = text.slice(nameAt, nameTo)
  if (name === '') {
    refuse(from, nameAt, `Write the name of the header directly after the colon: ${field.example}`)
  }
  const wrong = text[nameTo]
  if (wrong === ':' || wrong === ',' || wrong === '"') {
    refuse(nameTo, nameTo + 1, `Write one header name, and "=" before its value: ${field.example}`)
  }
  const written = text[nameTo] === '!' ? '!=' : text[nameTo] === '=' ? '=' : ''
  const valuesAt = nameTo + written.length
  const values = written === '' ? [] : readValues(text, from, field, valuesAt)
  if (written === '') requireEnd(text, from, nameTo)
  return {
    kind: 'field',
    field,
    path: [name],
    comparison: comparisonOf(written),
    comparisonAt: { from: nameTo, to: valuesAt },
    values,
    from,
    to: values.at(-1)?.to ?? nameTo,
  }
}

function readValues(
  text: string,
  from: number,
  field: FilterField,
  valuesAt: number,
): readonly FilterValue[] {
  const values: FilterValue[] = []
  for (let at = valuesAt; ;) {
    const value = text[at] === '"' ? readQuoted(text, at) : readBare(text, at)
    if (value.to === at) {
      if (values.length > 0) refuse(at - 1, at, 'A value is missing after this comma.')
      if (text[at] === ',') refuse(at, at + 1, 'A value is missing before this comma.')
      refuse(
        from,
        at,
        `Write the value directly after ${quote(text.slice(from, at))}: ${field.example}`,
      )
    }
    values.push(value)
    at = value.to
    if (text[at] !== ',') {
      requireEnd(text, value.from, at)
      return values
    }
    at += 1
  }
}

function readBare(text: string, from: number): FilterValue {
  const to = runTo(text, from, ',"')
  if ('<>=!'.includes(text[from] ?? ' ')) {
    refuse(from, to, `Quote a value that begins with ${text[from] ?? ''}.`)
  }
  return { text: text.slice(from, to), quoted: false, from, to }
}

/** From the quotation mark at `from` to the next one without a preceding backslash. */
function readQuoted(text: string, from: number): FilterValue {
  let read = ''
  for (let at = from + 1; at < text.length; at += 1) {
    if (text[at] === '"') return { text: read, quoted: true, from, to: at + 1 }
    // Any other backslash is literal, as in C:\dir.
    if (text[at] === '\\' && (text[at + 1] === '"' || text[at + 1] === '\\')) at += 1
    read += text[at] ?? ''
  }
  refuse(from, text.length, 'This quotation mark is not closed.')
}

function comparisonOf(written: string): Comparison {
  switch (written) {
    case '!=':
    case '<':
    case '<=':
    case '>':
    case '>=':
      return written
    default:
      return '='
  }
}

/** Text that directly follows a term is ambiguous. */
function requireEnd(text: string, from: number, to: number): void {
  if (endsTerm(text, to)) return
  const whole = text.slice(from, runTo(text, to, ''))
  refuse(
    to,
    to + 1,
    `Put a space before ${quote(text[to] ?? '')}, or ${quote(whole)} in quotation marks, with \\" for one inside.`,
  )
}

function endsTerm(text: string, at: number): boolean {
  const character = text[at]
  return character === undefined || character === ')' || isSpace(character)
}

function skipSpace(text: string, from: number): number {
  let at = from
  while (at < text.length && isSpace(text[at] ?? '')) at += 1
  return at
}

function isSpace(character: string): boolean {
  return /\s/.test(character)
}
