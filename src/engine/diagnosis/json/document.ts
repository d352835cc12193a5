import { jsonToken } from '#shared/json/tokenizer.ts'
import type { TimeBudget } from '../time-budget.ts'
import { mayVary } from './escapes.ts'
import { tokenize, type JsonFault, type JsonTokens } from './tokens.ts'

/** A string, number, true, false or null. */
export interface Scalar {
  readonly kind: 'string' | 'number' | 'word'
  /** As written, strings with their quotes. */
  readonly raw: string
  /** Index in the document's list of strings or numbers that libraries may write differently; -1: written alike by all. */
  readonly slot: number
}

export interface Member {
  readonly key: Scalar
  readonly value: JsonNode
}

export interface JsonObject {
  readonly kind: 'object'
  readonly members: readonly Member[]
}

export interface JsonArray {
  readonly kind: 'array'
  readonly items: readonly JsonNode[]
}

export type JsonNode = JsonObject | JsonArray | Scalar

/** A JSON text whose strings and numbers keep their notation. */
export interface JsonDocument {
  readonly tokens: JsonTokens
  readonly root: JsonNode
  /** The insides of strings that vary, and for each the number of its token. */
  readonly strings: readonly string[]
  readonly numbers: readonly { readonly raw: string; readonly name: string }[]
  /** For each token its slot, as in `Template`; null: none. */
  readonly slots: ReadonlyMap<number, number>
}

/** An object or array without anything. */
export function isEmpty(node: JsonNode): boolean {
  if (node.kind === 'object') return node.members.length === 0
  return node.kind === 'array' && node.items.length === 0
}

/** A number slot, in a list together with string slots. */
export const numberSlot = (index: number): number => ~index

interface Open {
  readonly members: Member[] | null
  readonly items: JsonNode[] | null
  readonly name: string
  key: Scalar | null
}

/** `utf8` false: the text has one character per byte, and strings beyond ASCII are kept. */
export async function parseDocument(
  text: string,
  utf8: boolean,
  budget: TimeBudget,
): Promise<JsonDocument | JsonFault> {
  const tokens = await tokenize(text, budget)
  if ('fault' in tokens) return tokens
  const { count, kind, start, end } = tokens
  const strings: string[] = []
  const numbers: { raw: string; name: string }[] = []
  const slots = new Map<number, number>()
  const open: Open[] = []
  let root: JsonNode | null = null

  const scalar = (index: number, name: string): Scalar => {
    const raw = text.slice(start[index], end[index])
    if (kind[index] === jsonToken.literal) {
      const isNumber = /^[-\d]/.test(raw)
      if (!isNumber) return { kind: 'word', raw, slot: -1 }
      slots.set(index, numberSlot(numbers.length))
      return { kind: 'number', raw, slot: numbers.push({ raw, name }) - 1 }
    }
    const inside = raw.slice(1, -1)
    const varies = mayVary(inside) && (utf8 || !/[^\u0000-\u007f]/.test(inside))
    if (!varies) return { kind: 'string', raw, slot: -1 }
    slots.set(index, strings.length)
    return { kind: 'string', raw, slot: strings.push(inside) - 1 }
  }
  const add = (node: JsonNode): void => {
    const parent = open.at(-1)
    if (!parent) root = node
    else if (parent.items) parent.items.push(node)
    else if (parent.key) parent.members?.push({ key: parent.key, value: node })
  }
  for (let index = 0; index < count; index += 1) {
    if (index % 1024 === 0 && budget.due) await budget.yield()
    const parent = open.at(-1)
    const name = parent?.key ? parent.key.raw.slice(1, -1) : (parent?.name ?? '')
    switch (kind[index]) {
      case jsonToken.objectOpen:
        open.push({ members: [], items: null, name, key: null })
        break
      case jsonToken.arrayOpen:
        open.push({ members: null, items: [], name, key: null })
        break
      case jsonToken.objectClose:
      case jsonToken.arrayClose: {
        const { members, items } = open.pop() ?? { members: [], items: null }
        add(items ? { kind: 'array', items } : { kind: 'object', members: members ?? [] })
        break
      }
      case jsonToken.key:
        if (parent) parent.key = scalar(index, '')
        break
      default:
        add(scalar(index, name))
    }
  }
  return root === null ? { fault: 'no_json' } : { tokens, root, strings, numbers, slots }
}

/** The text of a string without its escapes; as written if they are invalid. */
export function textOf({ raw }: Pick<Scalar, 'raw'>): string {
  if (!raw.includes('\\')) return raw.slice(1, -1)
  try {
    return String(JSON.parse(raw))
  } catch {
    return raw.slice(1, -1)
  }
}

/** Changes objects and arrays from the inside out. Returns the same node if nothing changes. */
export function rewriteTree(
  node: JsonNode,
  change: (container: JsonObject | JsonArray) => JsonNode,
): JsonNode {
  if (node.kind === 'array') {
    const items = node.items.map((item) => rewriteTree(item, change))
    const same = items.every((item, index) => item === node.items[index])
    return change(same ? node : { kind: 'array', items })
  }
  if (node.kind !== 'object') return node
  const members = node.members.map((member) => {
    const value = rewriteTree(member.value, change)
    return value === member.value ? member : { key: member.key, value }
  })
  const same = members.every((member, index) => member === node.members[index])
  return change(same ? node : { kind: 'object', members })
}
