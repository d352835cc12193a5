/** One line of the tree: a value with its key, before its children in document order. */
export interface JsonNode {
  readonly depth: number
  /** The key as written, without quotes; a number in an array; null for the root. */
  readonly key: string | number | null
  readonly kind: 'object' | 'array' | 'string' | 'number' | 'word'
  /** A scalar as it stands in the text, digits and escapes untouched. */
  readonly text: string
  /** Index after the last node below this one. */
  end: number
  children: number
}

const nodesMost = 200_000
const scalar = /"(?:[^"\\]|\\.)*"|-?[\d.eE+-]+|true|false|null/y
const blank = /[\s,:]*/y

/**
 * Reads JSON text that is known to be valid into a flat list, without recursion and without changing a value:
 * long numbers keep their digits and double keys are all there. Stops after 200,000 nodes.
 */
export function jsonNodes(text: string): { nodes: JsonNode[]; complete: boolean } {
  const nodes: JsonNode[] = []
  const open: JsonNode[] = []
  let at = 0
  let key: string | null = null

  function add(kind: JsonNode['kind'], source: string): JsonNode {
    const parent = open.at(-1)
    const node: JsonNode = {
      depth: open.length,
      key: parent === undefined ? null : parent.kind === 'array' ? parent.children : key,
      kind,
      text: source,
      end: nodes.length + 1,
      children: 0,
    }
    if (parent) parent.children += 1
    nodes.push(node)
    key = null
    return node
  }

  function skipBlank(): void {
    blank.lastIndex = at
    blank.test(text)
    at = blank.lastIndex
  }

  for (skipBlank(); at < text.length && nodes.length < nodesMost; skipBlank()) {
    const character = text.charAt(at)
    if (character === '{' || character === '[') {
      open.push(add(character === '{' ? 'object' : 'array', ''))
      at += 1
    } else if (character === '}' || character === ']') {
      const closed = open.pop()
      if (closed) closed.end = nodes.length
      at += 1
    } else {
      scalar.lastIndex = at
      const found = scalar.exec(text)?.[0]
      // Only text that is not JSON after all comes here.
      if (found === undefined) break
      at += found.length
      if (open.at(-1)?.kind === 'object' && key === null) key = found.slice(1, -1)
      else add(kindOf(found), found)
    }
  }
  for (const node of open) node.end = nodes.length
  return { nodes, complete: at >= text.length }
}

function kindOf(source: string): JsonNode['kind'] {
  if (source.startsWith('"')) return 'string'
  return /^[tfn]/.test(source) ? 'word' : 'number'
}

/** Indexes of the nodes that are seen when some are folded. */
export function unfolded(nodes: readonly JsonNode[], folded: ReadonlySet<number>): number[] {
  const seen: number[] = []
  let index = 0
  while (index < nodes.length) {
    seen.push(index)
    const node = nodes[index]
    index = node && folded.has(index) ? node.end : index + 1
  }
  return seen
}

/** What is folded at first: nothing in a small document, all but the two top levels in a large one. */
export function foldedAtFirst(nodes: readonly JsonNode[]): Set<number> {
  const deepest = nodes.length <= 400 ? 40 : 2
  const folded = new Set<number>()
  nodes.forEach((node, index) => {
    if (node.depth >= deepest && node.children > 0) folded.add(index)
  })
  return folded
}

/** The nodes that a node lies in, outermost first. */
export function ancestors(nodes: readonly JsonNode[], index: number): number[] {
  const above: number[] = []
  for (let at = index - 1, depth = nodes[index]?.depth ?? 0; at >= 0 && depth > 0; at--) {
    const node = nodes[at]
    if (node && node.depth < depth) {
      above.push(at)
      depth = node.depth
    }
  }
  return above.toReversed()
}
