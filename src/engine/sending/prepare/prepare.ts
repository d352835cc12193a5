import type { Header } from '#contract/models.ts'
import type { Edits, SignChoice } from '#contract/sending.ts'
import type { Captured } from '../../deliveries/store.ts'
import type { WireRequest } from '../wire/request-bytes.ts'
import type { SenderConfiguration } from '../sender-configuration.ts'
import {
  connectFault,
  hasHeader,
  insertAfter,
  isNamed,
  sameHeaders,
  withHeaders,
  withoutHeader,
  withValue,
  type DeliveryNames,
  namesOf,
  declaresJson,
} from './header-list.ts'
import { isToken } from '../../platform/http/request-head.ts'
import { requestTarget, withQuery } from './request-target.ts'
import { isChunked, badInput, withGiven, withHost, withLength } from './resend-headers.ts'
import { headerEquals } from '../../conformance/received-headers.ts'
import { echoIds, factsOf, isInvalidJson } from './body-facts.ts'
import type { AppError } from '../../platform/errors.ts'
import { type Signature, signAs, signCurrent } from './signing.ts'

export interface Prepared {
  readonly request: WireRequest
  /** Whether anything but `Host` differs from the captured delivery. */
  readonly edited: boolean
  readonly bodyEdited: boolean
  readonly signing: 'kept' | 'signed' | 'broken' | 'none'
  /** "current of Main" */
  readonly secretName: string | null
  readonly notes: readonly string[]
  readonly asStored: boolean
  /** Hex; null if it is not computed yet. */
  readonly sha256: string | null
}

export interface ResendOptions {
  readonly url: URL
  readonly sign: SignChoice
  readonly edits: Edits
}

/**
 * Prepares a captured delivery for a URL. Without edits it is sent byte for byte except for `Host`. Uses the delivery's query if the URL has none.
 * Throws `bad_input`, `secret_unavailable`.
 */
export function prepareResend(
  captured: Captured,
  options: ResendOptions,
  configuration: SenderConfiguration,
): Prepared {
  const { edits, sign } = options
  const url = withQuery(options.url, captured.path)
  const target = requestTarget(url, captured.path)
  const given = edits.headers
  const bodyEdited =
    edits.body !== null && !(captured.whole && Buffer.compare(edits.body, captured.body) === 0)
  const body = bodyEdited && edits.body ? edits.body : captured.body
  if (!captured.whole && !bodyEdited) {
    throw badInput(
      `Only the start of the body of delivery ${captured.id} was stored, so it cannot be sent again unchanged. Send it with a new body.`,
    )
  }
  if (!isToken(captured.method)) {
    throw badInput(
      `Delivery ${captured.id} has no valid method, so it cannot be sent again. Compose a new request.`,
    )
  }
  if (captured.method === 'CONNECT') throw badInput(connectFault)
  const names = namesOf(captured.brand)
  const notes: string[] = []
  let headers: readonly Header[] = withGiven(captured.headers, given, body.byteLength)
  if (bodyEdited) {
    headers = withLength(headers, body.byteLength)
    headers = updateEchoes(headers, { names, given, before: captured.body, after: body })
    notes.push(...bodyNotes(headers, given, body))
  }
  const signed = applySign(headers, { captured, sign, given, body, bodyEdited, configuration })
  headers = signed.headers
  if (signed.note) notes.push(signed.note)
  const trailers = isChunked(headers) ? captured.trailers : []
  if (trailers.length < captured.trailers.length) {
    notes.push('The trailers are not sent, because they require a chunked body.')
  }
  const edited =
    bodyEdited ||
    trailers.length < captured.trailers.length ||
    (headers !== captured.headers &&
      !sameHeaders(withoutHeader(headers, 'host'), withoutHeader(captured.headers, 'host')))
  return {
    request: {
      method: captured.method,
      url,
      target,
      headers: withHost(headers, given, url.host),
      body,
      trailers,
    },
    edited,
    bodyEdited,
    signing: signed.signing,
    secretName: signed.secretName,
    notes,
    asStored: !edited && captured.sha256 !== null && !hasHeader(given, 'host'),
    sha256: bodyEdited ? null : captured.sha256,
  }
}

