import type { Severity } from '#contract/models.ts'

/** A kind of finding. Codes are stable, because filters and scripts use them. */
export interface FindingCode {
  readonly code: string
  readonly severity: Severity
  /** General description for a list of codes. */
  readonly title: string
}

const rows = [
  ['request.no_endpoint', 'warning', 'No endpoint has the requested path.'],
  ['request.cut_off', 'error', 'The request ended before it was complete.'],
  ['request.malformed', 'error', 'The request is not valid HTTP/1.1.'],
  ['request.method', 'warning', 'The method is not POST.'],

  ['body.too_large', 'error', 'The body is larger than the limit in the settings.'],
  ['body.empty', 'error', 'The body is empty.'],
  ['body.not_utf8', 'error', 'The body is not UTF-8.'],
  ['body.not_json', 'error', 'The body is not JSON.'],
  ['body.not_object', 'error', 'The body is JSON, but not an object.'],
  ['body.duplicate_key', 'warning', 'A JSON object has a duplicate key. Parsers may differ.'],

  ['signature.repeated', 'warning', 'The signature header was sent more than once.'],
  ['signature.upper_case', 'info', 'The signature matches, but is written in upper case.'],

  ['header.type_mismatch', 'error', 'The event type header does not match the body.'],
  ['header.type_missing', 'warning', 'The event type header is missing.'],
  ['header.target_uuid_mismatch', 'error', 'The target UUID header does not match the body.'],
  ['header.target_uuid_missing', 'warning', 'The target UUID header is missing.'],
  ['header.target_id_mismatch', 'error', 'The target ID header does not match the body.'],
  ['header.target_id_missing', 'warning', 'The target ID header is missing.'],
  ['header.application_id_mismatch', 'error', 'The application ID does not match the endpoint.'],
  ['header.application_id_missing', 'warning', 'The application ID header is missing.'],
  ['header.user_agent', 'warning', 'The user agent does not start as documented.'],
  ['header.content_type', 'error', 'The content type is not application/json.'],
  ['header.custom_missing', 'error', 'A custom header of the endpoint is missing.'],
  ['header.custom_different', 'error', 'A custom header of the endpoint has a different value.'],
  ['header.repeated', 'warning', 'A documented header was sent more than once.'],

  ['payload.field_missing', 'error', 'A required field of the body is missing.'],
  ['payload.field_type', 'error', 'A common field of the body has the wrong type.'],
  ['payload.field_extra', 'info', 'A field next to data is not documented.'],
  ['payload.created_at', 'error', 'createdAt is not ISO 8601 with milliseconds and UTC.'],
  ['payload.unknown_type', 'info', 'The API documentation does not list this event type.'],

  ['target.uuid_missing', 'error', 'The targetUuid required by the type is missing.'],
  ['target.id_missing', 'error', 'The targetId required by the type is missing.'],
  ['target.uuid_unexpected', 'warning', 'The type does not have a targetUuid, but one was sent.'],
  ['target.id_unexpected', 'warning', 'The type does not have a targetId, but one was sent.'],

  ['data.field_missing', 'warning', 'A documented field of the type is missing.'],
  ['data.field_extra', 'info', 'A field in data is not documented.'],
  ['data.field_type', 'error', 'A field in data has the wrong type.'],
  ['data.value_new', 'info', 'A field in data has an undocumented value.'],
  ['data.time', 'warning', 'A time in data is not ISO 8601.'],

  ['findings.more', 'info', 'The delivery has more findings than are stored.'],
] as const satisfies readonly (readonly [code: string, severity: Severity, title: string])[]

export type KnownCode = (typeof rows)[number][0]

/** All finding codes, grouped by subject. */
export const findingCodes: readonly (FindingCode & { readonly code: KnownCode })[] = rows.map(
  ([code, severity, title]) => ({ code, severity, title }),
)
