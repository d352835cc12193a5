import { describeFindings } from '#catalogue/findings.ts'
import type { LogWith } from '#contract/logs.ts'
import { type Db, prepare } from '../../platform/sqlite.ts'
import { readRelayOf } from '../../deliveries/relay-store.ts'
import { createLogExtrasReader, hasLogExtras } from '../../deliveries/log-extras.ts'
import {
  type DeliveryRow,
  secretNameOf,
  selectRowsSql,
  toHeaders,
  toSummary,
  viaOf,
} from '../../deliveries/rows.ts'
import { createSkipsReader } from '../../sending/store/attempts.ts'
import type { ExportedAttempt, ExportedDelivery } from '../items.ts'
import type { Delivery } from '#contract/models.ts'
import { Attempt } from '#contract/sending.ts'
import { recordOf } from '../../sending/store/attempt-record.ts'
import {
  attemptColumns,
  type AttemptRow,
  toAttemptSummary,
} from '../../sending/store/attempt-rows.ts'

const maxRows = 256
const maxBytes = 2 * 1024 * 1024

interface ContentRow {
  readonly id: number
  readonly http_version: string
  readonly remote_address: string
  readonly endpoint_name: string | null
  readonly brand: string
  readonly secret_name: string | null
  readonly reason: string | null
  readonly headers: string
  readonly trailers: string
  readonly body: Uint8Array | null
  readonly note: string | null
}

const empty = new Uint8Array()

/** Reads in the order of the ids. Each step is a transaction of its own with few bodies, so that no long read blocks a checkpoint of the database. */
export function createDeliveriesReader(
  db: Db,
  include: LogWith,
): (ids: readonly number[]) => Generator<ExportedDelivery, void, undefined> {
  const readRows = createRowsReader<DeliveryRow>(db, selectRowsSql)
  const readContents = createRowsReader<ContentRow>(
    db,
    `SELECT *, (SELECT note FROM delivery_note WHERE delivery_id = delivery_content.id) AS note FROM delivery_content`,
  )
  const toDelivery = createAssembly(db, include)

  // One transaction: deliveries and what belongs to them must be consistent.
  const readSome = db.transaction((rows: readonly DeliveryRow[]): ExportedDelivery[] => {
    const contents = readContents(rows.map(({ id }) => id))
    const contentOf = new Map(contents.map((content) => [content.id, content]))
    return rows.flatMap((row) => {
      const content = contentOf.get(row.id)
      return content ? toDelivery(row, content) : []
    })
  })

  return function* (ids) {
    for (let at = 0; at < ids.length; at += maxRows) {
      for (const group of groups(readRows(ids.slice(at, at + maxRows)))) yield* readSome(group)
    }
  }
}

/** Consecutive ids, which are in ascending order, are read as a range, which is faster. `sql` selects from a table or view with a column `id`. */
function createRowsReader<R>(db: Db, sql: string): (ids: readonly number[]) => R[] {
  const selectRange = prepare<[{ first: number; last: number }], R>(
    db,
    `${sql} WHERE id BETWEEN $first + 0 AND $last + 0 ORDER BY id`,
  )
  const select = prepare<[string], R>(
    db,
    `${sql} WHERE id IN (SELECT value FROM json_each(?)) ORDER BY id`,
  )
  return (ids) => {
    const [first = 0] = ids
    const last = ids.at(-1) ?? 0
    return last - first + 1 === ids.length
      ? selectRange.all({ first, last })
      : select.all(JSON.stringify(ids))
  }
}

function createAssembly(
  db: Db,
  include: LogWith,
): (row: DeliveryRow, content: ContentRow) => ExportedDelivery {
  const skipsOf = createSkipsReader(db)
  const readAttempts = createAttemptsReader(db)
  const readExtras = hasLogExtras(db) ? createLogExtrasReader(db) : null
  return (row, content) => {
    const summary = toSummary(row)
    const { noted: _, ...shown } = summary
    const extras = readExtras?.(row.id) ?? null
    const headers = toHeaders(content.headers)
    const trailers = toHeaders(content.trailers)
    const attempts =
      include.attempts && row.sent !== null ? readAttempts({ ...summary, headers, trailers }) : []
    return {
      fields: {
        ...shown,
        findings: describeFindings(summary),
        tags: include.notes ? summary.tags : [],
        lastAttempt: include.attempts ? summary.lastAttempt : null,
        httpVersion: content.http_version,
        remoteAddress: content.remote_address,
        via: viaOf(row.via),
        relay: row.via === 'relay' ? readRelayOf(db, row.id) : null,
        headers,
        trailers,
        reason: content.reason,
        endpointName: content.endpoint_name,
        brand: content.brand,
        secretName: secretNameOf(row, content.secret_name),
        note: include.notes ? (content.note ?? '') : '',
        bodyRedacted: extras?.bodyRedacted ?? false,
        notForwarded: include.attempts ? (extras?.notForwarded ?? skipsOf(row.id)) : [],
      },
      body: content.body ?? empty,
      omitted: extras?.omitted ?? null,
      attempts,
    }
  }
}

function* groups(rows: readonly DeliveryRow[]): Generator<readonly DeliveryRow[], void, undefined> {
  let start = 0
  let bytes = 0
  for (const [index, row] of rows.entries()) {
    if (index > start && bytes + row.bytes > maxBytes) {
      yield rows.slice(start, index)
      start = index
      bytes = 0
    }
    bytes += row.bytes
  }
  if (start < rows.length) yield rows.slice(start)
}

type Row = AttemptRow & {
  readonly record: string
  readonly request_body: Uint8Array | null
  readonly answer_body: Uint8Array | null
}

type AttemptsReader = (
  delivery: Pick<Delivery, 'id' | 'headers' | 'trailers' | 'sha256'>,
) => ExportedAttempt[]

function createAttemptsReader(db: Db): AttemptsReader {
  const select = prepare<[number], Row>(
    db,
    `SELECT ${attemptColumns}, record,
       (SELECT request FROM attempt_body WHERE attempt_body.id = attempt.id) AS request_body,
       (SELECT response FROM attempt_body WHERE attempt_body.id = attempt.id) AS answer_body
     FROM attempt WHERE delivery_id = ? ORDER BY id`,
  )
  return (delivery) =>
    select.all(delivery.id).flatMap((row) => {
      const record = recordOf(row.record, row.url, () => delivery)
      return record === null
        ? []
        : [
            {
              // Sets the order of keys, so that an export of an imported log has the same bytes as the original.
              fields: Attempt.parse({ ...toAttemptSummary(row), ...record }),
              requestBody: row.request_body,
              answerBody: row.answer_body,
            },
          ]
    })
}
