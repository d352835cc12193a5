import type { Span } from '#contract/filter/ast.ts'

/**
 * A token of a filter text, which may be invalid: `field` with its colon, `operator` (comparison, `or`), `value`, `text` to search for,
 * `sign` (parentheses, commas, minus), `space`.
 */
export interface Token extends Span {
  readonly kind: 'field' | 'operator' | 'value' | 'text' | 'sign' | 'space'
  /** The field that an operator, value or comma belongs to, as written (`data.total`); null if none. */
  readonly field: string | null
}

/** Splits the text into tokens that cover every character. Used for highlighting and completion; only the parser defines the meaning. */
export function tokenize(text: string): Token[] {
  const tokens: Token[] = []
  let at = 0
  /** The field whose values are being read. */
  let field: string | null = null

  function take(kind: Token['kind'], to: number): void {
    tokens.push({ kind, from: at, to, field: kind === 'space' ? null : field })
    at = to
  }
  function matched(pattern: RegExp): string | null {
    pattern.lastIndex = at
    return pattern.exec(text)?.[0] ?? null
  }

  while (at < text.length) {
    const space = matched(spaces)
    if (space !== null) {
      field = null
      take('space', at + space.length)
      continue
    }
    const sign = matched(brackets)
    if (sign !== null) {
      field = null
      take('sign', at + 1)
      continue
    }
    if (field === null) readTerm()
    else readValue()
  }
  return tokens

  function readTerm(): void {
    if (text[at] === '-') return take('sign', at + 1)
    const name = matched(fieldNames)
    if (name !== null) {
      field = name.slice(0, -1)
      return take('field', at + name.length)
    }
    const word = matched(quoted) ?? matched(words) ?? text.charAt(at)
    return take(/^(?:and|or|not)$/i.test(word) ? 'operator' : 'text', at + word.length)
  }

  function readValue(): void {
    const header = field?.toLowerCase() === 'header'
    const operator = matched(header ? equals : comparisons)
    // There is at most one comparison, directly after the colon or the header name.
    const before = tokens.at(-1)
    if (operator !== null && before?.kind === (header ? 'value' : 'field')) {
      return take('operator', at + operator.length)
    }
    if (text[at] === ',') return take('sign', at + 1)
    const name = header && before?.kind === 'field' ? matched(headerNames) : null
    const value = name ?? matched(quoted) ?? matched(bareValues) ?? text.charAt(at)
    take('value', at + value.length)
  }
}

const spaces = /\s+/y
const brackets = /[()]/y
const fieldNames = /(?:(?:data|body)(?:\.(?:"(?:\\.|[^"\\])*"|[^\s():".]*))+|[a-z]+):/iy
/** A quoted string, up to the end of the text if it is not closed. */
const quoted = /"(?:\\.|[^"\\])*(?:"|\\?$)/sy
const words = /[^\s()"]+/y
const comparisons = />=|<=|!=|[<>=]/y
const equals = /!?=/y
const headerNames = /[^\s()",=!]+/y
const bareValues = /[^\s()",]+/y
