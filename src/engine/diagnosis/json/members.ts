import { eventTypeOf } from '#catalogue/catalogue.ts'
import { commonFields } from '#catalogue/payload.ts'
import {
  isEmpty,
  rewriteTree,
  textOf,
  type JsonNode,
  type JsonObject,
  type Member,
  type Scalar,
} from './document.ts'

/** Another choice or order of the members of objects. Returns the same tree if it does not apply. */
export interface MemberRule {
  readonly cost: number
  readonly rewrite: (root: JsonNode) => JsonNode
}

type Empty = 'null' | 'string' | 'array' | 'object'

function emptyKind(node: JsonNode): Empty | null {
  if (node.kind === 'object') return node.members.length === 0 ? 'object' : null
  if (node.kind === 'array') return node.items.length === 0 ? 'array' : null
  if (node.raw === 'null') return 'null'
  return node.raw === '""' ? 'string' : null
}

function leaveOut(...kinds: readonly Empty[]): MemberRule['rewrite'] {
  const isLeftOut = ({ value }: Member): boolean => {
    const kind = emptyKind(value)
    return kind !== null && kinds.includes(kind)
  }
  return (root) =>
    rewriteTree(root, (node) =>
      node.kind === 'object' && node.members.some(isLeftOut)
        ? { kind: 'object', members: node.members.filter((member) => !isLeftOut(member)) }
        : node,
    )
}

function replaceEmpty(from: Empty, to: JsonNode): MemberRule['rewrite'] {
  return replaceValues((node) => (emptyKind(node) === from ? to : node))
}

/** `replaced`: another value of a member or item. */
function replaceValues(replaced: (node: JsonNode) => JsonNode): MemberRule['rewrite'] {
  return (root) =>
    rewriteTree(root, (container) => {
      const node = replaced(container)
      if (node.kind === 'array' && node.items.some((item) => replaced(item) !== item)) {
        return { kind: 'array', items: node.items.map(replaced) }
      }
      if (node.kind !== 'object' || node.members.every(({ value }) => replaced(value) === value)) {
        return node
      }
      const members = node.members.map(({ key, value }) => ({ key, value: replaced(value) }))
      return { kind: 'object', members }
    })
}

function rename(change: (name: string) => string): MemberRule['rewrite'] {
  const renamed = (key: Scalar): Scalar => {
    const name = textOf(key)
    const other = change(name)
    return other === name ? key : { kind: 'string', raw: JSON.stringify(other), slot: -1 }
  }
  return (root) =>
    rewriteTree(root, (node) =>
      node.kind === 'object' && node.members.some(({ key }) => renamed(key) !== key)
        ? {
            kind: 'object',
            members: node.members.map(({ key, value }) => ({ key: renamed(key), value })),
          }
        : node,
    )
}

const snake = (name: string): string =>
  name.replaceAll(/(?<=[a-z\d])[A-Z]/g, (letter) => `_${letter}`).toLowerCase()
const camel = (name: string): string =>
  name.replaceAll(/(?<=[A-Za-z\d])_([a-z\d])/g, (_, letter: string) => letter.toUpperCase())
const pascal = (name: string): string => {
  const text = camel(name)
  return (text[0] ?? '').toUpperCase() + text.slice(1)
}

/** Of equal keys the last value at the first place, as parsers keep it. */
function lastOfEqual(node: JsonObject): JsonObject {
  const values = new Map<string, Member>()
  for (const member of node.members) {
    const name = textOf(member.key)
    values.set(name, { key: values.get(name)?.key ?? member.key, value: member.value })
  }
  return values.size === node.members.length
    ? node
    : { kind: 'object', members: [...values.values()] }
}

function inObjects(change: (node: JsonObject) => JsonObject): MemberRule['rewrite'] {
  return (root) => rewriteTree(root, (node) => (node.kind === 'object' ? change(node) : node))
}

type Compare = (a: string, b: string) => number

