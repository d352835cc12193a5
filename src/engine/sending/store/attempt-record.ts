import type { Header } from '#contract/models.ts'
import type { Attempt, AttemptSummary } from '#contract/sending.ts'
import { withHost } from '../prepare/header-list.ts'
import { prepare, type Db } from '../../platform/sqlite.ts'
import { hexOf, toHeaders } from '../../deliveries/rows.ts'

export type AttemptRecord = Omit<Attempt, keyof AttemptSummary>

/** Equals the delivery except for `Host`. An attempt is deleted with its delivery. */
type AsCaptured = Pick<Attempt['request'], 'target'>

/** A request that was sent as captured is not stored again. */
export type StoredRecord = Omit<AttemptRecord, 'request'> & {
  readonly request: AttemptRecord['request'] | AsCaptured
}

export function recordText(record: StoredRecord): string {
  return JSON.stringify(record)
}

export interface AttemptOrigin {
  readonly headers: readonly Header[]
  readonly trailers: readonly Header[]
  readonly sha256: string
}

interface ContentRow {
  readonly headers: string
  readonly trailers: string
  readonly sha256: Uint8Array
}

export function readRecord(
  db: Db,
  text: string,
  { deliveryId, url }: Pick<Attempt, 'deliveryId' | 'url'>,
): AttemptRecord | null {
  return recordOf(text, url, () => {
    const content = prepare<[number | null], ContentRow>(
      db,
      `SELECT headers, trailers, sha256 FROM delivery JOIN delivery_content USING (id) WHERE delivery.id = ? + 0`,
    ).get(deliveryId)
    return content
      ? {
          headers: toHeaders(content.headers),
          trailers: toHeaders(content.trailers),
          sha256: hexOf(content.sha256),
        }
      : null
  })
}

/** Like `readRecord`, with the delivery provided by the caller. */
export function recordOf(
  text: string,
  url: string,
  origin: () => AttemptOrigin | null,
): AttemptRecord | null {
  const stored: StoredRecord = JSON.parse(text)
  const { request } = stored
  if ('headers' in request) return { ...stored, request }
  const captured = origin()
  if (!captured) return null
  return {
    ...stored,
    request: {
      target: request.target,
      headers: withHost(captured.headers, new URL(url).host),
      trailers: [...captured.trailers],
      sha256: captured.sha256,
    },
  }
}
