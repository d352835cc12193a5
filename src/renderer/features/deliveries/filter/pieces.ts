import type { Span } from '#contract/filter/ast.ts'

/**
 * What a stretch of a filter's text is, whether the whole can be read or not: `field` with its colon, `operator` (comparison, `or`),
 * `value`, `text` to search for, `sign` (brackets, commas, minus), `space`.
 */
export interface Piece extends Span {
  readonly kind: 'field' | 'operator' | 'value' | 'text' | 'sign' | 'space'
  /** The field that an operator, a value or a comma belongs to, as written (`data.total`); null: none. */
  readonly field: string | null
}

/** Every character of the text, in pieces. For colours and completion; what it means, only the parser says. */
export function piecesOf(text: string): Piece[] {
  const pieces: Piece[] = []
  let at = 0
  /** The field whose values stand here. */
  let field: string | null = null

  function take(kind: Piece['kind'], to: number): void {
    pieces.push({ kind, from: at, to, field: kind === 'space' ? null : field })
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
    if (field === null) takeTerm()
    else takeValue()
  }
  return pieces

  function takeTerm(): void {
    if (text[at] === '-') return take('sign', at + 1)
    const name = matched(fieldNames)
    if (name !== null) {
      field = name.slice(0, -1)
      return take('field', at + name.length)
    }
    const word = matched(quoted) ?? matched(words) ?? text.charAt(at)
    return take(/^(?:and|or|not)$/i.test(word) ? 'operator' : 'text', at + word.length)
  }

  function takeValue(): void {
    const header = field?.toLowerCase() === 'header'
    const operator = matched(header ? equals : comparisons)
    // A comparison stands once, right behind the colon or the name of the header.
    const before = pieces.at(-1)
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
/** To its end where it is not closed. */
const quoted = /"(?:\\.|[^"\\])*(?:"|\\?$)/sy
const words = /[^\s()"]+/y
const comparisons = />=|<=|!=|[<>=]/y
const equals = /!?=/y
const headerNames = /[^\s()",=!]+/y
const bareValues = /[^\s()",]+/y
