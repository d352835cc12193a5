import { fullHeaders } from '../../deliveries/shared-heads.ts'
import { describeFindings } from '#catalogue/findings.ts'
import type { LogWith } from '#contract/logs.ts'
import { type Db, prepare } from '../../platform/sqlite.ts'
import { createLogExtrasReader, hasLogExtras } from '../../deliveries/log-extras.ts'
import {
  type DeliveryRow,
  secretNameOf,
  selectRowsSql,
  toHeaders,
  toSummary,
  viaOf,
} from '../../deliveries/rows.ts'
import { createSkipsReader } from '../../sending/store/skips.ts'
import type { ExportedAttempt, ExportedDelivery } from '../items.ts'
import type { Delivery } from '#contract/models.ts'
import { Attempt } from '#contract/sending.ts'
import { recordOf } from '../../sending/store/attempt-record.ts'
import {
  attemptColumns,
  type AttemptRow,
  toAttemptSummary,
} from '../../sending/store/attempt-rows.ts'

/** Maximum number of deliveries per read. */
const readRows = 256
/** A read takes no further delivery once its bodies exceed this size, in bytes. */
const readBytes = 2 * 1024 * 1024

type ContentRow = readonly [
  id: number,
  httpVersion: string,
  remoteAddress: string,
  endpointName: string | null,
  brand: string,
  secretName: string | null,
  reason: string | null,
  head: string | null,
  headers: string,
  trailers: string,
  body: Uint8Array | null,
  note: string | null,
]

const empty = new Uint8Array()

/**
 * Reads deliveries with everything that belongs to them, in the order of the ids. Skips deleted ones. Each step is a separate read transaction that
 * holds only a few bodies, so that no long read blocks a checkpoint of the database.
 */
export function createDeliveriesReader(
  db: Db,
  include: LogWith,
): (ids: readonly number[]) => Generator<ExportedDelivery, void, undefined> {
  const selectRows = prepare<[string], DeliveryRow>(
    db,
    `${selectRowsSql} WHERE id IN (SELECT value FROM json_each(?)) ORDER BY id`,
  )
  const selectRange = prepare<[number, number], DeliveryRow>(
    db,
    `${selectRowsSql} WHERE id BETWEEN ? AND ? ORDER BY id`,
  )
  const contentSql = `SELECT id, http_version, remote_address, endpoint_name, brand, secret_name, reason, head, headers, trailers, body,
       (SELECT note FROM delivery_note WHERE delivery_id = captured_content.id)
     FROM captured_content WHERE id`
  const selectContent = prepare<[string], ContentRow>(
    db,
    `${contentSql} IN (SELECT value FROM json_each(?))`,
  ).raw()
  const selectContentRange = prepare<[number, number], ContentRow>(
    db,
    `${contentSql} BETWEEN ? + 0 AND ? + 0`,
  ).raw()
  const readAttempts = createAttemptsReader(db)
  const skips = createSkipsReader(db)
  const loggedOf = hasLogExtras(db) ? createLogExtrasReader(db) : null

  const read = (row: DeliveryRow, content: ContentRow, skipped: boolean): ExportedDelivery => {
    const [, httpVersion, remoteAddress, endpointName, brand, secretName, reason] = content
    const [, , , , , , , head, headerText, trailerText, body, note] = content
    const { noted: _, ...summary } = toSummary(row)
    const logged = loggedOf?.(row.id) ?? null
    const liveSkips = skipped ? skips.of(summary) : []
    const headers = toHeaders(fullHeaders(head, headerText))
    const trailers = toHeaders(trailerText)
    const attempts =
      include.attempts && row.sent !== null ? readAttempts({ ...summary, headers, trailers }) : []
    return {
      fields: {
        ...summary,
        findings: describeFindings(summary),
        tags: include.notes ? summary.tags : [],
        sent: include.attempts ? summary.sent : null,
        httpVersion,
        remoteAddress,
        via: viaOf(row.via),
        headers,
        trailers,
        reason,
        endpointName,
        brand,
        secretName: secretNameOf(row, secretName),
        note: include.notes ? (note ?? '') : '',
        bodyRedacted: logged?.bodyRedacted ?? false,
        notForwarded: include.attempts ? (logged?.notForwarded ?? liveSkips) : [],
      },
      body: body ?? empty,
      omitted: logged?.omitted ?? null,
      attempts,
    }
  }

  /** Reads in one transaction, so that deliveries and what belongs to them are consistent. */
  const readSome = db.transaction((rows: readonly DeliveryRow[]): ExportedDelivery[] => {
    const [first] = rows
    const last = rows.at(-1)
    if (!first || !last) return []
    const skipped = include.attempts && skips.any(first.id, last.id)
    const contents =
      last.id - first.id + 1 === rows.length
        ? selectContentRange.all(first.id, last.id)
        : selectContent.all(JSON.stringify(rows.map(({ id }) => id)))
    const contentOf = new Map(contents.map((content) => [content[0], content]))
    return rows.flatMap((row) => {
      const content = contentOf.get(row.id)
      return content ? read(row, content, skipped) : []
    })
  })

  return function* (ids) {
    for (let at = 0; at < ids.length; at += readRows) {
      const step = ids.slice(at, at + readRows)
      const [first = 0] = step
      const last = step.at(-1) ?? 0
      const rows =
        last - first + 1 === step.length
          ? selectRange.all(first, last)
          : selectRows.all(JSON.stringify(step))
      for (const group of groups(rows)) yield* readSome(group)
    }
  }
}

/** Splits rows into groups that are read together. */
function* groups(rows: readonly DeliveryRow[]): Generator<readonly DeliveryRow[], void, undefined> {
  let start = 0
  let bytes = 0
  for (const [index, row] of rows.entries()) {
    if (index > start && bytes + row.bytes > readBytes) {
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

/** Creates a function that reads the attempts of a delivery, oldest first, with their bodies. Prepares the statement once. */
function createAttemptsReader(db: Db): AttemptsReader {
  const select = prepare<[number], Row>(
    db,
    `SELECT ${attemptColumns}, record,
       (SELECT request FROM attempt_body WHERE attempt_body.id = attempt.id) AS request_body,
       (SELECT answer FROM attempt_body WHERE attempt_body.id = attempt.id) AS answer_body
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
