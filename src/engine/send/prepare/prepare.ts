import type { Header } from '#contract/models.ts'
import type { Edits, SignChoice } from '#contract/sending.ts'
import type { Captured } from '../../store/captured.ts'
import type { WireRequest } from '../wire/wire.ts'
import type { SenderWorld } from '../world.ts'
import { followBody } from './follow-body.ts'
import { connectFault, isToken } from './header-faults.ts'
import { hasHeader, sameHeaders, withoutHeader } from './header-list.ts'
import { namesOf } from './names.ts'
import { addressed } from './request-target.ts'
import { isChunked, refused, withGiven, withHost, withLength } from './resend-headers.ts'
import { isNoJson, saysJson } from './json-said.ts'
import { applySign } from './resend-signature.ts'

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
export function prepareResend(captured: Captured, wish: Resending, world: SenderWorld): Prepared {
  const { edits, sign } = wish
  const { url, target } = addressed(wish.url, captured.path)
  const given = edits.headers
  const bodyEdited =
    edits.body !== null && !(captured.whole && Buffer.compare(edits.body, captured.body) === 0)
  const body = bodyEdited && edits.body ? edits.body : captured.body
  if (!captured.whole && !bodyEdited) {
    throw refused(
      `Only the beginning of the body of delivery ${captured.id} was kept, so it cannot go out again as it came. Send it with a body of your own.`,
    )
  }
  if (!isToken(captured.method)) {
    throw refused(
      `Delivery ${captured.id} came without a method that can be read, so it cannot go out again. Write a request of your own.`,
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
    notes.push('Content-Type says JSON, but the body is not JSON. It goes out all the same.')
  }
  if (hasHeader(headers, 'content-encoding') && !hasHeader(given, 'content-encoding')) {
    notes.push('Content-Encoding stays as captured, but the body goes out as it was given.')
  }
  return notes
}
