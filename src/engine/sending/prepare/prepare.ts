import type { Header } from '#contract/models.ts'
import type { Edits, SignChoice } from '#contract/sending.ts'
import type { Captured } from '../../deliveries/store.ts'
import type { WireRequest } from '../wire/request-bytes.ts'
import type { SenderConfiguration } from '../sender-configuration.ts'
import {
  connectFault,
  isToken,
  hasHeader,
  insertBehind,
  isNamed,
  sameHeaders,
  withHeaders,
  withoutHeader,
  withValue,
  type DeliveryNames,
  namesOf,
  saysJson,
} from './header-list.ts'
import { addressed } from './request-target.ts'
import { isChunked, refused, withGiven, withHost, withLength } from './resend-headers.ts'
import { headerEquals } from '../../conformance/received-headers.ts'
import { echoIds, factsOf, isNoJson } from './body-facts.ts'
import type { AppError } from '../../platform/errors.ts'
import { type Made, signAs, signCurrent } from './signing.ts'

/** A request ready to go out, and what there is to say of it. */
export interface Prepared {
  readonly request: WireRequest
  /** Anything but `Host` differs from the captured delivery. */
  readonly edited: boolean
  readonly bodyEdited: boolean
  readonly signing: 'kept' | 'signed' | 'broken' | 'none'
  /** "current of Main" */
  readonly secretName: string | null
  readonly notes: readonly string[]
  /** The store has all of it, but for the value of `Host`, which is that of the address. */
  readonly asStored: boolean
  /** Hex, of the body, where it is known already. */
  readonly sha256: string | null
}

export interface Resending {
  readonly url: URL
  readonly sign: SignChoice
  readonly edits: Edits
}

/**
 * A captured delivery for an address: without edits its very bytes, but for the value of `Host`. A query of the delivery goes along where the
 * address has none. Throws `bad_input`, `secret_unavailable`.
 */
export function prepareResend(
  captured: Captured,
  wish: Resending,
  world: SenderConfiguration,
): Prepared {
  const { edits, sign } = wish
  const { url, target } = addressed(wish.url, captured.path)
  const given = edits.headers
  const bodyEdited =
    edits.body !== null && !(captured.whole && Buffer.compare(edits.body, captured.body) === 0)
  const body = bodyEdited && edits.body ? edits.body : captured.body
  if (!captured.whole && !bodyEdited) {
    throw refused(
      `Only the start of the body of delivery ${captured.id} was stored, so it cannot be sent again unchanged. Send it with a new body.`,
    )
  }
  if (!isToken(captured.method)) {
    throw refused(
      `Delivery ${captured.id} has no readable method, so it cannot be sent again. Compose a new request.`,
    )
  }
  if (captured.method === 'CONNECT') throw refused(connectFault)
  const names = namesOf(captured.brand)
  const notes: string[] = []
  let headers: readonly Header[] = withGiven(captured.headers, given, body.byteLength)
  if (bodyEdited) {
    headers = withLength(headers, body.byteLength)
    headers = followBody(headers, { names, given, before: captured.body, after: body })
    notes.push(...bodyNotes(headers, given, body))
  }
  const signed = applySign(headers, { captured, sign, given, body, bodyEdited, world })
  headers = signed.headers
  if (signed.note) notes.push(signed.note)
  const trailers = isChunked(headers) ? captured.trailers : []
  if (trailers.length < captured.trailers.length) {
    notes.push('The trailers stay behind: they come only behind a body in chunks.')
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
  if (saysJson(headers) && isNoJson(body)) {
    notes.push('Content-Type is JSON, but the body is not JSON. It is sent anyway.')
  }
  if (hasHeader(headers, 'content-encoding') && !hasHeader(given, 'content-encoding')) {
    notes.push('Content-Encoding stays as captured, but the body is sent as entered.')
  }
  return notes
}

/**
 * The headers that repeat what the body says, after the body: those that agreed with the body before, in their places. One that had nothing to
 * repeat and has now is added, where others of them are there. What was given by hand, or did not agree before, stays.
 */
function followBody(
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
    const came = headers.filter((header) => isNamed(header, name))
    const agreed =
      came.length === 0
        ? before[id] === ''
        : came.every(([, value]) => headerEquals(value, before[id]))
    if (!agreed || after[id] === before[id]) continue
    if (after[id] === '') list = withoutHeader(list, name)
    else if (came.length > 0) list = withValue(list, name, after[id])
    else if (anyEcho)
      list = insertBehind(list, `${names.prefix}event-`, [names.usual[id], after[id]])
  }
  return list
}

interface Signed {
  readonly headers: readonly Header[]
  readonly signing: 'kept' | 'signed' | 'broken' | 'none'
  readonly secretName: string | null
  readonly note: string | null
}

/** The headers with the signature that is asked for. Throws `bad_input`, `secret_unavailable`. */
function applySign(
  headers: readonly Header[],
  of: {
    readonly captured: Captured
    readonly sign: SignChoice
    readonly given: readonly Header[]
    readonly body: Uint8Array
    readonly bodyEdited: boolean
    readonly world: SenderConfiguration
  },
): Signed {
  const { captured, sign, given, body, bodyEdited, world } = of
  const { lower, usual, prefix } = namesOf(captured.brand)
  const kept = (): Signed => ({
    headers,
    signing: hasHeader(headers, lower.signature) ? 'kept' : 'none',
    secretName: null,
    note: null,
  })
  const left = (note: string | null): Signed => ({
    headers: withoutHeader(headers, lower.signature),
    signing: 'none',
    secretName: null,
    note,
  })
  const put = ({ value, signing, secretName }: Made): Signed => ({
    headers: hasHeader(headers, lower.signature)
      ? withValue(firstOnly(headers, lower.signature), lower.signature, value)
      : insertBehind(headers, prefix, [usual.signature, value]),
    signing,
    secretName,
    note: null,
  })
  const byHand = hasHeader(given, lower.signature)
  switch (sign.how) {
    case 'auto': {
      if (byHand || !bodyEdited) return kept()
      const endpoint = world.endpoint(captured.endpointId)
      const made = signCurrent(body, endpoint)
      if (made) return put(made)
      return left(
        endpoint
          ? `The endpoint "${endpoint.name}" has no secret, so the edited body is sent without a signature.`
          : 'The delivery belongs to no endpoint, so the edited body is sent without a signature.',
      )
    }
    case 'keep':
      return kept()
    case 'none':
      if (byHand) throw contradicting(usual.signature)
      return left(null)
    case 'secret':
    case 'broken':
      if (byHand) throw contradicting(usual.signature)
      return put(signAs(body, sign, captured.endpointId, world))
  }
}

function firstOnly(headers: readonly Header[], lowerName: string): Header[] {
  const first = headers.find(([name]) => name.toLowerCase() === lowerName)
  return first ? withHeaders(headers, [first]) : [...headers]
}

function contradicting(name: string): AppError {
  return refused(
    `The header ${name} is given by hand and by what is to sign. Leave one of them out.`,
  )
}
