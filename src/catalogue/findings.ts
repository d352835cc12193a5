import type { Finding, FindingData, Severity } from '#contract/models.ts'
import { eventTypeOf } from './catalogue.ts'

/** Codes are stable, because filters and scripts use them. */
export interface FindingCode {
  readonly code: string
  readonly severity: Severity
  /** For a list of codes. */
  readonly title: string
}

/** A sentence. `type`: the event type of the delivery. */
type Message = string | ((finding: FindingData, type: string | null) => string)

const shouldRepeat = (field: string): Message =>
  `The body has a ${field}, and this header should repeat it.`

const differsFrom =
  (field: string): Message =>
  ({ expected }) =>
    expected === nothingToRepeat
      ? `This header has a value, but the body has no ${field}.`
      : `This header is not the ${field} of the body. Only the body is signed.`

const forType =
  (sentence: (type: string) => string): Message =>
  (_, type) =>
    `${sentence(type ?? 'this type')} (API documentation, "Event catalogue").`

/** The expected value of a header that repeats a field which the body does not have. */
export const nothingToRepeat = 'none'

/** Severity, and title for a list of codes. Grouped by subject. */
const codes = {
  'request.no_endpoint': ['warning', 'No endpoint has the requested path.'],
  'request.cut_off': ['error', 'The request ended before it was complete.'],
  'request.malformed': ['error', 'The request is not valid HTTP/1.1.'],
  'request.tls': ['error', 'The sender used TLS on the port for plain HTTP.'],
  'request.http2': ['error', 'The sender used HTTP/2 on the port for HTTP/1.1.'],
  'request.proxy_protocol': ['error', 'A proxy sent a PROXY protocol header before the request.'],
  'request.method': ['warning', 'The method is not POST.'],
  'body.too_large': ['error', 'The body is larger than the limit in the settings.'],
  'body.empty': ['error', 'The body is empty.'],
  'body.not_utf8': ['error', 'The body is not UTF-8.'],
  'body.not_json': ['error', 'The body is not JSON.'],
  'body.not_object': ['error', 'The body is JSON, but not an object.'],
  'body.encoded': ['warning', 'The body is compressed, so its content was not checked.'],
  'body.byte_order_mark': ['warning', 'The body begins with a byte order mark.'],
  'body.duplicate_key': ['warning', 'A JSON object has a duplicate key. Parsers may differ.'],
  'signature.repeated': ['warning', 'The signature header was sent more than once.'],
  'signature.upper_case': ['info', 'The signature matches, but is written in upper case.'],
  'header.type_mismatch': ['error', 'The event type header does not match the body.'],
  'header.type_missing': ['warning', 'The event type header is missing.'],
  'header.target_uuid_mismatch': ['error', 'The target UUID header does not match the body.'],
  'header.target_uuid_missing': ['warning', 'The target UUID header is missing.'],
  'header.target_id_mismatch': ['error', 'The target ID header does not match the body.'],
  'header.target_id_missing': ['warning', 'The target ID header is missing.'],
  'header.application_id_mismatch': ['error', 'The application ID does not match the endpoint.'],
  'header.application_id_missing': ['warning', 'The application ID header is missing.'],
  'header.user_agent': ['warning', 'The user agent does not start as documented.'],
  'header.content_type': ['error', 'The content type is not application/json.'],
  'header.custom_missing': ['error', 'A custom header of the endpoint is missing.'],
  'header.custom_different': ['error', 'A custom header of the endpoint has a different value.'],
  'header.repeated': ['warning', 'A documented header was sent more than once.'],
  'payload.field_missing': ['error', 'A required field of the body is missing.'],
  'payload.field_type': ['error', 'A common field of the body has the wrong type.'],
  'payload.field_extra': ['info', 'A field next to data is not documented.'],
  'payload.created_at': ['error', 'createdAt is not ISO 8601 with milliseconds and UTC.'],
  'payload.unknown_type': ['info', 'The API documentation does not list this event type.'],
  'target.uuid_missing': ['error', 'The targetUuid required by the type is missing.'],
  'target.id_missing': ['error', 'The targetId required by the type is missing.'],
  'target.uuid_unexpected': ['warning', 'The type does not have a targetUuid, but one was sent.'],
  'target.id_unexpected': ['warning', 'The type does not have a targetId, but one was sent.'],
  'data.field_missing': ['warning', 'A documented field of the type is missing.'],
  'data.field_extra': ['info', 'A field in data is not documented.'],
  'data.field_type': ['error', 'A field in data has the wrong type.'],
  'data.value_new': ['info', 'A field in data has an undocumented value.'],
  'data.time': ['warning', 'A time in data is not ISO 8601.'],
  'script.failed': ['warning', 'A script of a response rule or forward target failed.'],
  'findings.more': ['info', 'The delivery has more findings than are stored.'],
} as const satisfies Readonly<Record<string, readonly [Severity, string]>>

