import type { DraftHeader, DraftProblem, PreparedHeader } from '#contract/compose.ts'
import type { Header } from '#contract/models.ts'
import { headerEquals } from '../../conformance/received-headers.ts'
import { asHeader, echoIds, factsOf, type EchoId, problem, type Composing } from './body-facts.ts'
import type { SignatureDecision } from './draft-signature.ts'
import { hasHeader, isNamed } from './header-list.ts'
import { isChunked } from './resend-headers.ts'

export interface ComposedHeaders {
  readonly rows: readonly PreparedHeader[]
  readonly leftOut: readonly number[]
  readonly problems: readonly DraftProblem[]
  readonly signing: 'kept' | 'signed' | 'broken' | 'none'
  readonly secretName: string | null
}

type Dependent = 'host' | 'content-length' | 'application-id' | 'signature' | EchoId

/** The headers of a draft as they go out: what depends follows body, endpoint, address and secret, unless it is set by hand. */
export function composeHeaders(of: Composing, decision: SignatureDecision): ComposedHeaders {
  const { content, values } = of
  const chunked = isChunked(
    content.headers.flatMap(({ name, on }, index): Header[] =>
      on ? [[name, values[index] ?? '']] : [],
    ),
  )
  const rows: PreparedHeader[] = []
  const leftOut: number[] = []
  let unsigned = decision.how === 'put'
  for (const [index, header] of content.headers.entries()) {
    if (!header.on || (header.name === '' && header.value === '')) continue
    const written = {
      name: header.name,
      value: values[index] ?? '',
      draft: index,
      from: 'draft',
    } as const
    const kind = header.byHand ? null : dependentOf(header, of)
    if (kind === null) {
      rows.push(written)
    } else if (kind === 'signature') {
      // Nothing was captured to be kept.
      const nothing = written.value === '' && !of.bodyUnchanged
      if (decision.how === 'keep' && !nothing) rows.push(written)
      else if (decision.how === 'put' && unsigned) {
        rows.push({ ...written, value: decision.made.value, from: 'signature' })
        unsigned = false
      } else leftOut.push(index)
    } else {
      const following = follow(kind, written.value, of, chunked)
      if (following === null) leftOut.push(index)
      else rows.push({ ...written, ...following })
    }
  }
  const problems: DraftProblem[] = []
  const isSignature = ({ name }: { name: string }): boolean =>
    name.toLowerCase() === of.names.lower.signature
  if (decision.how === 'leave' && decision.problem) problems.push(decision.problem)
  if (unsigned && decision.how === 'put') {
    const row = content.headers.find(isSignature)
    if (row) problems.push(notSigned(row))
    else {
      const value = decision.made.value
      insert(rows, of.names.prefix, {
        name: of.names.usual.signature,
        value,
        draft: null,
        from: 'signature',
      })
    }
  }
  addEchoes(rows, of)
  problems.push(...addFraming(rows, of))
  const made =
    decision.how === 'put' && rows.some(({ from }) => from === 'signature') ? decision.made : null
  return {
    rows,
    leftOut,
    problems,
    signing: made?.signing ?? (rows.some(isSignature) ? 'kept' : 'none'),
    secretName: made?.secretName ?? null,
  }
}

function dependentOf({ name }: DraftHeader, { names }: Composing): Dependent | null {
  const lower = name.toLowerCase()
  switch (lower) {
    case 'host':
    case 'content-length':
      return lower
    case names.lower.signature:
      return 'signature'
    case names.lower['application-id']:
      return 'application-id'
    default:
      return echoIds.find((id) => names.lower[id] === lower) ?? null
  }
}

/** The value of a header that depends, and where it comes from; null: there is none. */
function follow(
  kind: Exclude<Dependent, 'signature'>,
  written: string,
  { url, body, bodyUnchanged, sameEndpoint, endpoint }: Composing,
  chunked: boolean,
): Pick<PreparedHeader, 'value' | 'from'> | null {
  const asWritten = { value: written, from: 'draft' } as const
  switch (kind) {
    case 'host':
      return url ? { value: url.host, from: 'url' } : asWritten
    case 'content-length':
      if (bodyUnchanged) return asWritten
      return chunked ? null : { value: String(body.byteLength), from: 'length' }
    case 'application-id': {
      const value = asHeader(endpoint?.applicationId)
      if ((bodyUnchanged && sameEndpoint) || value === '')
        return written === '' && !bodyUnchanged ? null : asWritten
      return { value, from: 'endpoint' }
    }
    case 'event-type':
    case 'target-uuid':
    case 'target-id': {
      if (bodyUnchanged) return asWritten
      const value = factsOf(body).echoes[kind]
      return value === '' ? null : { value, from: 'body' }
    }
  }
}

function notSigned({ on }: DraftHeader): DraftProblem {
  return on
    ? problem(
        'info',
        'sign.by_hand',
        'sign',
        'The signature header is written by hand, so nothing is signed.',
      )
    : problem('info', 'sign.off', 'sign', 'The signature header is switched off, so none is sent.')
}

/** What the delivery had no value for, and the body has now: as when it is re-sent with that body. */
function addEchoes(rows: PreparedHeader[], of: Composing): void {
  const { captured, content, body, bodyUnchanged, names } = of
  if (!captured || bodyUnchanged) return
  if (!echoIds.some((id) => hasHeader(captured.headers, names.lower[id]))) return
  const before = factsOf(captured.body).echoes
  for (const id of echoIds) {
    const value = factsOf(body).echoes[id]
    const name = names.usual[id]
    if (value === '' || before[id] !== '' || hasHeader(captured.headers, names.lower[id])) continue
    if (content.headers.some((header) => header.name.toLowerCase() === names.lower[id])) continue
    insert(rows, `${names.prefix}event-`, { name, value, draft: null, from: 'body' })
  }
}

/** No request does without a host, and no body without a length or chunks. */
function addFraming(rows: PreparedHeader[], of: Composing): DraftProblem[] {
  const { url, body, content } = of
  const has = (lower: string): boolean => rows.some(({ name }) => name.toLowerCase() === lower)
  if (url && !has('host')) rows.unshift({ name: 'Host', value: url.host, draft: null, from: 'url' })
  if (body.byteLength === 0 || has('transfer-encoding') || has('content-length')) return []
  const value = String(body.byteLength)
  rows.push({ name: 'Content-Length', value, draft: null, from: 'length' })
  const off = content.headers.findIndex(({ name }) => name.toLowerCase() === 'content-length')
  if (off === -1) return []
  const message =
    'Content-Length is switched off, but is sent anyway: a body needs it, or Transfer-Encoding: chunked.'
  return [problem('info', 'header.length_added', 'headers', message, off)]
}

/** Behind the last one whose name begins so; there is none: last of all. */
function insert(rows: PreparedHeader[], lowerPrefix: string, added: PreparedHeader): void {
  const last = rows.findLastIndex(({ name }) => name.toLowerCase().startsWith(lowerPrefix))
  rows.splice(last === -1 ? rows.length : last + 1, 0, added)
}

/** Whether a dependent header says something else than body and endpoint, and so is to stay as it is. */
export function saysOther(
  header: Header,
  of: Pick<Composing, 'names' | 'endpoint' | 'body'>,
): boolean {
  const { names, endpoint, body } = of
  if (isNamed(header, names.lower['application-id'])) {
    const expected = endpoint?.applicationId ?? ''
    return expected !== '' && !headerEquals(header[1], expected)
  }
  const id = echoIds.find((one) => isNamed(header, names.lower[one]))
  return id !== undefined && !headerEquals(header[1], factsOf(body).echoes[id])
}
