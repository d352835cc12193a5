import { eventTypeOf } from '#catalogue/catalogue.ts'
import { isTypeName } from '#catalogue/harmless.ts'
import { childPath } from '#shared/json/path.ts'
import { JsonParser, jsonToken, type JsonToken } from '#shared/json/tokenizer.ts'
import { isAlias, startsWithAlias, withoutAliasNumbers } from '../masking/aliases.ts'
import { maskBody } from '../masking/body.ts'
import { decodeString } from '../masking/text.ts'
import { Values } from '../masking/values.ts'
import { searchedBytes } from '../search/indexer/limits.ts'
import { searchedText } from '../search/indexer/searchable.ts'
import type { FieldExample, JsonKind, NoticeChange } from '#contract/deliveries.ts'

/** Undocumented ones. All others count as one. */
const maxTypes = 20
export const otherTypes = '*'
const maxFields = 200
const maxPathLength = 120
const maxNodes = 5000
const maxExamples = 3
/** Examples come from the first payloads with a field. */
const examplePayloads = 50
const maxExampleLength = 60
/** Aliases of keys take memory. */
const payloadsPerMasker = 1000

/** Payloads that a notice requires before it. */
const leastPayloads = 20
const regularShare = 0.9
const absence = { us: 86_400_000_000, payloads: 5 } as const

/** Of one type. What it counts are payloads. */
export interface FieldState {
  readonly parent: string
  payloads: number
  readonly kinds: Partial<Record<JsonKind, number>>
  readonly firstId: number
  readonly firstUs: number
  lastId: number
  lastUs: number
  /** Payloads with its parent before the first with the field, and up to the last. */
  readonly parentsBefore: number
  parentsAtLast: number
  /** A notice said so. */
  absent: boolean
  readonly examples: FieldExample[]
}

/** By path; `''` is the payload itself. Parents come before what is in them. */
export type TypeFields = Map<string, FieldState>

export interface Notice {
  readonly type: string
  readonly path: string
  readonly change: NoticeChange
  /** The new JSON type. */
  readonly kind: JsonKind | ''
  /** The first delivery with the change; for an absent field, the last with it. */
  readonly id: number
  readonly us: number
}

export interface ObservedPayload extends StoredBody {
  readonly id: number
  readonly receivedUs: number
  readonly type: string | null
  /** From a masked event log. */
  readonly masked: boolean
}

const kinds = [
  'string',
  'number',
  'boolean',
  'null',
  'object',
  'array',
] as const satisfies JsonKind[]
const [stringKind, numberKind, booleanKind, nullKind, objectKind, arrayKind] = [0, 1, 2, 3, 4, 5]

interface StoredBody {
  /** Names and values alternately, joined by line feeds. */
  readonly headers: string
  /** SQLite returns NULL for a slice of an empty body. */
  readonly body: Uint8Array | null
}

/** Decoded. Null: it is too large, or no text. */
export function payloadBytes({ headers, body }: StoredBody): Uint8Array | null {
  const size = body?.byteLength ?? 0
  if (body === null || size > searchedBytes) return null
  return searchedText({ headers, trailers: '', body, size }).bytes
}

interface Masker {
  readonly values: Values
  readonly root: PathNode
  /** Kept paths. */
  nodes: number
}

interface Occurrence {
  readonly parent: string
  /** A bit for each of `kinds`. */
  kinds: number
  /** The number of its first string or number among those of the payload. */
  scalar: number | null
}

/** The fields of payloads by type, in order of deliveries. What it learns depends on nothing else, so that counting again gives the same. */
export class PayloadFields {
  readonly #types: Map<string, TypeFields>
  readonly #changed = new Set<string>()
  #notices: Notice[] = []
  readonly #products = new Set<string>()
  #maskers = new Map<boolean, Masker>()
  #added = 0

  constructor(types: Iterable<readonly [type: string, fields: TypeFields]> = []) {
    this.#types = new Map(types)
  }

  /** Does nothing if the body is not a JSON object. */
  add(payload: ObservedPayload): void {
    const body = payloadBytes(payload)
    const masker = this.#masker(payload.masked)
    const text = body && toText(body)
    const found = text && readFields(masker, text)
    if (!body || !text || !found) return
    const type = this.#typeOf(payload.type)
    const fields = this.#types.get(type) ?? new Map<string, FieldState>()
    this.#types.set(type, fields)
    this.#changed.add(type)
    for (const [path, occurrence] of found) this.#count(fields, type, path, occurrence, payload)
    this.#findAbsent(fields, type, found, payload.receivedUs)
    this.#addExamples(fields, found, { ...payload, body, text }, masker.values)
  }

