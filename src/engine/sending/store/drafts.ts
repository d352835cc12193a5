import { AppError } from '../../platform/errors.ts'
import type { Draft, DraftContent, DraftOrigin, DraftSummary } from '#contract/compose.ts'
import { insertRow, prepare, updateRow, type Db } from '../../platform/sqlite.ts'
import { parseBody } from '../../payload/parse-body.ts'

/** Throws `not_found`. */
export function noDraft(id: number): never {
  throw new AppError('not_found', `Draft ${id} does not exist. Save it as a new draft.`)
}

export const maxDrafts = 200

type StoredContent = Omit<DraftContent, 'body'>

interface Row extends Omit<DraftSummary, 'origin'> {
  readonly origin: string
}

const summaryColumns = `id, name, updated_ms AS updatedAt, content -> 'origin' AS origin, title, content ->> 'method' AS method, content ->> 'url' AS url`

function toDraftSummary(row: Row): DraftSummary {
  const origin: DraftOrigin = JSON.parse(row.origin)
  return { ...row, origin }
}

/** Most recently changed first. Does not read bodies. */
export function readDrafts(db: Db): DraftSummary[] {
  return prepare<[], Row>(
    db,
    `SELECT ${summaryColumns} FROM draft ORDER BY updated_ms DESC, id DESC`,
  )
    .all()
    .map(toDraftSummary)
}

export function readDraft(db: Db, id: number): Draft | null {
  const row = prepare<
    [number],
    Row & { content: string; body: Uint8Array | null; counter: number }
  >(db, `SELECT ${summaryColumns}, content, body, counter FROM draft WHERE id = ?`).get(id)
  if (!row) return null
  const { content: json, body: bytes, counter, ...summary } = row
  const content: StoredContent = JSON.parse(json)
  const body: DraftContent['body'] =
    bytes === null ? { kind: 'captured' } : { kind: 'bytes', bytes: new Uint8Array(bytes) }
  return { ...toDraftSummary(summary), content: { ...content, body }, counter }
}

export interface DraftFields {
  readonly id: number | null
  /** Null: an unnamed draft. Undefined: unchanged. */
  readonly name: string | null | undefined
  readonly content: DraftContent
  readonly at: number
}

/** Throws `name_taken`, `not_found`, and `bad_input` if there are too many. */
export function writeDraft(db: Db, { id, name, content, at }: DraftFields): DraftSummary {
  return db.transaction(() => {
    const existing = prepare<[], { id: number; name: string | null }>(
      db,
      'SELECT id, name FROM draft',
    ).all()
    assertNameFree(existing, id, name ?? null)
    const before = id === null ? null : (existing.find((draft) => draft.id === id) ?? noDraft(id))
    if (before === null && existing.length >= maxDrafts) {
      throw new AppError(
        'bad_input',
        `You have reached the limit of ${maxDrafts} drafts and templates. Delete one first.`,
      )
    }
    const { body, ...rest } = content
    const row = {
      name: name === undefined ? (before?.name ?? null) : name,
      updated_ms: Math.round(at),
      title: draftTitle(db, content),
      content: JSON.stringify(rest satisfies StoredContent),
      body: body.kind === 'bytes' ? body.bytes : null,
    }
    if (before) updateRow(db, 'draft', before.id, row)
    const savedId = before?.id ?? insertRow(db, 'draft', row)
    const saved = prepare<[number], Row>(
      db,
      `SELECT ${summaryColumns} FROM draft WHERE id = ?`,
    ).get(savedId)
    return saved ? toDraftSummary(saved) : noDraft(savedId)
  })()
}

/** Not compared by SQLite, whose NOCASE only handles ASCII letters. */
function assertNameFree(
  existing: readonly { id: number; name: string | null }[],
  id: number | null,
  name: string | null,
): void {
  const lower = name?.toLowerCase()
  if (lower === undefined) return
  if (existing.every((other) => other.id === id || other.name?.toLowerCase() !== lower)) return
  throw new AppError(
    'name_taken',
    `A template named "${name}" already exists. Choose another name, or delete that template.`,
  )
}

/** Also deletes its attempts that belong to no delivery. */
export function deleteDraft(db: Db, id: number): void {
  db.transaction(() => {
    prepare<[number]>(db, 'DELETE FROM draft WHERE id = ?').run(id)
    prepare<[number]>(db, 'DELETE FROM attempt WHERE draft_id = ? AND delivery_id IS NULL').run(id)
  })()
}

function draftTitle(db: Db, { origin, body, method, url }: DraftContent): string {
  const type = body.kind === 'bytes' ? typeIn(body.bytes) : capturedType(db, origin)
  if (type) return type
  if (origin.kind === 'file') return origin.name
  if (origin.kind === 'sample') return origin.type
  return url.trim() === '' ? 'Empty' : `${method} ${url}`.slice(0, 200)
}

function typeIn(bytes: Uint8Array): string | null {
  const parsed = parseBody(bytes)
  if (parsed.kind !== 'object') return null
  const { type } = parsed.payload
  return typeof type === 'string' ? type.slice(0, 200) : null
}

function capturedType(db: Db, origin: DraftContent['origin']): string | null {
  if (origin.kind !== 'delivery') return null
  const row = prepare<[number], { type: string | null }>(
    db,
    'SELECT type FROM delivery WHERE id = ?',
  ).get(origin.deliveryId)
  return row?.type ?? null
}
