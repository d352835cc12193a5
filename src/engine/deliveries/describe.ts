import { hash } from 'node:crypto'
import { titleOf } from '#catalogue/catalogue.ts'
import type { DeliverySummary } from '#contract/models.ts'
import type { JournaledDelivery } from '../capture/journal-format.ts'
import { parseBody } from '../capture/parse-body.ts'

/** What a row says of its body for people. Not needed for the answer, so the writer does it. */
export interface Description {
  /** One line for the list. */
  readonly title: string
  /** Hex SHA-256 of the body as kept. */
  readonly sha256: string
}

/** Pure. */
export function describe(body: Uint8Array): Description {
  return { title: title(body), sha256: hash('sha256', body, 'hex') }
}

function title(body: Uint8Array): string {
  const parsed = parseBody(body)
  switch (parsed.kind) {
    case 'object':
      return titleOf(parsed.payload)
    case 'empty':
      return 'No body'
    case 'not_utf8':
      return 'Body is not UTF-8'
    case 'not_json':
      return 'Body is not JSON'
    case 'not_object':
      return 'Body is JSON, but no object'
  }
}

/** The summary of a delivery that comes out of the journal; `answeredUs` from the first byte of its head. */
export function summaryOf(
  { meta, body }: JournaledDelivery,
  answeredUs: number | null,
  lost: boolean,
): DeliverySummary {
  const [id, receivedUs, method, path, , , endpointId, , , arrival, , bytes, status, ...told] = meta
  const [type, target, locationName, createdAt, verdict, , findings, own, answeredBy] = told
  const { title, sha256 } = describe(body)
  return {
    id,
    receivedAt: receivedUs / 1000,
    method,
    path,
    endpointId,
    type,
    title,
    target,
    locationName,
    createdAt,
    verdict,
    findings: [...findings],
    status: lost ? null : status,
    answeredIn: lost || answeredUs === null ? null : answeredUs / 1000,
    bytes,
    sha256,
    arrival,
    pinned: false,
    tags: [],
    noted: false,
    repeats: null,
    own: own ?? null,
    // Lost without a status to lose: what decided that no answer goes out stands.
    answeredBy: lost && status !== null ? null : (answeredBy ?? null),
    sent: null,
  }
}