  /** What changed since the last call. */
  take(): { readonly types: [type: string, fields: TypeFields][]; readonly notices: Notice[] } {
    const types = [...this.#changed].map((type): [string, TypeFields] => [
      type,
      this.#types.get(type) ?? new Map(),
    ])
    const notices = this.#notices
    this.#changed.clear()
    this.#notices = []
    return { types, notices }
  }

  /** A type that does not look like one may be a value. */
  #typeOf(type: string | null): string {
    if (type === null || eventTypeOf(type) || this.#types.has(type)) return type ?? ''
    const others = [...this.#types.keys()].filter((known) => !eventTypeOf(known)).length
    return isTypeName(type) && others < maxTypes ? type : otherTypes
  }

  #masker(masked: boolean): Masker {
    this.#added += 1
    if (this.#added % payloadsPerMasker === 0) this.#maskers.clear()
    const known = this.#maskers.get(masked)
    if (known) return known
    const masker = {
      values: new Values({ products: this.#products, masked }),
      root: new PathNode(''),
      nodes: 0,
    }
    this.#maskers.set(masked, masker)
    return masker
  }

  #count(
    fields: TypeFields,
    type: string,
    path: string,
    { parent, kinds: bits }: Occurrence,
    { id, receivedUs: us }: ObservedPayload,
  ): void {
    const parents = path === '' ? 0 : (fields.get(parent)?.payloads ?? 1)
    const field = fields.get(path)
    if (!field) {
      if (fields.size >= maxFields) return
      fields.set(path, {
        parent,
        payloads: 1,
        kinds: Object.fromEntries(kindsIn(bits).map((kind) => [kind, 1])),
        firstId: id,
        firstUs: us,
        lastId: id,
        lastUs: us,
        parentsBefore: parents - 1,
        parentsAtLast: parents,
        absent: false,
        examples: [],
      })
      if (parents > leastPayloads && !isElement(path)) {
        this.#notify({ type, path, change: 'appeared', kind: '', id, us })
      }
      return
    }
    for (const kind of kindsIn(bits)) {
      if (!field.kinds[kind] && field.payloads >= leastPayloads) {
        this.#notify({ type, path, change: 'type', kind, id, us })
      }
      field.kinds[kind] = (field.kinds[kind] ?? 0) + 1
    }
    field.payloads += 1
    field.lastId = id
    field.lastUs = us
    field.parentsAtLast = parents
    field.absent = false
  }

  /** Counts payloads that have the object in which the field was. */
  #findAbsent(
    fields: TypeFields,
    type: string,
    found: ReadonlyMap<string, Occurrence>,
    us: number,
  ): void {
    for (const [path, field] of fields) {
      if (field.absent || found.has(path) || isElement(path)) continue
      const before = field.parentsAtLast - field.parentsBefore
      if (before < leastPayloads || field.payloads < before * regularShare) continue
      const since = (fields.get(field.parent)?.payloads ?? 0) - field.parentsAtLast
      if (since < absence.payloads || us - field.lastUs < absence.us) continue
      field.absent = true
      const { lastId: id, lastUs } = field
      this.#notify({ type, path, change: 'absent', kind: '', id, us: lastUs })
    }
  }

  /** A mixture of types differs from payload to payload. */
  #notify(notice: Notice): void {
    if (notice.type !== otherTypes) this.#notices.push(notice)
  }

  #addExamples(
    fields: TypeFields,
    found: ReadonlyMap<string, Occurrence>,
    {
      body,
      text,
      type,
      masked,
    }: ObservedPayload & { readonly body: Uint8Array; readonly text: string },
    values: Values,
  ): void {
    const wanted = [...found].flatMap(([path, { scalar }]) => {
      const field = fields.get(path)
      const isWanted =
        field && field.examples.length < maxExamples && field.payloads <= examplePayloads
      return isWanted && scalar !== null ? [{ field, scalar }] : []
    })
    if (wanted.length === 0) return
    values.people.clear()
    this.#products.clear()
    const shown = scalarsOf(toText(maskBody(values, body, { headers: [], type }).bytes))
    const clear = scalarsOf(text)
    for (const { field, scalar } of wanted) {
      const source = shown[scalar]
      if (source === undefined) continue
      const isMasked = source !== clear[scalar] || (masked && startsWithAlias(source))
      const value = source.startsWith('"') ? decodeString(source.slice(1, -1)) : source
      if (value === null) continue
      const form = isMasked ? withoutAliasNumbers(value) : value
      const example = { text: form.slice(0, maxExampleLength).toWellFormed(), masked: isMasked }
      if (field.examples.every((each) => each.text !== example.text)) field.examples.push(example)
    }
  }
}

