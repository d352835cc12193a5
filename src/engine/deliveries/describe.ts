import { hash } from 'node:crypto'
import { titleOf } from '#catalogue/catalogue.ts'
import { exactNumber, type Payload } from '#catalogue/payload.ts'
import { isObject } from '#shared/json/object.ts'
import type { DeliverySummary } from '#contract/models.ts'
import type { JournaledDelivery } from '../capture/journal-format.ts'
import { parseBody } from '../capture/parse-body.ts'
import type { ParsedObject } from '../capture/parse-text.ts'

/** Only for users, not for the response, so the writer thread computes it. */
export interface Description {
  readonly title: string
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
      return titleOf(hasLargeNumber(parsed.payload.data) ? exactPayload(parsed) : parsed.payload)
    case 'empty':
      return 'No body'
    case 'not_utf8':
      return 'Body is not UTF-8'
    case 'not_json':
      return 'Body is not JSON'
    case 'not_object':
      return 'Body is JSON, but not an object'
  }
}

/** Titles round to two decimals, so that only numbers above 2^53 can be wrong. */
function hasLargeNumber(data: unknown): boolean {
  return (
    isObject(data) &&
    Object.values(data).some(
      (value) => typeof value === 'number' && Math.abs(value) > Number.MAX_SAFE_INTEGER,
    )
  )
}

/** Parses again, since this takes longer and is rarely necessary. */
function exactPayload({ text }: ParsedObject): Payload {
  const payload: unknown = JSON.parse(
    text,
    (_key, value: unknown, context?: { readonly source?: string }) =>
      typeof value === 'number' ? exactNumber(value, context?.source ?? String(value)) : value,
  )
  return isObject(payload) ? payload : {}
}

/** `answeredUs`: time from the first byte of its head to the response. */
export function summaryOf(
  { meta, body }: JournaledDelivery,
  answeredUs: number | null,
  lost: boolean,
): DeliverySummary {
  const [id, receivedUs, method, path, , , endpointId, , , arrival, , bytes, status, ...rest] = meta
  const [type, target, locationName, createdAt, verdict, , findings, own, answeredBy] = rest
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
    responseMs: lost || answeredUs === null ? null : answeredUs / 1000,
    bytes,
    sha256,
    arrival,
    pinned: false,
    tags: [],
    noted: false,
    duplicateOf: null,
    sentBy: own ?? null,
    // If there was no status before, the decision not to respond stays as it is.
    respondedBy: lost && status !== null ? null : (answeredBy ?? null),
    lastAttempt: null,
  }
}
