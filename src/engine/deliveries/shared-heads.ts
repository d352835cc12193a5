import { prepare, type Db } from '../platform/sqlite.ts'

// A sender uses the same header names and mostly the same values in every request. They are stored once for all deliveries of an event type and an
// endpoint. The content of each delivery refers to them, and has only the other values.

interface HeadFields {
  readonly httpVersion: string
  readonly endpointName: string | null
  readonly brand: string
  readonly secretName: string | null
  /** Names and values alternately, joined by line feeds. */
  readonly headers: string
}

export interface StoredHead extends HeadFields {
  readonly headId: number | null
}

/** Null: the value differs between the deliveries. */
type SharedHeader = readonly [name: string, value: string | null]

/** Longer headers are rare, and stored completely. */
const maxLength = 4096

/** If a head is forgotten and occurs again, it is stored again. */
const maxHeads = 1000

/** Between the values that differ, by the text of `shared_head.headers`. */
const partsOf = new Map<string, readonly string[]>()

/** `head`: `shared_head.headers`, null without a shared head. `values`: `delivery_content.headers`. */
export function fullHeaders(head: string | null, values: string): string {
  if (head === null) return values
  let parts = partsOf.get(head)
  if (!parts) {
    const headers: SharedHeader[] = JSON.parse(head)
    parts = partsBetween(headers)
    if (partsOf.size >= maxHeads) partsOf.clear()
    partsOf.set(head, parts)
  }
  const [first = '', ...rest] = parts
  if (rest.length === 0) return first
  const differing = values.split('\n')
  return rest.reduce((text, part, index) => text + (differing[index] ?? '') + part, first)
}

function partsBetween(headers: readonly SharedHeader[]): string[] {
  const parts: string[] = []
  let part = ''
  for (const [index, [name, value]] of headers.entries()) {
    part += `${index === 0 ? '' : '\n'}${name}\n${value ?? ''}`
    if (value !== null) continue
    parts.push(part)
    part = ''
  }
  parts.push(part)
  return parts
}

export interface SharedHeads {
  /** Stores a shared head if this is the second delivery like it, or if more values differ than before. Call in the transaction of the delivery. */
  readonly put: (type: string | null, fields: HeadFields) => StoredHead
  /** Only heads that no delivery has any more. Call in the transaction that deletes deliveries. */
  readonly deleteUnused: (ids: readonly number[]) => void
  /** Call after a rollback, and after heads were deleted elsewhere. */
  readonly reload: () => void
}

interface Known {
  readonly values: readonly (string | null)[]
  /** Null: the first delivery, which is stored completely. */
  readonly id: number | null
}

type HeadRow = {
  readonly id: number
  readonly type: string
  readonly http_version: string
  readonly endpoint_name: string | null
  readonly brand: string
  readonly secret_name: string | null
  readonly headers: string
}

export function createSharedHeads(db: Db): SharedHeads {
  const insert = prepare<(string | number | null)[], { id: number }>(
    db,
    `INSERT INTO shared_head (type, http_version, endpoint_name, brand, secret_name, headers, bytes) VALUES (?, ?, ?, ?, ?, ?, ?)
     RETURNING id`,
  )
  const newest = prepare<[number], HeadRow>(
    db,
    'SELECT id, type, http_version, endpoint_name, brand, secret_name, headers FROM shared_head ORDER BY id DESC LIMIT ?',
  )
  const known = new Map<string, Known>()

  const remember = (key: string, head: Known): void => {
    if (known.size >= maxHeads && !known.has(key)) known.clear()
    known.set(key, head)
  }
  const load = (): void => {
    known.clear()
    // Newer ones replace older ones with the same names.
    for (const row of newest.all(maxHeads / 2).toReversed()) {
      const headers: SharedHeader[] = JSON.parse(row.headers)
      const key = keyOf(
        row.type,
        {
          httpVersion: row.http_version,
          endpointName: row.endpoint_name,
          brand: row.brand,
          secretName: row.secret_name,
        },
        headers.map(([name]) => name),
      )
      remember(key, { values: headers.map(([, value]) => value), id: row.id })
    }
  }
  load()

  const add = (type: string, fields: HeadFields, headers: readonly SharedHeader[]): number => {
    const differing = headers.filter(([, value]) => value === null).length
    const bytes = partsBetween(headers).join('').length - Math.max(0, differing - 1)
    const row = insert.get(
      type,
      fields.httpVersion,
      fields.endpointName,
      fields.brand,
      fields.secretName,
      JSON.stringify(headers),
      bytes,
    )
    if (!row) throw new Error('a shared head got no id')
    return row.id
  }

  return {
    put: (type, fields) => {
      const complete = { ...fields, headId: null }
      if (fields.headers === '' || fields.headers.length > maxLength) return complete
      const lines = fields.headers.split('\n')
      if (lines.length % 2 === 1) return complete
      const names = lines.filter((_, index) => index % 2 === 0)
      const values = lines.filter((_, index) => index % 2 === 1)
      const key = keyOf(type ?? '', fields, names)
      const head = known.get(key)
      if (!head) {
        remember(key, { values, id: null })
        return complete
      }
      let { id } = head
      let shared = head.values
      if (id === null || shared.some((value, i) => value !== null && value !== values[i])) {
        shared = shared.map((value, i) => (value === values[i] ? value : null))
        id = add(
          type ?? '',
          fields,
          names.map((name, i) => [name, shared[i] ?? null]),
        )
        remember(key, { values: shared, id })
      }
      return {
        httpVersion: '',
        endpointName: null,
        brand: '',
        secretName: null,
        headers: values.filter((_, i) => shared[i] === null).join('\n'),
        headId: id,
      }
    },
    deleteUnused: (ids) => {
      if (ids.length === 0) return
      // Prepared here, because an import has no indexes.
      const remove = prepare<[string], { id: number }>(
        db,
        `DELETE FROM shared_head WHERE id IN (SELECT value FROM json_each(?))
           AND NOT EXISTS (SELECT 1 FROM delivery_content INDEXED BY delivery_content_by_head WHERE head_id = shared_head.id) RETURNING id`,
      )
      const deleted = new Set(remove.all(JSON.stringify(ids)).map(({ id }) => id))
      if (deleted.size === 0) return
      for (const [key, { id }] of known) if (id !== null && deleted.has(id)) known.delete(key)
    },
    reload: load,
  }
}

/** What deliveries must have in common to share a head. */
function keyOf(
  type: string,
  { httpVersion, endpointName, brand, secretName }: Omit<HeadFields, 'headers'>,
  names: readonly string[],
): string {
  return JSON.stringify([type, httpVersion, endpointName, brand, secretName, ...names])
}

interface Content {
  readonly id: number
  readonly remoteAddress: string
  readonly reason: string | null
  readonly trailers: string
  readonly body: Uint8Array | null
  readonly head: StoredHead
}

export function createContentInsert(db: Db): (content: Content) => void {
  const insert = prepare<(string | number | null | Uint8Array)[]>(
    db,
    `INSERT INTO delivery_content (id, http_version, remote_address, endpoint_name, brand, secret_name, reason, headers, trailers, body, head_id)
     VALUES (${Array.from({ length: 11 }, () => '?').join()})`,
  )
  return ({ id, remoteAddress, reason, trailers, body, head }) => {
    insert.run(
      id,
      head.httpVersion,
      remoteAddress,
      head.endpointName,
      head.brand,
      head.secretName,
      reason,
      head.headers,
      trailers,
      body ?? new Uint8Array(),
      head.headId,
    )
  }
}