function bodyNotes(
  headers: readonly Header[],
  given: readonly Header[],
  body: Uint8Array,
): string[] {
  const notes: string[] = []
  if (declaresJson(headers) && isInvalidJson(body)) {
    notes.push('Content-Type is JSON, but the body is not JSON. It is sent anyway.')
  }
  if (hasHeader(headers, 'content-encoding') && !hasHeader(given, 'content-encoding')) {
    notes.push('Content-Encoding stays as captured, but the body is sent as entered.')
  }
  return notes
}

/**
 * Updates the headers that repeat values of the body, in place, if they matched the previous body. Adds one for a value that is new in the body if
 * other such headers are present. Headers that were set manually or did not match before stay.
 */
function updateEchoes(
  headers: readonly Header[],
  of: {
    readonly names: DeliveryNames
    readonly given: readonly Header[]
    readonly before: Uint8Array
    readonly after: Uint8Array
  },
): Header[] {
  const { names, given } = of
  const before = factsOf(of.before).echoes
  const after = factsOf(of.after).echoes
  const anyEcho = echoIds.some((id) => hasHeader(headers, names.lower[id]))
  let list = [...headers]
  for (const id of echoIds) {
    const name = names.lower[id]
    if (hasHeader(given, name)) continue
    const received = headers.filter((header) => isNamed(header, name))
    const matched =
      received.length === 0
        ? before[id] === ''
        : received.every(([, value]) => headerEquals(value, before[id]))
    if (!matched || after[id] === before[id]) continue
    if (after[id] === '') list = withoutHeader(list, name)
    else if (received.length > 0) list = withValue(list, name, after[id])
    else if (anyEcho)
      list = insertAfter(list, `${names.prefix}event-`, [names.usual[id], after[id]])
  }
  return list
}

interface Signed {
  readonly headers: readonly Header[]
  readonly signing: 'kept' | 'signed' | 'broken' | 'none'
  readonly secretName: string | null
  readonly note: string | null
}

/** Throws `bad_input`, `secret_unavailable`. */
function applySign(
  headers: readonly Header[],
  of: {
    readonly captured: Captured
    readonly sign: SignChoice
    readonly given: readonly Header[]
    readonly body: Uint8Array
    readonly bodyEdited: boolean
    readonly configuration: SenderConfiguration
  },
): Signed {
  const { captured, sign, given, body, bodyEdited, configuration } = of
  const { lower, usual, prefix } = namesOf(captured.brand)
  const keep = (): Signed => ({
    headers,
    signing: hasHeader(headers, lower.signature) ? 'kept' : 'none',
    secretName: null,
    note: null,
  })
  const omit = (note: string | null): Signed => ({
    headers: withoutHeader(headers, lower.signature),
    signing: 'none',
    secretName: null,
    note,
  })
  const replace = ({ value, signing, secretName }: Signature): Signed => ({
    headers: hasHeader(headers, lower.signature)
      ? withValue(firstOnly(headers, lower.signature), lower.signature, value)
      : insertAfter(headers, prefix, [usual.signature, value]),
    signing,
    secretName,
    note: null,
  })
  const isManual = hasHeader(given, lower.signature)
  switch (sign.how) {
    case 'auto': {
      if (isManual || !bodyEdited) return keep()
      const endpoint = configuration.endpoint(captured.endpointId)
      const signature = signCurrent(body, endpoint)
      if (signature) return replace(signature)
      return omit(
        endpoint
          ? `The endpoint "${endpoint.name}" has no secret, so the edited body is sent without a signature.`
          : 'The delivery belongs to no endpoint, so the edited body is sent without a signature.',
      )
    }
    case 'keep':
      return keep()
    case 'none':
      if (isManual) throw conflicting(usual.signature)
      return omit(null)
    case 'secret':
    case 'broken':
      if (isManual) throw conflicting(usual.signature)
      return replace(signAs(body, sign, captured.endpointId, configuration))
  }
}

function firstOnly(headers: readonly Header[], lowerName: string): Header[] {
  const first = headers.find(([name]) => name.toLowerCase() === lowerName)
  return first ? withHeaders(headers, [first]) : [...headers]
}

function conflicting(name: string): AppError {
  return badInput(
    `The header ${name} is set manually, but a new signature is requested too. Remove one of them.`,
  )
}
