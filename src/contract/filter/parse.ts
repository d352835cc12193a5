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
    return { ok: true, filter: parse(lex(text), text.length) }
  } catch (error) {
    if (error instanceof Refused) return { ok: false, error: error.error }
    throw error
  }
}

function parse(tokens: readonly Token[], length: number): Filter {
  if (tokens.length === 0) return { kind: 'all', from: 0, to: length }
  let at = 0
  let terms = 0

  function alternatives(depth: number): Filter {
    const parts = [together(depth)]
    while (tokens[at]?.kind === 'or') parts.push(afterWord(depth))
    return joined('or', parts)
  }

  function afterWord(depth: number): Filter {
    requireTerm(tokens[at])
    at += 1
    return together(depth)
  }

  function together(depth: number): Filter {
    const parts = [one(depth)]
    for (;;) {
      const token = tokens[at]
      if (!token || token.kind === 'or' || token.kind === 'close') return joined('and', parts)
      if (token.kind === 'and') {
        requireTerm(token)
        at += 1
      }
      parts.push(one(depth))
    }
  }

  function requireTerm(word: Token | undefined): void {
    const follower = tokens[at + 1]
    if (!word || (follower && startsTerm(follower))) return
    refuse(word.from, word.to, `Write a term after "${word.kind}".${asText(word)}`)
  }

  function one(depth: number): Filter {
    const token = tokens[at]
    if (!token) throw new Error('expected a term')
    if (token.kind === 'open' || token.kind === 'minus' || token.kind === 'not') {
      if (depth >= deepest) {
        refuse(token.from, token.to, `More than ${deepest} nested brackets or negations.`)
      }
    }
    switch (token.kind) {
      case 'minus':
      case 'not': {
        requireTerm(token)
        at += 1
        const part = one(depth + 1)
        return { kind: 'not', part, from: token.from, to: part.to }
      }
      case 'open':
        return brackets(token, depth)
      case 'close':
        return refuse(token.from, token.to, 'This bracket has no opening bracket.')
      case 'and':
      case 'or':
        return refuse(token.from, token.to, `Write a term before "${token.kind}".${asText(token)}`)
      case 'text':
        at += 1
        count(token)
        return textTerm(token)
      case 'field': {
        at += 1
        count(token)
        checkTerm(token)
        const { field, path, comparison, values, from, to } = token
        return { kind: 'field', field: field.name, path, comparison, values, from, to }
      }
    }
  }

  function brackets(open: Token, depth: number): Filter {
    at += 1
    const first = tokens[at]
    if (first?.kind === 'close') refuse(open.from, first.to, 'These brackets are empty.')
    if (!first) refuse(open.from, open.to, 'This bracket is not closed.')
    const inside = alternatives(depth + 1)
    const close = tokens[at]
    if (close?.kind !== 'close') refuse(open.from, open.to, 'This bracket is not closed.')
    at += 1
    return { ...inside, from: open.from, to: close.to }
  }

  function count(token: Token): void {
    terms += 1
    if (terms > maxTerms) {
      refuse(token.from, token.to, `A filter has at most ${maxTerms} terms.`)
    }
  }

  const filter = alternatives(0)
  const left = tokens[at]
  if (left) refuse(left.from, left.to, 'This bracket has no opening bracket.')
  return filter
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