/** An element of a list: lists are often empty. */
function isElement(path: string): boolean {
  return path.endsWith('[]')
}

/** One character for each byte, without a byte order mark. */
function toText(body: Uint8Array): string {
  const text = Buffer.from(body.buffer, body.byteOffset, body.byteLength).toString('latin1')
  return text.startsWith('\xef\xbb\xbf') ? text.slice(3) : text
}

/** A path, with those in it that were met: most payloads have the same ones. */
class PathNode {
  readonly path: string
  readonly members = new Map<string, PathNode>()
  #elements: PathNode | null = null

  constructor(path: string) {
    this.path = path
  }

  get elements(): PathNode {
    if (this.path.length > maxPathLength) return this
    return (this.#elements ??= new PathNode(`${this.path}[]`))
  }
}

interface Frame {
  readonly node: PathNode
  readonly isObject: boolean
  readonly keys: { maps: boolean }
}

/** Null: no JSON object. */
function readFields(masker: Masker, text: string): Map<string, Occurrence> | null {
  const { root } = masker
  const parser = new JsonParser(text, { strict: true })
  const found = new Map<string, Occurrence>()
  const frames: Frame[] = []
  let member = root
  let scalars = 0
  for (;;) {
    const token = parser.next()
    const frame = frames.at(-1)
    switch (token) {
      case jsonToken.end:
        return found
      case jsonToken.key:
        if (frame) member = memberOf(masker, frame, text.slice(parser.from + 1, parser.to - 1))
        continue
      case jsonToken.objectClose:
      case jsonToken.arrayClose:
        frames.pop()
        continue
      default:
        if (token === jsonToken.other || (!frame && token !== jsonToken.objectOpen)) return null
    }
    const node = !frame ? root : frame.isObject ? member : frame.node.elements
    const kind = kindOf(token, text.charCodeAt(parser.from))
    const isScalar = kind <= numberKind
    if (node.path.length <= maxPathLength) {
      const scalar = isScalar ? scalars : null
      const known = found.get(node.path)
      if (!known) {
        found.set(node.path, { parent: frame?.node.path ?? '', kinds: 1 << kind, scalar })
      } else {
        known.kinds |= 1 << kind
        known.scalar ??= scalar
      }
    }
    if (isScalar) scalars += 1
    else if (kind >= objectKind) {
      frames.push({ node, isObject: kind === objectKind, keys: { maps: false } })
    }
  }
}

/** A key that may be a value is not stored. */
function memberOf(masker: Masker, { node, keys }: Frame, inner: string): PathNode {
  if (node.path.length > maxPathLength) return node
  const known = keys.maps ? undefined : node.members.get(inner)
  if (known) return known
  const { path } = node
  const isShown = masker.values.key(inner, true, keys) === inner && !isAlias(inner)
  const key = isShown ? decodeString(inner) : null
  if (key === null) return new PathNode(path === '' ? '*' : `${path}.*`)
  const member = new PathNode(childPath(path, key))
  if (masker.nodes < maxNodes) {
    node.members.set(inner, member)
    masker.nodes += 1
  }
  return member
}

const kindsOfBits = Array.from({ length: 2 ** kinds.length }, (_, bits) =>
  kinds.filter((_kind, index) => (bits >> index) % 2 === 1),
)

function kindsIn(bits: number): readonly JsonKind[] {
  return kindsOfBits[bits] ?? []
}

function kindOf(token: JsonToken, start: number): number {
  if (token === jsonToken.objectOpen) return objectKind
  if (token === jsonToken.arrayOpen) return arrayKind
  if (token === jsonToken.string) return stringKind
  // Of `null`, `true` and `false`.
  return start === 0x6e ? nullKind : start === 0x74 || start === 0x66 ? booleanKind : numberKind
}

/** The source of each string and number, in order: masking replaces values and keys, and leaves all else. */
function scalarsOf(text: string): string[] {
  const parser = new JsonParser(text, { strict: true })
  const sources: string[] = []
  for (;;) {
    const token = parser.next()
    if (token === jsonToken.end || token === jsonToken.other) return sources
    if (token !== jsonToken.string && token !== jsonToken.literal) continue
    if (kindOf(token, text.charCodeAt(parser.from)) <= numberKind) sources.push(parser.source)
  }
}
