import type { Sliced } from './in-slices.ts'

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

export interface JsonNodes {
  readonly nodes: readonly JsonNode[]
  /** False when there are more than are kept. */
  readonly complete: boolean
  /** Where the text stops being JSON; null: it is JSON, as far as it was read. */
  readonly fault: number | null
}

/** More are not kept: each costs about sixty bytes. */
export const nodesMost = 2_000_000
/** Values, and pieces of long strings, between two chances to give way. */
const stride = 256

const blank = /[ \t\r\n]*/y
const plain = /[^"\\\u0000-\u001f]*/y
const escape = /\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})/y
const scalar = /-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?|true|false|null/y

/** Where a match of `pattern` at `at` ends; `at` itself when there is none. */
function after(pattern: RegExp, text: string, at: number): number {
  pattern.lastIndex = at
  return pattern.test(text) ? pattern.lastIndex : at
}

/** Where the string that begins at `at` ends; -1 when it is none. */
function* stringEnd(text: string, at: number): Sliced<number> {
  let to = at + 1
  for (let pieces = 1; ; pieces++) {
    to = after(plain, text, to)
    if (text.charAt(to) === '"') return to + 1
    const next = after(escape, text, to)
    if (next === to) return -1
    to = next
    if (pieces % stride === 0) yield
  }
}

/**
 * Reads JSON text (RFC 8259) into a flat list, without recursion and without changing a value: long numbers keep their digits
 * and double keys are all there. Stops after two million nodes, and where the text is not JSON.
 */
export function* jsonNodes(text: string): Sliced<JsonNodes> {
  const nodes: JsonNode[] = []
  const open: JsonNode[] = []
  let at = after(blank, text, 0)
  /** What may come here; `first`: after an opening bracket, which may close at once. */
  let wants: 'value' | 'first' | 'key' | 'next' = 'value'
  let key: string | null = null
  /** Keys repeat: one string for all that are equal. */
  const keys = new Map<string, string>()

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

  function ended(complete: boolean, fault: number | null): JsonNodes {
    for (const node of open) node.end = nodes.length
    return { nodes, complete, fault }
  }

  for (let turns = 1; ; turns++) {
    if (turns % stride === 0) yield
    const parent = open.at(-1)
    const character = text.charAt(at)
    if (wants === 'next' && parent === undefined) {
      return ended(true, at === text.length ? null : at)
    }
    const closes = parent?.kind === 'array' ? ']' : '}'
    if (parent && (wants === 'next' || wants === 'first') && character === closes) {
      parent.end = nodes.length
      open.pop()
      wants = 'next'
      at += 1
    } else if (wants === 'next') {
      if (character !== ',') return ended(false, at)
      wants = parent?.kind === 'array' ? 'value' : 'key'
      at += 1
    } else if (parent?.kind === 'object' && key === null) {
      const end = character === '"' ? yield* stringEnd(text, at) : -1
      const colon = end < 0 ? at : after(blank, text, end)
      if (end < 0 || text.charAt(colon) !== ':') return ended(false, colon)
      key = oneOf(keys, text.slice(at + 1, end - 1))
      wants = 'value'
      at = colon + 1
    } else if (nodes.length >= nodesMost) {
      return ended(false, null)
    } else if (character === '{' || character === '[') {
      open.push(add(character === '{' ? 'object' : 'array', ''))
      wants = 'first'
      at += 1
    } else {
      const end = character === '"' ? yield* stringEnd(text, at) : after(scalar, text, at)
      if (end <= at) return ended(false, at)
      add(kindOf(character), text.slice(at, end))
      wants = 'next'
      at = end
    }
    at = after(blank, text, at)
  }
}

function kindOf(first: string): JsonNode['kind'] {
  if (first === '"') return 'string'
  return /^[tfn]/.test(first) ? 'word' : 'number'
}

/** Past so many different ones, keys are ids and will not repeat. */
const keysMost = 10_000

function oneOf(keys: Map<string, string>, key: string): string {
  const known = keys.get(key)
  if (known !== undefined) return known
  if (keys.size < keysMost) keys.set(key, key)
  return key
}

/** Which branches are folded: those from a depth on, but for the ones that were turned. */
export interface Folding {
  readonly deepest: number
  readonly turned: ReadonlySet<number>
}

/** What is folded at first: nothing in a small document, all but the two top levels in a large one. */
export function foldedAtFirst(nodes: readonly JsonNode[]): Folding {
  return { deepest: nodes.length <= 400 ? 40 : 2, turned: new Set() }
}

export function isFolded(nodes: readonly JsonNode[], index: number, folding: Folding): boolean {
  const node = nodes[index]
  if (!node || node.children === 0) return false
  return node.depth >= folding.deepest !== folding.turned.has(index)
}

/** The folding with some branches folded or unfolded. */
export function fold(
  nodes: readonly JsonNode[],
  indexes: readonly number[],
  folding: Folding,
  folded: boolean,
): Folding {
  const wrong = indexes.filter(
    (index) => (nodes[index]?.children ?? 0) > 0 && isFolded(nodes, index, folding) !== folded,
  )
  if (wrong.length === 0) return folding
  const turned = new Set(folding.turned)
  for (const index of wrong) if (!turned.delete(index)) turned.add(index)
  return { ...folding, turned }
}

/** Indexes of the nodes that are seen. */
export function unfolded(nodes: readonly JsonNode[], folding: Folding): number[] {
  const seen: number[] = []
  let index = 0
  while (index < nodes.length) {
    seen.push(index)
    index = isFolded(nodes, index, folding) ? (nodes[index]?.end ?? index + 1) : index + 1
  }
  return seen
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
