import { lexer, type Token } from 'marked'

/** Markup that Tabscope writes. Any other markup (links, images, HTML, emphasis, tables, quotes ...) must come from untrusted text. */
const expected = new Set(['heading', 'paragraph', 'list', 'list_item', 'text', 'space', 'hr'])

function* tokensIn(tokens: readonly Token[]): Generator<Token> {
  for (const token of tokens) {
    yield token
    const within: readonly Token[] =
      token.type === 'list' ? token['items'] : 'tokens' in token ? (token.tokens ?? []) : []
    yield* tokensIn(within)
  }
}

/** Returns the headings, by GitHub's rules. */
export function markdownHeadings(text: string): string[] {
  return lexer(text).flatMap((token) => (token.type === 'heading' ? [String(token['text'])] : []))
}

/** Returns the text outside code spans and code blocks. Throws for markup that Tabscope does not write. */
export function looseText(text: string): string {
  const loose: string[] = []
  for (const token of tokensIn(lexer(text))) {
    if (token.type === 'code' || token.type === 'codespan') continue
    if (!expected.has(token.type)) throw new Error(`${token.type}: ${token.raw}`)
    if (token.type === 'text' && !('tokens' in token && token.tokens)) loose.push(token.raw)
  }
  return loose.join('\n')
}
