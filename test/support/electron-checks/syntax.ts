import { parseSync } from 'vite'

/** An ESTree node, with the properties used by the checks. */
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

/** Returns the node and all descendants, parents before children. */
export function nodesIn(value: unknown): Node[] {
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

/** Returns the child with this name; undefined if there is none. */
export function child(node: Node | undefined, name: string): Node | undefined {
  const found = node?.[name]
  return isNode(found) ? found : undefined
}

export function children(node: Node | undefined, name: string): Node[] {
  const found = node?.[name]
  return Array.isArray(found) ? found.filter(isNode) : []
}

/** `f` of `f()`, `a.f()` and `a?.f()`; of a property `f: 1` and `'f': 1`. */
export function nameOf(node: Node | undefined): string {
  if (node === undefined) return ''
  if (node.type === 'MemberExpression') return nameOf(child(node, 'property'))
  if (node.type === 'ChainExpression') return nameOf(child(node, 'expression'))
  if (node.type === 'Property') return nameOf(child(node, 'key'))
  const name = node['name'] ?? node['value']
  return typeof name === 'string' ? name : ''
}

/** Returns literal text, or the start of a template. Null: unknown. */
export function textOf(node: Node | undefined): string | null {
  if (node?.type === 'Literal') return typeof node['value'] === 'string' ? node['value'] : null
  if (node?.type !== 'TemplateLiteral') return null
  const value = children(node, 'quasis')[0]?.['value']
  return typeof value === 'object' && value !== null && 'cooked' in value
    ? String(value.cooked)
    : null
}

/** Returns whether the node is a constant that does not depend on input. */
export function isConstant(node: Node | undefined): boolean {
  if (node?.type === 'TemplateLiteral') return children(node, 'expressions').length === 0
  return node?.type === 'Literal'
}

/** Returns all properties of an object and of nested objects. Names and spreads are resolved to a `const` of the same file. */
export function propertiesOf(node: Node | undefined, source: Source, depth = 0): Node[] {
  if (node === undefined || depth > 8) return []
  switch (node.type) {
    case 'ObjectExpression':
      return children(node, 'properties').flatMap((one) => propertiesOf(one, source, depth + 1))
    case 'Property':
      return [node, ...propertiesOf(child(node, 'value'), source, depth + 1)]
    case 'SpreadElement':
      return propertiesOf(child(node, 'argument'), source, depth + 1)
    case 'TSAsExpression':
    case 'TSSatisfiesExpression':
      return propertiesOf(child(node, 'expression'), source, depth + 1)
    case 'Identifier':
      return propertiesOf(constantOf(nameOf(node), source), source, depth + 1)
    default:
      return []
  }
}

function constantOf(name: string, { nodes }: Source): Node | undefined {
  const found = nodes.find(
    (node) => node.type === 'VariableDeclarator' && nameOf(child(node, 'id')) === name,
  )
  return child(found, 'init')
}
