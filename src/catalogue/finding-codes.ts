import type { Severity } from '#contract/models.ts'

/** What can be found to depart from the document, and what to make of it. A code is stable: filters and scripts name it. */
export interface FindingCode {
  readonly code: string
  readonly severity: Severity
  /** What it means in general, as a sentence for a list of codes. */
  readonly title: string
}

const rows = [
  ['request.no_endpoint', 'warning', 'No endpoint has the path that was asked for.'],
  ['request.cut_off', 'error', 'The request ended before it was complete.'],
  ['request.malformed', 'error', 'It is not a request that HTTP/1.1 allows.'],
  ['request.method', 'warning', 'The method is not POST.'],

  ['body.too_large', 'error', 'The body is larger than the limit in the settings.'],
  ['body.empty', 'error', 'There is no body.'],
  ['body.not_utf8', 'error', 'The body is not UTF-8.'],
  ['body.not_json', 'error', 'The body is not JSON.'],
  ['body.not_object', 'error', 'The body is JSON, but no object.'],
  ['body.duplicate_key', 'warning', 'A JSON object has the same key twice; readers may differ.'],

  ['signature.repeated', 'warning', 'The signature header came more than once.'],
  ['signature.upper_case', 'info', 'The signature matches, but is written in upper case.'],

  ['header.type_mismatch', 'error', 'The event-type header is not the type of the body.'],
  ['header.type_missing', 'warning', 'The event-type header did not come.'],
  ['header.target_uuid_mismatch', 'error', 'The target UUID header is not that of the body.'],
  ['header.target_uuid_missing', 'warning', 'The target UUID header did not come.'],
  ['header.target_id_mismatch', 'error', 'The target ID header is not that of the body.'],
  ['header.target_id_missing', 'warning', 'The target ID header did not come.'],
  ['header.application_id_mismatch', 'error', 'The application ID is not that of the endpoint.'],
  ['header.application_id_missing', 'warning', 'The application ID header did not come.'],
  ['header.user_agent', 'warning', 'The user agent does not start as documented.'],
  ['header.content_type', 'error', 'The content type is not application/json.'],
  ['header.custom_missing', 'error', 'A custom header of the endpoint did not come.'],
  ['header.custom_different', 'error', 'A custom header of the endpoint has another value.'],
  ['header.repeated', 'warning', 'A documented header was sent more than once.'],

  ['payload.field_missing', 'error', 'A field that every body must have is missing.'],
  ['payload.field_type', 'error', 'A field that every body has is of another type.'],
  ['payload.field_extra', 'info', 'A field beside data is not documented.'],
  ['payload.created_at', 'error', 'createdAt is not ISO 8601 with milliseconds and UTC.'],
  ['payload.unknown_type', 'info', 'The API documentation does not list this event type.'],

  ['target.uuid_missing', 'error', 'The type must have a targetUuid, and has none.'],
  ['target.id_missing', 'error', 'The type must have a targetId, and has none.'],
  ['target.uuid_unexpected', 'warning', 'The type has no targetUuid, and one came.'],
  ['target.id_unexpected', 'warning', 'The type has no targetId, and one came.'],

  ['data.field_missing', 'warning', 'A documented field of the type is missing.'],
  ['data.field_extra', 'info', 'A field in data is not documented.'],
  ['data.field_type', 'error', 'A field in data is of another type.'],
  ['data.value_new', 'info', 'A field in data has a value that is not documented.'],
  ['data.time', 'warning', 'A time in data is not ISO 8601.'],

  ['findings.more', 'info', 'There are more findings than are kept for one delivery.'],
] as const satisfies readonly (readonly [code: string, severity: Severity, title: string])[]

/** A code of the list. */
export type KnownCode = (typeof rows)[number][0]

/** Every code that a delivery's findings can have, by what it is about. */
export const findingCodes: readonly (FindingCode & { readonly code: KnownCode })[] = rows.map(
  ([code, severity, title]) => ({ code, severity, title }),
)
