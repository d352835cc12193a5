import { common, createLowlight } from 'lowlight'

const lowlight = createLowlight(common)

/** Endings of files whose languages are not known by them. */
const languages: Readonly<Record<string, string>> = { csproj: 'xml', jsonc: 'json', ru: 'ruby' }

export interface Token {
  /** A scope of highlight.js, such as `keyword`; null: none. */
  readonly scope: string | null
  readonly text: string
}

/** The tokens of a file. One without a scope if its language is not known. */
export function tokensOf(file: string, text: string): Token[] {
  const ending = file.slice(file.lastIndexOf('.') + 1)
  const language = languages[ending] ?? ending
  if (!lowlight.registered(language)) return [{ scope: null, text }]
  const tokens: Token[] = []
  addTokens(lowlight.highlight(language, text).children, null, tokens)
  return tokens
}

type Nodes = ReturnType<typeof lowlight.highlight>['children']

function addTokens(nodes: Nodes, scope: string | null, to: Token[]): void {
  for (const node of nodes) {
    if (node.type === 'text') to.push({ scope, text: node.value })
    else if (node.type === 'element') {
      const [name = ''] = [node.properties['className']].flat()
      addTokens(node.children, name.replace(/^hljs-/, '').replace(/_$/, ''), to)
    }
  }
}