export type KnownCode = keyof typeof codes

const messages: Readonly<Partial<Record<KnownCode, Message>>> = {
  'request.no_endpoint': ({ expected }) =>
    expected === undefined
      ? 'No endpoint has this path, so no signature was checked.'
      : `No endpoint has this path, so no signature was checked. The endpoint ${expected} nearly has it: correct the URL at the sender.`,
  'request.malformed': 'This is not a valid HTTP/1.1 request.',
  'request.tls':
    'The sender used TLS, so there was no HTTP request to read. Use http:// instead of https:// for this port, or let a tunnel or proxy in front of it accept TLS.',
  'request.http2':
    'The sender used HTTP/2 without negotiation. Let it, or the proxy in between, use HTTP/1.1.',
  'request.proxy_protocol':
    'A proxy or load balancer sent a PROXY protocol header before the request, so it could not be read. Turn off the PROXY protocol there.',
  'request.method':
    'Every delivery of the service is a POST request (API documentation, "Delivery").',
  'body.too_large': 'The body is larger than the limit in the settings; only its start was stored.',
  'body.empty':
    'Every delivery has a JSON body (API documentation, "Delivery"); this one has none.',
  'body.not_utf8': 'The body is not UTF-8, which JSON must be (RFC 8259, 8.1).',
  'body.not_json': 'The body is not JSON (API documentation, "Delivery").',
  'body.not_object': 'The body is JSON, but not an object (API documentation, "Webhook payload").',
  'body.encoded':
    'The body has a content encoding, so its content was not checked. The signature is checked over the bytes as sent.',
  'body.byte_order_mark':
    'The body begins with a byte order mark, which JSON must not have (RFC 8259, 8.1). Many parsers reject it, and a handler that removes it computes another signature.',
  'body.duplicate_key':
    'This key occurs more than once in its object. Most parsers keep the last value, some keep the first, and some reject the body.',
  'signature.repeated':
    'The signature header was sent more than once, on lines of its own or joined by a proxy with commas; every value was checked.',
  'signature.upper_case':
    'The signature matches, but its hex digits are upper case. A handler that compares text would reject it.',
  'header.type_mismatch': differsFrom('type'),
  'header.type_missing': shouldRepeat('type'),
  'header.target_uuid_mismatch': differsFrom('targetUuid'),
  'header.target_uuid_missing': shouldRepeat('targetUuid'),
  'header.target_id_mismatch': differsFrom('targetId'),
  'header.target_id_missing': shouldRepeat('targetId'),
  'header.application_id_mismatch':
    'The delivery names a different application than the endpoint. Compare it with the integration’s page on the dashboard.',
  'header.application_id_missing':
    'Every delivery names the application it is for, but this header is missing or empty (API documentation, "Delivery headers").',
  'header.user_agent':
    'The user agent of every delivery starts with the brand and -WebhookAgent (API documentation, "Delivery").',
  'header.content_type':
    'Every delivery is sent as application/json (API documentation, "Delivery").',
  'header.custom_missing':
    'This header is configured on the endpoint, but is missing from the delivery. nginx drops headers whose names have an underscore, unless underscores_in_headers is on. Behind a proxy in the guide has what else it changes, such as its limits of 1 MB and 60 s.',
  'header.custom_different':
    'The value of this header differs from the one configured on the endpoint.',
  'header.repeated': ({ actual }) =>
    `This header was sent ${actual ?? 'several'} times. Which one a handler sees depends on its framework.`,
  'payload.field_missing': 'Every body has this field (API documentation, "Webhook payload").',
  'payload.field_type':
    'The API documentation gives this field another type (API documentation, "Webhook payload").',
  'payload.field_extra':
    'The API documentation lists no such field next to data (API documentation, "Webhook payload").',
  'payload.created_at':
    'createdAt is an ISO 8601 time with milliseconds, in UTC (API documentation, "Payload shape in a delivery").',
  'payload.unknown_type':
    'The API documentation does not list this event type, so its data is not checked.',
  'target.uuid_missing': forType((type) => `${type} names its target by targetUuid`),
  'target.id_missing': forType((type) => `${type} names its target by targetId`),
  'target.uuid_unexpected': forType((type) => `${type} has no targetUuid`),
  'target.id_unexpected': forType((type) => `${type} has no targetId`),
  'data.field_missing': forType((type) => `The API documentation lists this field for ${type}`),
  'data.field_extra': forType((type) =>
    eventTypeOf(type)?.hasData === 'no'
      ? `The API documentation lists no data for ${type}`
      : `The API documentation does not list this field for ${type}`,
  ),
  'data.field_type': forType(
    (type) => `The API documentation gives this field of ${type} another type`,
  ),
  'data.value_new':
    'The API documentation does not list this value. It may be new: the documentation does not say that its list is complete.',
  'data.time': 'The API documentation calls this an ISO 8601 timestamp.',
  'script.failed': ({ expected, actual }) =>
    `The script “${expected ?? ''}” failed, so it changed nothing: ${actual ?? 'the reason is unknown.'}`,
  'findings.more': ({ actual }) =>
    `There are ${actual ?? 'some'} more findings, which are not stored.`,
}