/** By code point, as UTF-8 bytes sort. */
export const byCodePoint: Compare = (a, b) =>
  a === b ? 0 : Buffer.compare(Buffer.from(a, 'utf8'), Buffer.from(b, 'utf8'))
export const byLength: Compare = (a, b) =>
  Buffer.byteLength(a) - Buffer.byteLength(b) || byCodePoint(a, b)
const ignoringCase: Compare = (a, b) => byCodePoint(a.toLowerCase(), b.toLowerCase())
const isIndex = (name: string): boolean => /^(?:0|[1-9]\d{0,8})$/.test(name)
/** Objects of JavaScript have integer keys first. */
const indexesFirst: Compare = (a, b) =>
  isIndex(a) && isIndex(b) ? Number(a) - Number(b) : Number(isIndex(b)) - Number(isIndex(a))

function sortedBy(compare: Compare): (node: JsonObject) => JsonObject {
  return (node) => {
    const unique = lastOfEqual(node)
    const named = unique.members.map((member) => ({ member, name: textOf(member.key) }))
    const sorted = named.toSorted((a, b) => compare(a.name, b.name))
    const same = sorted.every(({ member }, index) => member === unique.members[index])
    return same ? unique : { kind: 'object', members: sorted.map(({ member }) => member) }
  }
}

const empty = {
  object: { kind: 'object', members: [] },
  array: { kind: 'array', items: [] },
} as const
const word = (raw: string): Scalar => ({ kind: raw === 'null' ? 'word' : 'string', raw, slot: -1 })

const textNode = (text: string): Scalar => ({ kind: 'string', raw: JSON.stringify(text), slot: -1 })

/** Of `boost::property_tree`, which knows only texts, also of numbers. */
function asText(node: JsonNode): JsonNode {
  if (isEmpty(node)) return textNode('')
  return node.kind === 'word' ? textNode(node.raw) : node
}

/** Of R, where each value is a vector, and null is an empty list. */
function boxed({ members }: JsonObject): JsonObject {
  return { kind: 'object', members: members.map(({ key, value }) => ({ key, value: box(value) })) }
}

function box(value: JsonNode): JsonNode {
  if (!('raw' in value)) return value
  return value.raw === 'null' ? empty.object : { kind: 'array', items: [value] }
}

/** Libraries that take texts for times write the fraction of the second without zeros at its end. */
function withTimes(write: (date: string, time: string, zone: string) => string) {
  return replaceValues((node) => {
    const [, date = '', time = '', fraction = '', zone = ''] =
      (node.kind === 'string' &&
        /^"(\d{4}-\d\d-\d\d)T(\d\d:\d\d:\d\d)(\.\d+)?(Z?)"$/.exec(node.raw)) ||
      []
    if (date === '') return node
    const rest = fraction.replace(/(?<!0)0+$/, '')
    const text = write(date, time + (rest === '.' ? '' : rest), zone)
    return node.kind === 'string' && node.raw === `"${text}"` ? node : textNode(text)
  })
}

