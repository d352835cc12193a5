import { eventTypeOf } from '#catalogue/catalogue.ts'
import { documentedField } from '#catalogue/field-type.ts'
import { isDocumentedKey, isHarmlessKey, isIdentifier, isTypeName } from '#catalogue/harmless.ts'
import { isObject, type JsonObject } from '#shared/json/object.ts'
import { childPath } from '#shared/json/path.ts'
import { parseBody } from '../../payload/parse-body.ts'
import { isAlias } from '../../payload/masking/aliases.ts'
import { searchedBytes, searchedText } from '../searchable.ts'
import type { JsonKind, NoticeChange } from '#contract/deliveries.ts'

/** Undocumented ones. All others count as one. */
const maxTypes = 20
export const otherTypes = '*'
const maxFields = 200
const maxPathLength = 120
const maxPaths = 5000

const leastPayloads = 20
const regularShare = 0.9
const absence = { us: 86_400_000_000, payloads: 5 } as const

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
}

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

interface Occurrence {
  readonly parent: string
  readonly kinds: Set<JsonKind>
}

type Found = Map<string, Occurrence>

/** The fields of payloads by type, in order of deliveries. What it learns depends on nothing else. */
export class PayloadFields {
  readonly #types: Map<string, TypeFields>
  readonly #changed = new Set<string>()
  #notices: Notice[] = []
  /** Paths of keys that a masked export shows: most payloads have the same ones. */
  readonly #paths = new Map<string, string>()

  constructor(types: Iterable<readonly [type: string, fields: TypeFields]> = []) {
    this.#types = new Map(types)
  }

  /** Does nothing if the body is not a JSON object. */
  add(payload: ObservedPayload): void {
    const body = payloadBytes(payload)
    if (!body) return
    const value = parseBody(body)
    if (value.kind !== 'object') return
    const type = this.#typeOf(payload.type)
    const fields = this.#types.get(type) ?? new Map<string, FieldState>()
    this.#types.set(type, fields)
    this.#changed.add(type)
    const found: Found = new Map()
    this.#read(found, value.payload, { type: payload.type, path: '', parent: '' })
    for (const [path, occurrence] of found) this.#count(fields, type, path, occurrence, payload)
    this.#findAbsent(fields, type, found, payload.receivedUs)
  }

  /** What changed since the last call. */
  take(): { types: [type: string, fields: TypeFields][]; notices: Notice[] } {
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

  #read(found: Found, value: unknown, at: Position): void {
    const { type, path, parent } = at
    if (path.length > maxPathLength) return
    const kind = kindOf(value)
    const known = found.get(path)
    if (known) known.kinds.add(kind)
    else found.set(path, { parent, kinds: new Set([kind]) })
    if (Array.isArray(value)) {
      for (const each of value) this.#read(found, each, { type, path: `${path}[]`, parent: path })
    } else if (isObject(value)) this.#readMembers(found, value, at)
  }

  /** Names that a masked export replaces, because they may be values, are one: `*`. */
  #readMembers(found: Found, value: JsonObject, { type, path }: Position): void {
    // Whether the object has values in the place of names.
    let maps = false
    for (const [key, member] of Object.entries(value)) {
      const from = `${path}\n${key}`
      let child = this.#paths.get(from)
      if (child === undefined) {
        child = childPath(path, key)
        const isHarmless = !isAlias(key) && isHarmlessKey(key) && !(maps && !isDocumentedKey(key))
        if (isHarmless || documentedField(type, child)) {
          if (this.#paths.size < maxPaths) this.#paths.set(from, child)
        } else {
          if (!isIdentifier(key)) maps = true
          child = path === '' ? '*' : `${path}.*`
        }
      }
      this.#read(found, member, { type, path: child, parent: path })
    }
  }

  #count(
    fields: TypeFields,
    type: string,
    path: string,
    { parent, kinds }: Occurrence,
    { id, receivedUs: us }: ObservedPayload,
  ): void {
    const parents = path === '' ? 0 : (fields.get(parent)?.payloads ?? 1)
    const field = fields.get(path)
    if (!field) {
      if (fields.size >= maxFields) return
      fields.set(path, {
        parent,
        payloads: 1,
        kinds: Object.fromEntries([...kinds].map((kind) => [kind, 1])),
        firstId: id,
        firstUs: us,
        lastId: id,
        lastUs: us,
        parentsBefore: parents - 1,
        parentsAtLast: parents,
        absent: false,
      })
      if (parents > leastPayloads && !isElement(path)) {
        this.#notify({ type, path, change: 'appeared', kind: '', id, us })
      }
      return
    }
    for (const kind of kinds) {
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

  #findAbsent(fields: TypeFields, type: string, found: Found, us: number): void {
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
}

interface Position {
  /** Of the payload, as received. */
  readonly type: string | null
  readonly path: string
  readonly parent: string
}

/** An element of a list: lists are often empty. */
function isElement(path: string): boolean {
  return path.endsWith('[]')
}

function kindOf(value: unknown): JsonKind {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'array'
  const kind = typeof value
  return kind === 'string' || kind === 'number' || kind === 'boolean' ? kind : 'object'
}
