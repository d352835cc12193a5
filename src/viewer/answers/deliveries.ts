import type { CallOutput, ParsedInput } from '#contract/calls.ts'

import { headerChecks } from '#engine/conformance/header-checks.ts'
import type { PageLog } from '../log/log.ts'
import { keptBody, parsedBody } from '../log/texts.ts'

/** Everything about one delivery but its body. Throws `not_found`. */
export function deliveryOf(log: PageLog, id: number): CallOutput<'deliveries.get'> {
  const row = log.row(id)
  const content = log.content(id)
  const { httpVersion, remoteAddress, headers, trailers, reason, brand, note } = content.fields
  return {
    ...row,
    httpVersion,
    remoteAddress,
    headers,
    trailers,
    reason,
    brand,
    note,
    bytesKept: keptBody(content)?.length ?? 0,
  }
}

/** A slice of the body, as kept or decoded. Throws `not_found`, and `bad_input` for what could not be decoded. */
export function bodyOf(
  log: PageLog,
  { id, offset, length, decoded }: ParsedInput<'deliveries.body'>,
): CallOutput<'deliveries.body'> {
  const { fields, bytes } = log.content(id)
  return slice(
    bytes(decoded && fields.decoded !== null ? fields.decoded : fields.body),
    offset,
    length,
  )
}

export function slice(
  bytes: Uint8Array,
  offset: number,
  length: number,
): { bytes: Uint8Array; size: number } {
  return { bytes: bytes.subarray(offset, offset + length), size: bytes.length }
}

/** The header breakdown, against the endpoint as the log has it. */
export function headersOf(log: PageLog, id: number): CallOutput<'deliveries.headers'> {
  const { endpointId, arrival, verdict } = log.row(id)
  const content = log.content(id)
  const { brand, headers } = content.fields
  const none = { applicationId: '', customHeaders: [] }
  const own = log.endpoints.find((endpoint) => endpoint.id === endpointId)
  const endpoint = endpointId === null ? null : (own ?? none)
  return headerChecks({ brand, endpoint, headers, parsed: parsedBody(content), arrival, verdict })
}