export const memberRules = {
  noNulls: { cost: 2, rewrite: leaveOut('null') },
  lastOfEqual: { cost: 2, rewrite: inObjects(lastOfEqual) },
  noEmptyStrings: { cost: 4, rewrite: leaveOut('string') },
  noEmptyArrays: { cost: 4, rewrite: leaveOut('array') },
  noEmptyObjects: { cost: 4, rewrite: leaveOut('object') },
  noEmptyValues: { cost: 5, rewrite: leaveOut('null', 'string', 'array', 'object') },
  noNullsOrStrings: { cost: 5, rewrite: leaveOut('null', 'string') },
  noNullsOrArrays: { cost: 5, rewrite: leaveOut('null', 'array') },
  objectsAsArrays: { cost: 4, rewrite: replaceEmpty('object', empty.array) },
  arraysAsObjects: { cost: 5, rewrite: replaceEmpty('array', empty.object) },
  arraysAsNull: { cost: 6, rewrite: replaceEmpty('array', word('null')) },
  nullsAsStrings: { cost: 6, rewrite: replaceEmpty('null', word('""')) },
  stringsAsNull: { cost: 6, rewrite: replaceEmpty('string', word('null')) },
  nullsAsObjects: { cost: 6, rewrite: replaceEmpty('null', empty.object) },
  nullsAsArrays: { cost: 6, rewrite: replaceEmpty('null', empty.array) },
  objectsAsNull: { cost: 6, rewrite: replaceEmpty('object', word('null')) },
  emptyAsNull: {
    cost: 7,
    rewrite: replaceValues((node) =>
      emptyKind(node) === 'array' || ('raw' in node && node.raw === 'false') ? word('null') : node,
    ),
  },
  unboxed: {
    cost: 6,
    rewrite: replaceValues((node) =>
      node.kind === 'array' && node.items.length === 1 ? (node.items[0] ?? node) : node,
    ),
  },
  boxed: { cost: 6, rewrite: inObjects(boxed) },
  texts: { cost: 7, rewrite: replaceValues(asText) },
  times: { cost: 5, rewrite: withTimes((date, time, zone) => `${date}T${time}${zone}`) },
  sqlTimes: { cost: 7, rewrite: withTimes((date, time) => `${date} ${time}`) },
  snake: { cost: 6, rewrite: rename(snake) },
  camel: { cost: 6, rewrite: rename(camel) },
  pascal: { cost: 6, rewrite: rename(pascal) },
} as const satisfies Record<string, MemberRule>

const reversed = (node: JsonObject): JsonObject => {
  const { members } = lastOfEqual(node)
  return members.length < 2 ? node : { kind: 'object', members: members.toReversed() }
}

/** Computed once for each name, since a sort asks for it many times. */
function once<T>(compute: (name: string) => T): (name: string) => T {
  const known = new Map<string, T>()
  return (name) => {
    const value = known.get(name) ?? compute(name)
    known.set(name, value)
    return value
  }
}

function javaHash(name: string): number {
  let sum = 0
  for (const unit of name.split('')) sum = (Math.imul(sum, 31) + unit.charCodeAt(0)) | 0
  return sum
}

/** The buckets of a HashMap of Java, which grows to four thirds of its keys; within one, as they were added. */
function byBucket(node: JsonObject): JsonObject {
  const count = lastOfEqual(node).members.length
  let size = 16
  while (count > size * 0.75) size *= 2
  const bucket = once((name) => {
    const sum = javaHash(name)
    return (sum ^ (sum >>> 16)) & (size - 1)
  })
  return sortedBy((a, b) => bucket(a) - bucket(b))(node)
}

/** Murmur3 of an integer, as Clojure hashes texts. */
function murmur(value: number): number {
  const first = Math.imul(value, 0xcc9e2d51)
  const mixed = Math.imul((first << 15) | (first >>> 17), 0x1b873593)
  let hash = (Math.imul((mixed << 13) | (mixed >>> 19), 5) + 0xe6546b64) ^ 4
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b)
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35)
  return hash ^ (hash >>> 16)
}

/** Five bits of the hash at a time, as the path in the tree of a map of Clojure. */
function treePath(name: string): string {
  const hash = murmur(javaHash(name))
  const level = (nth: number): string => String.fromCharCode(64 + ((hash >>> (nth * 5)) & 31))
  return Array.from({ length: 7 }, (_, nth) => level(nth)).join('')
}

/** A map of Clojure is a tree if it has more than eight keys. */
function byTree(node: JsonObject): JsonObject {
  const unique = lastOfEqual(node)
  const path = once(treePath)
  return unique.members.length <= 8
    ? unique
    : sortedBy((a, b) => byCodePoint(path(a), path(b)))(unique)
}