export const findingCodes: readonly (FindingCode & { readonly code: KnownCode })[] = Object.keys(
  codes,
)
  .filter(isKnown)
  .map((code) => ({ code, severity: codes[code][0], title: codes[code][1] }))

function isKnown(code: string): code is KnownCode {
  return Object.hasOwn(codes, code)
}

export function severityOf({ code, severity }: FindingData): Severity {
  return severity ?? (isKnown(code) ? codes[code][0] : 'error')
}

/** Adds the severity and a sentence for users. `type`: the event type of the delivery. */
export function describeFinding(finding: FindingData, type: string | null): Finding {
  const { code, location, expected, actual } = finding
  return {
    code,
    severity: severityOf(finding),
    location,
    message: finding.message ?? defaultMessage(finding, type),
    ...(expected !== undefined && { expected }),
    ...(actual !== undefined && { actual }),
  }
}

export function describeFindings({
  findings,
  type,
}: {
  readonly findings: readonly FindingData[]
  readonly type: string | null
}): Finding[] {
  return findings.map((finding) => describeFinding(finding, type))
}

function defaultMessage(finding: FindingData, type: string | null): string {
  const { code } = finding
  if (!isKnown(code)) return `This version of Tabscope does not know ${code}.`
  const message = messages[code] ?? codes[code][1]
  return typeof message === 'string' ? message : message(finding, type)
}

/** Removes the severity and the message, which `describeFinding` derives from the rest. */
export function findingData(finding: Finding, type: string | null): FindingData {
  const { severity, message, ...data } = finding
  const derived = describeFinding(data, type)
  return {
    ...data,
    ...(derived.severity !== severity && { severity }),
    ...(derived.message !== message && { message }),
  }
}
