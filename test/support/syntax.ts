import { parseSync } from 'vite'

/** An ESTree node. */
export interface Node {
  readonly type: string
  readonly start: number
  readonly [key: string]: unknown
}

export interface Source {
  readonly file: string
  readonly text: string
  /** All nodes, parents before children. */
  readonly nodes: readonly Node[]
  lineOf(node: Node): number
}

/** Parses a module. Throws if it cannot be parsed completely, because the rest would not be checked. */
export function readSource(file: string, text: string): Source {
  const { program, errors } = parseSync(file, text)
  if (errors.length > 0) throw new Error(`${file} is not understood: ${errors[0]?.message}`)
  return {
    file,
    text,
    nodes: nodesIn(program),
    lineOf: ({ start }) => text.slice(0, start).split('\n').length,
  }
}

/** The node and all descendants, parents before children. */
function nodesIn(value: unknown): Node[] {
  const found: Node[] = []
  collect(value, found)
  return found
}

function collect(value: unknown, into: Node[]): void {
  if (Array.isArray(value)) for (const one of value) collect(one, into)
  else if (isNode(value)) {
    into.push(value)
    for (const inner of Object.values(value)) collect(inner, into)
  }
}

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && 'type' in value && 'start' in value
}

export function child(node: Node | undefined, name: string): Node | undefined {
  const found = node?.[name]
  return isNode(found) ? found : undefined
}
