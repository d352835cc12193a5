import { findingData } from '#catalogue/findings.ts'
import type { Header } from '#contract/models.ts'
import { createFindingsStore, type StoredFindings } from '../../deliveries/findings-store.ts'
import { digestOf } from '../../deliveries/rows.ts'
import { contentColumns, contentRow, factValues } from '../../deliveries/ingest.ts'
import { type Db, insertInto, insertNew, prepare, type SqlValue } from '../../platform/sqlite.ts'
import type { PayloadFields } from '../../deliveries/health/payload-fields.ts'
import { createPutRelay } from '../../deliveries/relay-store.ts'
import { createIndexOne } from '../../search/indexer/indexer.ts'
import { createLogExtrasWriter } from '../../deliveries/log-extras.ts'
import { searchedBytes } from '../../deliveries/searchable.ts'
import type { ExportedDelivery, ExportedAttempt } from '../items.ts'
import { recordText } from '../../sending/store/attempt-record.ts'
import { newAttemptRow } from '../../sending/store/attempt-rows.ts'

/** `problem`: why the delivery was skipped, as the end of a sentence, or null. `bytes`: size of its headers and body. */
interface PutResult {
  readonly problem: string | null
  readonly bytes: number
}

function deliveryRow(
  fields: ExportedDelivery['fields'],
  { findings, listId }: StoredFindings,
): Record<string, SqlValue> {
  const { responseMs, createdAt, tags, note, lastAttempt, recheck, causes } = fields
  return {
    id: fields.id,
    received_us: Math.round(fields.receivedAt * 1000),
    responded_us: responseMs === null ? null : Math.round(responseMs * 1000),
    method: fields.method,
    path: fields.path,
    endpoint_id: fields.endpointId,
    type: fields.type,
    title: fields.title,
    target: fields.target,
    location_name: fields.locationName,
    created_ms: createdAt === null ? null : Math.round(createdAt),
    verdict: fields.verdict,
    findings,
    finding_list_id: listId,
    causes: causes && JSON.stringify(causes),
    status: fields.status,
    bytes: fields.bytes,
    sha256: digestOf(fields.sha256),
    arrival: fields.arrival,
    pinned: fields.pinned ? 1 : 0,
    tags: tags.length === 0 ? null : JSON.stringify(tags),
    noted: hasNote(note) ? 1 : 0,
    sent_by: fields.sentBy,
    responded_by: fields.respondedBy,
    via: fields.via,
    sent: lastAttempt === null ? null : (lastAttempt.status ?? 0),
    arrival_verdict: recheck?.verdictAtArrival ?? null,
    rechecked_us: recheck ? Math.round(recheck.at * 1000) : null,
    recheck_secret_name: recheck ? fields.secretName : null,
    ...factValues(fields.facts),
  }
}

function hasNote(note: string): boolean {
  return note.trim() !== ''
}

/** Deliveries are stored unchanged, and added to the search index and to the fields of payloads. */
export function createPutDelivery(
  db: Db,
  payloads: PayloadFields,
): (delivery: ExportedDelivery) => PutResult {
  const insertDelivery = insertNew(db, 'delivery')
  const insertContent = insertInto(db, 'delivery_content', contentColumns)
  const putRest = createLogExtrasWriter(db)
  const putRelay = createPutRelay(db)
  const insertNote = insertInto(db, 'delivery_note', ['delivery_id', 'note'])
  const insertTag = insertNew(db, 'delivery_tag')
  const insertRepeat = insertInto(db, 'delivery_repeat', ['id', 'first_id', 'criterion'])
  const findingsStore = createFindingsStore(db)
  const indexOne = createIndexOne(db)
  const putAttempt = createPutAttempt(db)

  return ({ fields, body, omitted, attempts }) => {
    const { id, tags, note, relay } = fields
    const findings = fields.findings.map((finding) => findingData(finding, fields.type))
    const stored = findingsStore.put(fields.type, findings)
    if (!insertDelivery(deliveryRow(fields, stored))) {
      return { problem: `there is already a delivery ${id} before it`, bytes: 0 }
    }
    const headers = joinHeaders(fields.headers)
    const trailers = joinHeaders(fields.trailers)
    insertContent(contentRow(id, { ...fields, headers, trailers }, body))
    putRest(id, { ...fields, omitted })
    if (relay) putRelay(id, relay)
    if (hasNote(note)) insertNote({ delivery_id: id, note })
    if (fields.duplicateOf) {
      insertRepeat({ id, first_id: fields.duplicateOf.id, criterion: fields.duplicateOf.by })
    }
    for (const tag of tags) insertTag({ tag, delivery_id: id })
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
    if (fields.arrival === 'complete' && fields.sentBy === null) {
      const receivedUs = Math.round(fields.receivedAt * 1000)
      payloads.add({ ...fields, receivedUs, headers, body })
    }
    return { problem: null, bytes: headers.length + body.byteLength }
  }
}

function joinHeaders(headers: readonly Header[]): string {
  return headers.flat().join('\n')
}

/** Skips an attempt whose id already exists. */
function createPutAttempt(db: Db): (deliveryId: number, attempt: ExportedAttempt) => void {
  const insert = insertNew(db, 'attempt')
  const insertBody = insertInto(db, 'attempt_body', ['id', 'request', 'response'])
  const updateTally = prepare<[number]>(
    db,
    'UPDATE attempt_tally SET attempts = attempts + 1, bytes = bytes + ?',
  )
  return (deliveryId, { fields, requestBody, answerBody }) => {
    const { id, request, response, timings, remoteAddress, reusedConnection, tlsVerified, notes } =
      fields
    // In full: live attempts only store what differs from the delivery, but after redaction that cannot be determined.
    const record = recordText({
      request,
      response,
      timings,
      remoteAddress,
      reusedConnection,
      tlsVerified,
      notes,
    })
    const bytes =
      Buffer.byteLength(record) + (requestBody?.byteLength ?? 0) + (answerBody?.byteLength ?? 0)
    if (!insert({ id, ...newAttemptRow({ ...fields, deliveryId }, record, bytes) })) return
    updateTally.run(bytes)
    if (requestBody ?? answerBody) insertBody({ id, request: requestBody, response: answerBody })
  }
}
