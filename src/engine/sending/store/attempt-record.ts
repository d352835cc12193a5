import { z } from 'zod'
import type { Header } from '#contract/models.ts'
import { Attempt } from '#contract/sending.ts'
import { withHost } from '../prepare/resend-headers.ts'
import { prepare, type Db } from '../../platform/sqlite.ts'
import { toHeaders } from '../../deliveries/rows.ts'

/** What of an attempt is no part of its summary. */
const AttemptRecord = Attempt.pick({
  request: true,
  answer: true,
  timings: true,
  remoteAddress: true,
  reused: true,
  tlsVerified: true,
  notes: true,
})
export type AttemptRecord = z.infer<typeof AttemptRecord>

/** The rest of the request is that of its delivery, but for `Host`. An attempt is gone when its delivery is. */
const AsCaptured = z.object({ target: z.string() })

const Stored = AttemptRecord.extend({ request: z.union([Attempt.shape.request, AsCaptured]) })
/** As it is stored: what went out as it was captured is not kept once more for each time that it went. */
export type StoredRecord = Omit<AttemptRecord, 'request'> & {
  readonly request: AttemptRecord['request'] | z.infer<typeof AsCaptured>
}

/** One line. */
export function recordText(record: StoredRecord): string {
  return JSON.stringify(record)
}

/** What an attempt that went out as captured has of its delivery. */
export interface AttemptOrigin {
  readonly headers: readonly Header[]
  readonly trailers: readonly Header[]
  readonly sha256: string
}

interface ContentRow {
  readonly headers: string
  readonly trailers: string
  readonly sha256: string
}

/** The whole of it again. `url` is where it went. Null: its delivery is gone. */
export function readRecord(
  db: Db,
  text: string,
  { deliveryId, url }: Pick<Attempt, 'deliveryId' | 'url'>,
): AttemptRecord | null {
  return recordOf(text, url, () => {
    const content = prepare<[number | null], ContentRow>(
      db,
      'SELECT headers, trailers, sha256 FROM delivery JOIN delivery_content USING (id) WHERE delivery.id = ?',
    ).get(deliveryId)
    return content
      ? {
          headers: toHeaders(content.headers),
          trailers: toHeaders(content.trailers),
          sha256: content.sha256,
        }
      : null
  })
}

/** The same for whoever has the delivery at hand. */
export function recordOf(
  text: string,
  url: string,
  origin: () => AttemptOrigin | null,
): AttemptRecord | null {
  const stored = Stored.parse(JSON.parse(text))
  const { request } = stored
  if ('headers' in request) return { ...stored, request }
  const captured = origin()
  if (!captured) return null
  return {
    ...stored,
    request: {
      target: request.target,
      headers: withHost(captured.headers, [], new URL(url).host),
      trailers: [...captured.trailers],
      sha256: captured.sha256,
    },
  }
}
