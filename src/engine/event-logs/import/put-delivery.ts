import { findingData } from '#catalogue/findings.ts'
import type { Header } from '#contract/models.ts'
import { createFindingsStore } from '../../deliveries/findings-store.ts'
import { digestOf } from '../../deliveries/rows.ts'
import { createContentInsert, createSharedHeads } from '../../deliveries/shared-heads.ts'
import { prepare, type Db } from '../../platform/sqlite.ts'
import { createIndexOne } from '../../search/indexer/indexer.ts'
import { createLogExtrasWriter } from '../../deliveries/log-extras.ts'
import { searchedBytes } from '../../search/indexer/limits.ts'
import type { ExportedDelivery } from '../items.ts'
import { createPutAttempt } from './put-attempt.ts'

type Value = string | number | null | Uint8Array

/** `problem`: why the delivery was skipped, as the end of a sentence, or null. `bytes`: size of its headers and body. */
interface PutResult {
  readonly problem: string | null
  readonly bytes: number
}

function insertInto(db: Db, table: string, columns: string): (...values: Value[]) => boolean {
  const statement = prepare<Value[]>(
    db,
    `INSERT OR IGNORE INTO ${table} (${columns}) VALUES (${columns.replaceAll(/\w+/g, '?')})`,
  )
  return (...values) => statement.run(...values).changes === 1
}

/** Creates a function that stores deliveries unchanged, with everything that belongs to them, and adds them to the search index. */
export function createPutDelivery(db: Db): (delivery: ExportedDelivery) => PutResult {
  const insertDelivery = insertInto(
    db,
    'delivery',
    `id, received_us, answered_us, method, path, endpoint_id, type, title, target, location_name, created_ms, verdict, findings, status,
     bytes, sha256, arrival, pinned, tags, noted, repeats_id, repeats_by, own, answered_by, via, sent,
     arrival_verdict, rechecked_us, recheck_secret_name, finding_list_id`,
  )
  const sharedHeads = createSharedHeads(db)
  const insertContent = createContentInsert(db)
  const putRest = createLogExtrasWriter(db)
  const insertNote = insertInto(db, 'delivery_note', 'delivery_id, note')
  const insertTag = insertInto(db, 'delivery_tag', 'tag, delivery_id')
  const findingsStore = createFindingsStore(db)
  const indexOne = createIndexOne(db)
  const putAttempt = createPutAttempt(db)

  return ({ fields, body, omitted, attempts }) => {
    const { id, tags, note } = fields
    const findings = fields.findings.map((finding) => findingData(finding, fields.type))
    const stored = findingsStore.put(fields.type, findings)
    const { repeats, sent } = fields
    const hasNote = note.trim() !== ''
    const inserted = insertDelivery(
      id,
      Math.round(fields.receivedAt * 1000),
      fields.answeredIn === null ? null : Math.round(fields.answeredIn * 1000),
      fields.method,
      fields.path,
      fields.endpointId,
      fields.type,
      fields.title,
      fields.target,
      fields.locationName,
      fields.createdAt === null ? null : Math.round(fields.createdAt),
      fields.verdict,
      stored.findings,
      fields.status,
      fields.bytes,
      digestOf(fields.sha256),
      fields.arrival,
      fields.pinned ? 1 : 0,
      tags.length === 0 ? null : JSON.stringify(tags),
      hasNote ? 1 : 0,
      repeats?.id ?? null,
      repeats?.by ?? null,
      fields.own,
      fields.answeredBy,
      fields.via,
      sent === null ? null : (sent.status ?? 0),
      fields.recheck?.verdictAtArrival ?? null,
      fields.recheck ? Math.round(fields.recheck.at * 1000) : null,
      fields.recheck ? fields.secretName : null,
      stored.listId,
    )
    if (!inserted) return { problem: `there is already a delivery ${id} before it`, bytes: 0 }
    const headers = joinHeaders(fields.headers)
    const trailers = joinHeaders(fields.trailers)
    const { remoteAddress, reason } = fields
    const head = sharedHeads.put(fields.type, { ...fields, headers })
    insertContent({ id, remoteAddress, reason, trailers, body, head })
    putRest(id, { ...fields, omitted })
    if (hasNote) insertNote(id, note)
    for (const tag of tags) insertTag(tag, id)
    for (const attempt of attempts) putAttempt(id, attempt)
    indexOne(id, {
      headers,
      trailers,
      body: body.subarray(0, searchedBytes),
      size: body.byteLength,
      sha256: fields.sha256,
      complete: fields.arrival === 'complete',
      target: fields.target,
    })
    return { problem: null, bytes: headers.length + body.byteLength }
  }
}

/** Returns headers in the form of the store: names and values alternate. */
function joinHeaders(headers: readonly Header[]): string {
  return headers.flat().join('\n')
}
