import { type Filter, type ParsedFilter, quote, refuse, Refused } from './ast.ts'
import { checkTerm } from './check.ts'
import { lex, type Token } from './lex.ts'

/** Brackets and negations, to limit the stack. */
const deepest = 60
/** Each may require examining every delivery. */
const maxTerms = 200

/** Adjacent terms must all match, and bind more tightly than `or`. Never throws, runs in linear time, and reports the first error with a correction. */
export function parseFilter(text: string): ParsedFilter {
  try {
    return { ok: true, filter: new Parser(lex(text)).parse(text.length) }
  } catch (error) {
    if (error instanceof Refused) return { ok: false, error: error.error }
    throw error
  }
}

class Parser {
  readonly #tokens: readonly Token[]
  #at = 0
  #terms = 0

  constructor(tokens: readonly Token[]) {
    this.#tokens = tokens
  }

  /** `length`: of the text. */
  parse(length: number): Filter {
    if (this.#tokens.length === 0) return { kind: 'all', from: 0, to: length }
    const filter = this.#alternatives(0)
    const left = this.#token
    if (left) refuse(left.from, left.to, 'This bracket has no opening bracket.')
    return filter
  }

  get #token(): Token | undefined {
    return this.#tokens[this.#at]
  }

  #alternatives(depth: number): Filter {
    const parts = [this.#together(depth)]
    for (let token = this.#token; token?.kind === 'or'; token = this.#token) {
      this.#skipWord(token)
      parts.push(this.#together(depth))
    }
    return joined('or', parts)
  }

  #together(depth: number): Filter {
    const parts = [this.#one(depth)]
    for (;;) {
      const token = this.#token
      if (!token || token.kind === 'or' || token.kind === 'close') return joined('and', parts)
      if (token.kind === 'and') this.#skipWord(token)
      parts.push(this.#one(depth))
    }
  }

  /** A term must follow. */
  #skipWord(word: Token): void {
    this.#at += 1
    const follower = this.#token
    if (follower && startsTerm(follower)) return
    refuse(word.from, word.to, `Write a term after "${word.kind}".${asText(word)}`)
  }

  #one(depth: number): Filter {
    const token = this.#token
    if (!token) throw new Error('expected a term')
    const { from, to } = token
    if (token.kind === 'open' || token.kind === 'minus' || token.kind === 'not') {
      if (depth >= deepest) refuse(from, to, `More than ${deepest} nested brackets or negations.`)
    }
    switch (token.kind) {
      case 'minus':
      case 'not': {
        this.#skipWord(token)
        const part = this.#one(depth + 1)
        return { kind: 'not', part, from, to: part.to }
      }
      case 'open':
        return this.#brackets(token, depth)
      case 'close':
        return refuse(from, to, 'This bracket has no opening bracket.')
      case 'and':
      case 'or':
        return refuse(from, to, `Write a term before "${token.kind}".${asText(token)}`)
      case 'text':
        this.#countTerm(token)
        return textTerm(token)
      case 'field': {
        this.#countTerm(token)
        checkTerm(token)
        const { field, path, comparison, values } = token
        return { kind: 'field', field: field.name, path, comparison, values, from, to }
      }
    }
  }

  #brackets(open: Token, depth: number): Filter {
    this.#at += 1
    const first = this.#token
    if (first?.kind === 'close') refuse(open.from, first.to, 'These brackets are empty.')
    const inside = first && this.#alternatives(depth + 1)
    const close = this.#token
    if (!inside || close?.kind !== 'close') {
      refuse(open.from, open.to, 'This bracket is not closed.')
    }
    this.#at += 1
    return { ...inside, from: open.from, to: close.to }
  }

  #countTerm({ from, to }: Token): void {
    this.#at += 1
    this.#terms += 1
    if (this.#terms > maxTerms) refuse(from, to, `A filter has at most ${maxTerms} terms.`)
  }
}

function startsTerm({ kind }: Token): boolean {
  return kind !== 'close' && kind !== 'and' && kind !== 'or'
}

function asText({ kind }: Token): string {
  return ` To search for the word, quote it: "${kind}"`
}

function joined(kind: 'and' | 'or', parts: readonly Filter[]): Filter {
  const [first] = parts
  const last = parts.at(-1)
  if (!first || !last) throw new Error('expected at least one part')
  return parts.length === 1 ? first : { kind, parts, from: first.from, to: last.to }
}

export function isSearchable(text: string): boolean {
  return /[\p{L}\p{N}\p{Co}]/u.test(text)
}

function textTerm({ text, quoted, from, to }: Extract<Token, { kind: 'text' }>): Filter {
  if (!isSearchable(text)) {
    refuse(from, to, `Search text requires letters or digits, and ${quote(text)} has none.`)
  }
  return { kind: 'text', text, quoted, from, to }
}