export const orderRules = {
  indexesFirst: { cost: 2, rewrite: inObjects(sortedBy(indexesFirst)) },
  sorted: { cost: 3, rewrite: inObjects(sortedBy(byCodePoint)) },
  sortedFirstLevel: {
    cost: 4,
    rewrite: (root) => (root.kind === 'object' ? sortedBy(byCodePoint)(root) : root),
  },
  byLength: { cost: 4, rewrite: inObjects(sortedBy(byLength)) },
  documented: { cost: 5, rewrite: documentedOrder },
  descending: { cost: 5, rewrite: inObjects(sortedBy((a, b) => byCodePoint(b, a))) },
  reversed: { cost: 5, rewrite: inObjects(reversed) },
  buckets: { cost: 5, rewrite: inObjects(byBucket) },
  tree: { cost: 6, rewrite: inObjects(byTree) },
  ignoringCase: { cost: 6, rewrite: inObjects(sortedBy(ignoringCase)) },
} as const satisfies Record<string, MemberRule>

function documentedNames(root: JsonNode): { payload: string[]; data: string[] } {
  const type = root.kind === 'object' ? memberOf(root, 'type')?.value : undefined
  const known = type?.kind === 'string' ? eventTypeOf(textOf(type)) : undefined
  return {
    payload: commonFields.map(({ key }) => key),
    data: known?.data.map(({ key }) => key) ?? [],
  }
}

function memberOf(node: JsonObject, name: string): Member | undefined {
  return node.members.findLast(({ key }) => textOf(key) === name)
}

function inPayload(
  root: JsonNode,
  change: (node: JsonObject, names: readonly string[]) => JsonObject,
): JsonNode {
  if (root.kind !== 'object') return root
  const { payload, data } = documentedNames(root)
  const members = root.members.map((member) => {
    if (textOf(member.key) !== 'data' || member.value.kind !== 'object') return member
    const value = change(member.value, data)
    return value === member.value ? member : { key: member.key, value }
  })
  const same = members.every((member, index) => member === root.members[index])
  return change(same ? root : { kind: 'object', members }, payload)
}

function documentedOrder(root: JsonNode): JsonNode {
  return inPayload(root, (node, names) => {
    const place = (name: string): number =>
      (names.indexOf(name) + names.length + 1) % (names.length + 1)
    return sortedBy((a, b) => place(a) - place(b))(node)
  })
}

/** Most members that can be missing of one event. */
const maxMissing = 24

/** Documented members that are missing, added as null at their place: each, in pairs, and all. */
export function addedNulls(root: JsonNode): MemberRule[] {
  if (root.kind !== 'object') return []
  const missing: string[] = []
  const add = (wanted: ReadonlySet<string>): JsonNode =>
    inPayload(root, (node, names) => withNulls(node, names, wanted))
  inPayload(root, (node, names) => {
    const scope = names.includes('data') ? '' : 'data.'
    missing.push(...names.filter((name) => !memberOf(node, name)).map((name) => scope + name))
    return node
  })
  const all = missing.slice(0, maxMissing)
  const rule = (cost: number, ...names: readonly string[]): MemberRule => ({
    cost,
    rewrite: (from) => (from === root ? add(new Set(names)) : from),
  })
  return [
    ...all.map((name) => rule(4, name)),
    ...(all.length > 2 ? [rule(4, ...missing)] : []),
    ...all.flatMap((one, index) => all.slice(index + 1).map((other) => rule(5, one, other))),
  ]
}

function withNulls(
  node: JsonObject,
  names: readonly string[],
  wanted: ReadonlySet<string>,
): JsonObject {
  const scope = names.includes('data') ? '' : 'data.'
  const members = [...node.members]
  for (const [index, name] of names.entries()) {
    if (!wanted.has(scope + name) || memberOf(node, name)) continue
    const before = names.slice(0, index)
    const at = members.findLastIndex(({ key }) => before.includes(textOf(key)))
    const key: Scalar = { kind: 'string', raw: JSON.stringify(name), slot: -1 }
    members.splice(at + 1, 0, { key, value: word('null') })
  }
  return members.length === node.members.length ? node : { kind: 'object', members }
}
